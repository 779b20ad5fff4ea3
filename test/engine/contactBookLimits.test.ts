import type { INodeParameters } from 'n8n-workflow';

import type { TablesRequest } from '../contactBook/dataTables/requests';
import { until } from '../until';
import { ada, bob, CONTINUE } from './contacts';
import { runNode } from './engine';
import { useFastClock } from './fastClock';
import { useWaits } from './waits';
import { calledOnce, numbers } from './world';

// An administrator of n8n can limit its API: it refuses requests, and does nothing for them.

useFastClock();
const { begin, callId, rows, simulator, startTrigger, tables, waitFor, reached } = useWaits();

const RULES = { notAgainWithin: 24 };

const calls = (
	people: { to: string }[],
	options: INodeParameters = {},
	contactRules: INodeParameters = {},
) => waitFor(people, { operation: 'place', options, contactRules }, CONTINUE);

const isWrite = ({ method }: TablesRequest): boolean => method !== 'GET';

/** Says whether a request comes when people have been called. */
const isAfterCalls = (): boolean => simulator().processed('placeCall').length > 0;

/** Lets n8n refuse these requests from now on, and ask for so many seconds of patience. */
function refuse(seconds: number, when: (request: TablesRequest) => boolean = () => true): void {
	const headers = { 'retry-after': String(seconds) };
	tables().fail({ when, answer: { status: 429, body: {}, headers } });
}

const outcomes = () => rows().map(({ outcome }) => outcome);

const placed = (people: readonly unknown[]): string[] => people.map(() => 'placed');

test('at two requests a second, 200 people are called once, and the ends of 100 calls are written', async () => {
	tables().setLimit(2);
	const people = numbers(200);
	const trigger = await startTrigger();
	let isOver = false;
	const running = runNode(calls(people, {}, RULES)).finally(() => (isOver = true));
	for (let call = 0; call < 100; call++) {
		await until(() => isOver || simulator().state().calls.length > call);
		const id = simulator().state().calls[call]?.id;
		trigger.post({ callId: id, summary: `of ${id}` }).catch(() => undefined);
	}
	const { items } = await running;

	expect(items.map(({ json }) => json.result)).toEqual(placed(people));
	expect(reached()).toEqual(calledOnce(people));
	const ended = () => rows().filter(({ endedAt }) => endedAt !== null);
	await until(() => !outcomes().includes('claimed') && ended().length === 100);
	expect(outcomes()).toEqual(people.map(() => 'accepted'));
	for (const { contactId, summary } of ended()) expect(summary).toBe(`of ${contactId as string}`);
});

describe('before a call', () => {
	test('the longest Max Wait of the items is waited for', async () => {
		refuse(8);
		setTimeout(tables().clearFaults, 9_000);
		const maxWait = `={{ $json.to === '${bob.to}' ? 60 : 0 }}`;

		const { items } = await runNode(calls([ada, bob], { maxWait }));

		expect(items.map(({ json }) => json.result)).toEqual(placed([ada, bob]));
	});

	test('a run does not wait for the Max Wait of another one', async () => {
		refuse(120, isWrite);
		const patient = runNode(calls([ada], { maxWait: 1_000 }));
		await until(() => tables().requests.some(({ status }) => status === 429));
		setTimeout(tables().clearFaults, 60_000);

		const { items } = await runNode(calls([bob], { maxWait: 0 }));
		await patient;

		expect(items[0]?.json).toMatchObject({ details: { kind: 'stopped', outcome: 'notSent' } });
		expect(reached()).toEqual({ [ada.to]: 1 });
	});

	test.each([0, 60])(
		'nobody is called if that (%d s) is shorter, and the time is told',
		async (maxWait) => {
			refuse(90);
			const earliest = Date.now() + 90_000;

			const { items } = await runNode(calls([ada, bob], { maxWait }));

			for (const { json } of items) {
				expect(json).toMatchObject({ details: { kind: 'stopped', outcome: 'notSent' } });
				expect(json.error).toMatch(/^Not sent\. n8n limits the requests/);
				const { hint } = json.details as { hint: string };
				const [time = ''] = /\d{4}-.*Z/.exec(hint) ?? [];
				expect(Date.parse(time)).toBeGreaterThanOrEqual(earliest - 1_000);
				expect(hint).toMatch(/in (89|90) s\./);
			}
			expect(simulator().processed('placeCall')).toEqual([]);
		},
	);

	test('a claim of which nothing is sent is taken back when n8n lets it', async () => {
		refuse(8, () => rows().length > 0);

		const { items } = await runNode(calls([ada], { maxWait: 5 }, RULES));

		expect(items[0]?.json).toMatchObject({ details: { outcome: 'notSent' } });
		expect(outcomes()).toEqual(['claimed']);
		tables().clearFaults();
		await until(() => outcomes()[0] === 'notMade');
		expect(simulator().processed('placeCall')).toEqual([]);
	});
});

