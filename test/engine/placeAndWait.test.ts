import { sleep } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { waits } from '../../nodes/shared/waiting/waitForCalls';
import { hold } from '../simulator/hold';
import { until } from '../until';
import { ada, bob, CONTINUE, eve } from './contacts';
import { dataFromStart, startNode } from './engine';
import { useFastClock } from './fastClock';
import { useWaits } from './waits';

useFastClock();
const { begin, waitFor, startTrigger, callId, edit, end, rows, simulator, tables, reached } =
	useWaits();

/** In hours: some seconds. */
const SHORT = 0.002;

/** A look at the rows of a wait. */
const isLook = ({ method, query }: { method: string; query: string }) =>
	method === 'GET' && query.includes('wait');

const NO_END = {
	reached: null,
	endedAt: null,
	callStartTime: null,
	summary: null,
	variables: null,
};

const HELD = { ended: false, reached: null };

describe('an execution that has placed calls', () => {
	test('goes on when all have ended, with what the trigger was told', async () => {
		const trigger = await startTrigger({ options: { reachedProperty: 'reached' } });
		const execution = await begin(waitFor([ada, bob]));
		expect(execution.status).toBe('waiting');
		const first = {
			...{ callId: callId(0), summary: `${'x'.repeat(1_999)}😀`, transcript: 'Hello' },
			...{ callStartTime: '2026-03-01T10:00:00Z', mood: 'good', reached: 'yes' },
		};

		await trigger.post(first);
		await trigger.post({
			...{ callId: callId(1), summary: 'Bye', long: 'x'.repeat(4_000) },
			...{ reached: 'no' },
		});
		const outputs = await execution.ended();

		const placed = { result: 'placed', reason: null, ended: true };
		expect(outputs).toEqual([
			{
				...{ ...placed, toNumber: ada.to, callId: first.callId, endedAt: rows()[0]?.endedAt },
				...{ msg: `The call is placed to ${ada.to}`, callStartTime: first.callStartTime },
				...{ summary: 'x'.repeat(1_999), variables: { mood: 'good', reached: 'yes' } },
				...{ reached: true },
			},
			{
				...{ ...placed, toNumber: bob.to, callId: callId(1), endedAt: rows()[1]?.endedAt },
				...{ msg: `The call is placed to ${bob.to}`, callStartTime: null },
				...{ summary: 'Bye', variables: null, reached: false },
			},
		]);
		expect(outputs.map(({ endedAt }) => Date.parse(endedAt as string) > 0)).toEqual([true, true]);
		expect(Object.keys(outputs[0] ?? {}).slice(0, 3)).toEqual(['toNumber', 'result', 'reason']);
		expect(trigger.executions).toHaveLength(2);
		expect(execution.result?.items.map(({ pairedItem }) => pairedItem)).toMatchObject([
			{ item: 0 },
			{ item: 1 },
		]);
		expect(rows()[0]).toMatchObject({ operation: 'call.placeAndWait', execution: execution.id });
		expect(trigger.log).toEqual([]);
	});

	test('outputs the held back and the failed in their places, and waits for the others', async () => {
		const parameters = { contactRules: { doNotContact: bob.to }, options: { simplify: false } };
		const settings = { onError: 'continueErrorOutput' } as const;
		const execution = await begin(waitFor([{ to: '0151' }, bob, ada], parameters, { settings }));
		end(0, 'Bye');
		await execution.post();
		await execution.ended();

		const [regular, failed] = execution.result?.outputs ?? [];
		const placed = { toNumber: ada.to, ended: true, summary: 'Bye', callId: callId(0) };
		expect(regular).toMatchObject([
			{ json: { toNumber: bob.to, result: 'heldBack', reason: 'doNotContact', ...HELD } },
			{ json: placed },
		]);
		expect(failed).toMatchObject([{ json: { details: { toNumber: '0151' } } }]);
	});

	test('says of the calls that have not ended that they have not, when the time is over', async () => {
		const execution = await begin(waitFor([ada, bob], { waitAtMost: SHORT }));
		end(1, 'Bye');

		expect(await execution.ended()).toMatchObject([
			{ toNumber: ada.to, ended: false, ...NO_END },
			{ toNumber: bob.to, ended: true, summary: 'Bye', reached: null },
		]);
		expect(execution.resumed).toBe(1);
	});

	test('goes on some minutes later with what was known at the beginning, if n8n was started anew', async () => {
		tables().holdAt((moment, { method, query }) => {
			// The first call ends while the second is placed.
			const isAsked = moment === 'arrival' && isLook({ method, query });
			if (isAsked && rows()[0]?.endedAt === null) end(0, 'Bye');
			return undefined;
		});
		const began = Date.now();
		const execution = await begin(waitFor([ada, bob], { waitAtMost: 2 }));
		const [till, begun] = [execution.waitTill.getTime(), Date.now()];

		expect(await execution.expire()).toMatchObject([
			{ toNumber: ada.to, ended: true, summary: 'Bye' },
			{ toNumber: bob.to, ended: null, ...NO_END },
		]);
		expect(till - began).toBeGreaterThan((2 * 60 + 1) * 60_000);
		expect(till - begun).toBeLessThan((2 * 60 + 5) * 60_000);
	});

	test('waits with the credential in the mode Redirect, too', async () => {
		const credential = { mode: 'redirect', testNumber: eve.to };
		const execution = await begin(waitFor([ada], {}, { credential }));
		const trigger = await startTrigger({}, credential);
		await trigger.post({ callId: callId(0), summary: 'Bye' });

		expect(await execution.ended()).toMatchObject([
			{ toNumber: ada.to, redirectedTo: eve.to, ended: true, summary: 'Bye' },
		]);
		expect(reached()).toEqual({ [eve.to]: 1 });
	});
});

