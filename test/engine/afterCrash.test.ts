import { ExecuteContext } from 'n8n-core';
import { sleep } from 'n8n-workflow';

import { hold } from '../simulator/hold';
import { ASSISTANT_ID } from '../simulator/seed';
import { until } from '../until';
import { closedHours, CONTINUE, useContacts } from './contacts';
import { type NodeSetup, retryRun, runFromStart, runNode } from './engine';
import { useFastClock } from './fastClock';
import { calledOnce, getPrompt, isFor, numbers } from './world';

useFastClock();
const { simulator, store, nodeId, calls, reached } = useContacts();

afterEach(() => {
	jest.restoreAllMocks();
});

const CALLED = numbers(2);
const ALL = numbers(3);

const MESSAGE = /Not sent, because n8n could not look up/;
const DETAILS = {
	kind: 'stopped',
	outcome: 'notSent',
	hint: expect.stringMatching(/Check n8n's database, then retry this execution/) as string,
};
/** What an item puts out, or the whole node, that was not sent because nobody knows what was sent before. */
const ITEM = { error: expect.stringMatching(MESSAGE) as string, details: DETAILS };
let crashes = 0;

describe('n8n has called two of three people, and died:', () => {
	/** Gives what retries the execution. */
	const die = async () => {
		const token = `token ${++crashes}`;
		await runFromStart({ ...calls(CALLED), mode: 'trigger' }, token);
		return async (more: Partial<NodeSetup> = {}) => await runFromStart(retryOfAll(more), token);
	};
	const retryOfAll = (more: Partial<NodeSetup> = {}): NodeSetup => ({
		...calls(ALL, {}, CONTINUE),
		mode: 'retry',
		...more,
	});

	test('a retry that cannot read the store calls nobody; one that can calls the third', async () => {
		const retry = await die();
		const reading = jest.spyOn(store, 'checkProcessedAndRecord');
		reading.mockRejectedValue(new Error('no database'));
		const blind = await retry();
		expect(blind.hint?.message).toMatch(
			/^Of 3 items: 3 not sent\.<br>Do not run the workflow again: .*\.<br>3 failed:/,
		);
		expect(blind.items.map(({ json }) => json)).toMatchObject(ALL.map(() => ITEM));
		expect(reached()).toEqual(calledOnce(CALLED));

		reading.mockRestore();
		const { items } = await retry();
		expect(items.map(({ json }) => json.result)).toEqual([undefined, undefined, 'placed']);
		expect(reached()).toEqual(calledOnce(ALL));
	});

	test('one that cannot look them up, and can write at its end, leaves their marks', async () => {
		const retry = await die();
		// A process that died repeats no mark.
		await sleep(10_000);
		const marks = [...(store.rows.get(nodeId()) ?? [])];
		const record = store.checkProcessedAndRecord.bind(store);
		const reading = jest.spyOn(store, 'checkProcessedAndRecord');
		reading.mockImplementation(async (items, ...more) => {
			if (items.some((item) => marks.includes(String(item)))) throw new Error('no database');
			return await record(items, ...more);
		});
		expect((await retry()).items.map(({ json }) => json)).toMatchObject(ALL.map(() => ITEM));
		reading.mockRestore();

		const { items } = await retry();
		expect(items.map(({ json }) => json.result)).toEqual([undefined, undefined, 'placed']);
		expect(reached()).toEqual(calledOnce(ALL));
	});

	test('a retry that stops with a typo in a rule says who may have been called', async () => {
		const retry = await die();
		const { parameters } = calls(ALL, { doNotContact: 'x' });

		const { error } = await retry({ settings: {}, parameters });

		const names = CALLED.map(({ to }) => to).join(', ');
		expect(error?.message).toMatch(/^Do Not Contact: "x" has "x"/);
		expect(error?.message).toContain(`, and an earlier try may have sent it: ${CALLED[0]?.to}`);
		expect(error?.description).toContain('Of 3 items: 1 not sent, 2 unknown.');
		expect(error?.description).toContain(
			`<br>${names} may have been called.<br>2 more failed:<br>• `,
		);
		expect(reached()).toEqual(calledOnce(CALLED));

		await retry();
		expect(reached()).toEqual(calledOnce(ALL));
	});

	test('a retry repeats what is safe to repeat', async () => {
		const retry = await die();
		store.isBroken = true;

		const { items } = await retry({ parameters: getPrompt });

		expect(items[0]?.json).toHaveProperty('prompt');
	});
});

test('of a long list, at most a batch of those who are held back is marked at a time', async () => {
	const hours = (index: number): string =>
		index < 200 ? closedHours().allowedHours : '00:00-24:00';
	const people = numbers(201).map((person, index) => ({ ...person, hours: hours(index) }));
	const answer = hold();
	simulator().addFault({ kind: 'delay', until: answer.until, when: isFor(200) });
	const rules = { allowedHours: '={{ $json.hours }}', timezone: 'UTC' };
	const run = runFromStart({ ...calls(people, rules), mode: 'trigger' }, 'a long list');
	await until(() => simulator().requests.some(isFor(200)));
	await sleep(5_000);
	expect(store.rows.get(nodeId())?.length).toBeLessThanOrEqual(51);
	answer.release();
	await run;

	expect(store.rows.get(nodeId())).toHaveLength(1);
});

test('a retry that only checks marks nothing, also if no row can be sent', async () => {
	const asking = jest.spyOn(store, 'checkProcessedAndRecord');
	const credential = { mode: 'checkOnly' };
	const setup = calls(ALL, { doNotContact: 'x' }, { ...CONTINUE, credential, mode: 'retry' });
	const { items } = await runFromStart(setup, 'a check');

	expect(items.map(({ json }) => json.error)).toHaveLength(3);
	// Others still repeat marks.
	expect(asking.mock.calls.filter(([, , { node }]) => node?.id === nodeId())).toEqual([]);
});

test('an n8n that gives no token for retries is named as too old, and nothing is sent', async () => {
	// It has no such method either.
	const { prototype } = ExecuteContext;
	const method = Object.getOwnPropertyDescriptor(prototype, 'isToolExecution') ?? {};
	Reflect.deleteProperty(prototype, 'isToolExecution');

	const { error } = await runFromStart({ ...calls(ALL), mode: 'trigger' }, undefined);
	Object.defineProperty(prototype, 'isToolExecution', method);

	expect(error?.message).toBe('Nothing was sent: this node needs n8n 2.15 or later');
	expect(error?.context.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
	expect(simulator().requests).toEqual([]);
});

test('a retry says that Send Again is set, also if it sends nothing of an earlier try', async () => {
	simulator().addFault({ kind: 'status', status: 400, times: 1 });
	const failed = await runNode(calls(CALLED));
	const sendAgain = calls(CALLED, {}, { mode: 'retry' }, { ifOutcomeUnknown: 'sendAgain' });

	const { items, hint } = await retryRun(failed.run, sendAgain);

	expect(items.map(({ json }) => json.result)).toEqual(['placed', 'placed']);
	expect(hint?.message).toMatch(/"If Unsure Whether It Was Sent" is "Send Again": a retry sends/);
});

test('a first run calls everybody while the store cannot be read', async () => {
	store.isBroken = true;

	await runNode({ ...calls(ALL), mode: 'trigger' });

	expect(reached()).toEqual(calledOnce(ALL));
});

test('of two rows for one person the first was refused, and the second called: nobody is called again in another order', async () => {
	const setup = (assistants: string[]): NodeSetup => {
		const items = assistants.map((assistant) => ({ ...ALL[0], assistant }));
		const all = calls(items, {}, CONTINUE);
		return { ...all, parameters: { ...all.parameters, assistantId: '={{ $json.assistant }}' } };
	};
	await runFromStart({ ...setup(['bad', ASSISTANT_ID]), mode: 'trigger' }, 'two rows');

	const { items } = await runFromStart(
		{ ...setup([ASSISTANT_ID, 'bad']), mode: 'retry' },
		'two rows',
	);

	expect(items.map(({ json }) => json.details)).toMatchObject([
		{ outcome: 'unknown' },
		{ outcome: 'notSent' },
	]);
	expect(reached()).toEqual(calledOnce(ALL.slice(0, 1)));
});