describe('after a call', () => {
	/** Runs and events wait a tenth of their time. */
	beforeEach(() => {
		const inTime = AbortSignal.timeout.bind(AbortSignal);
		const timeout = jest.spyOn(AbortSignal, 'timeout');
		timeout.mockImplementation((time) => inTime(time === 60_000 ? time : time / 10));
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});

	test.each([1, 50])(
		'what became of %d is written when n8n lets it, also after the run',
		async (count) => {
			refuse(8, (request) => isWrite(request) && isAfterCalls());
			const people = numbers(count);

			const { items } = await runNode(calls(people, { maxWait: 1 }));

			expect(items.map(({ json }) => json.result)).toEqual(placed(people));
			expect(outcomes()).toEqual(people.map(() => 'claimed'));
			tables().clearFaults();
			await until(() => !outcomes().includes('claimed'));
			expect(outcomes()).toEqual(people.map(() => 'accepted'));
			expect(new Set(rows().map(({ contactId }) => contactId))).toEqual(
				new Set(items.map(({ json }) => json.callId)),
			);
		},
	);

	test('Place and Wait waits until its rows say what it waits for', async () => {
		refuse(8, (request) => isWrite(request) && isAfterCalls());
		const running = begin(waitFor([ada], { options: { maxWait: 0 } }));
		await until(isAfterCalls);
		setTimeout(tables().clearFaults, 20_000);
		const trigger = await startTrigger();

		const execution = await running;

		expect(execution.status).toBe('waiting');
		expect(outcomes()).toEqual(['accepted']);
		await trigger.post({ callId: callId(0), summary: 'Ada' });
		expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Ada' }]);
	});

	test('an event whose row is not written yet finds it', async () => {
		refuse(8, (request) => isWrite(request) && isAfterCalls());
		const { items } = await runNode(calls([ada], { maxWait: 0 }));
		const trigger = await startTrigger();

		const posted = trigger.post({ callId: items[0]?.json.callId, summary: 'Ada' });
		setTimeout(tables().clearFaults, 20_000);
		await posted;

		expect(trigger.executions).toMatchObject([[{ json: { contact: { phone: ada.to } } }]]);
		expect(rows()).toMatchObject([{ outcome: 'accepted', summary: 'Ada' }]);
	});

	test('an event is answered, and written when n8n lets it, with its opt-out; the execution goes on', async () => {
		const execution = await begin(waitFor([ada]));
		const trigger = await startTrigger({ options: { optOutProperty: 'stop' } });
		refuse(8, isWrite);

		const { status } = await trigger.post({ callId: callId(0), summary: 'Ada', stop: true });

		expect(status).toBe(200);
		expect(trigger.executions).toMatchObject([[{ json: { contact: null, optedOut: false } }]]);
		expect(trigger.log).toEqual([expect.stringContaining('is written when')]);
		tables().clearFaults();
		expect(await execution.ended()).toMatchObject([{ ended: true, summary: 'Ada' }]);
		await until(() => rows().some(({ doNotContact }) => doNotContact === true));
		expect(trigger.executions).toHaveLength(1);
	});
});