describe('an execution does not wait', () => {
	test('if nobody was called', async () => {
		const rules = { doNotContact: ada.to };
		const execution = await begin(
			waitFor([ada, { to: '0151' }], { contactRules: rules }, CONTINUE),
		);

		expect(execution.status).toBe('success');
		expect(execution.outputs).toMatchObject([
			{ result: 'heldBack', ...HELD },
			{ error: expect.any(String) as string },
		]);
	});

	test('if it stops on a failure', async () => {
		simulator().addFault({ kind: 'status', status: 400, toNumber: bob.to });
		const execution = await begin(waitFor([ada, bob]));

		expect(execution.status).toBe('error');
		expect(execution.result?.run.data.waitTill).toBeUndefined();
	});

	test('before n8n has run the node for the last time', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1, toNumber: ada.to });
		const settings = { ...CONTINUE.settings, retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const execution = await begin(waitFor([ada, bob], {}, { settings }));
		for (const row of rows().keys()) end(row, 'Bye');
		await execution.post();

		expect(await execution.ended()).toMatchObject([{ ended: true }, { ended: true }]);
		expect(reached()).toEqual({ [ada.to]: 1, [bob.to]: 1 });
	});
});

describe('a call without an ID is not waited for', () => {
	const unnamed = { result: 'placed', ended: null, ...NO_END };

	test.each([
		...[undefined, null, '', ' ', 0, 'N/A', {}].map((id) => [id, 'can', 0] as const),
		[undefined, 'cannot', 3] as const,
	])('if its answer says %j, and the book %s be read', async (callId, _, times) => {
		tables().fail({ times, when: isLook, answer: { status: 500 } });
		const body = { status: 'placed', msg: 'Call placed.', callId };
		simulator().addFault({ kind: 'respond', status: 201, body });
		const execution = await begin(waitFor([ada]));

		expect(execution.status).toBe('success');
		expect(execution.outputs).toMatchObject([{ toNumber: ada.to, ...unnamed }]);
	});

	test.each([null, '', ' ', 'n/a'])('if its row was settled by hand as %j', async (id) => {
		const trigger = await startTrigger();
		const execution = await begin(waitFor([ada, bob]));
		edit(0, { contactId: id });
		await trigger.post({ callId: callId(1), summary: 'Bye' });

		expect(await execution.ended()).toMatchObject([{ ended: null }, { summary: 'Bye' }]);
	});
});

test('nothing is sent without a contact book', async () => {
	const execution = await begin(waitFor([ada], {}, { credential: { contactBook: false } }));

	expect(execution.result?.error?.message).toContain('"Place and Wait" needs the contact book');
	expect(execution.result?.error).toMatchObject({
		context: { details: { kind: 'invalidInput', outcome: 'notSent' } },
	});
	expect(simulator().requests).toEqual([]);
});

test('as a tool of an agent that can wait, the agent gets the end of the call', async () => {
	const settings = { rewireOutputLogTo: 'ai_tool' as const };
	const trigger = await startTrigger();
	const execution = await begin(waitFor([ada], {}, { settings }));
	await trigger.post({ callId: callId(0), summary: 'Bye' });

	expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Bye' }]);
	await until(() => execution.status === 'success');
});

test('an execution that is stopped while it calls does not wait', async () => {
	const { until: held, release } = hold();
	simulator().addFault({ kind: 'delay', until: held });
	const setup = waitFor([ada]);
	const running = startNode(setup, dataFromStart(setup, 'stopped'));
	await until(() => simulator().requests.length === 1);

	running.cancel();
	release();
	const { run } = await running.finished;
	await until(() => rows()[0]?.outcome === 'accepted');

	expect(run.data.waitTill).toBeUndefined();
	expect(waits.has(rows()[0]?.wait as string)).toBe(false);
});

test('of an execution that waits, the process keeps no data', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const wait = async (people: { to: string }[]): Promise<WeakRef<object>> => {
		const setup = waitFor(people);
		const { run } = await startNode(setup, dataFromStart(setup, `token of ${people.length}`))
			.finished;
		return new WeakRef(run.data);
	};

	const first = await wait([ada]);
	await wait([ada, bob]);

	for (let looks = 0; looks < 50 && first.deref() !== undefined; looks++) {
		await sleep(100);
		collect();
	}
	expect(first.deref()).toBeUndefined();
	expect(waits.has(rows()[0]?.wait as string)).toBe(true);
});
