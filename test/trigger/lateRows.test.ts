import { MOST_LATE } from '../../nodes/AssistantServiceTrigger/contact';
import { state } from '../../nodes/AssistantServiceTrigger/state';
import { useFastClock } from '../engine/fastClock';
import { endPause, PAUSES, pausing } from '../engine/pauses';
import { until } from '../until';
import { CALL, jsonOf, ROW, useBookOfTrigger } from './bookOfTrigger';

useFastClock();
const OPTIONS = {
	reachedProperty: 'reached',
	callBackProperty: 'callBack',
	optOutProperty: 'optOut',
};
const SOON = new Date(Date.now() + 48 * 3_600_000).toISOString();
const { tables, rows, add, deliver } = useBookOfTrigger(OPTIONS);

const [AFTER_10_S, AFTER_60_S, AFTER_300_S] = PAUSES;

const isEnded = () => rows().some(({ summary }) => summary === CALL.summary);

const ANY_TEXT = expect.any(String) as unknown;

const NO_ROW = expect.stringMatching(/^The end of call "call-1" .*No row has this ID/) as unknown;

/** Ends pauses, one after the other; each time no row is there. */
async function lookInVain(...pauses: readonly (typeof PAUSES)[number][]): Promise<void> {
	for (const pause of pauses) await endPause(pause);
}

test.each([
	['10 s', [], AFTER_10_S],
	['60 s', [AFTER_10_S], AFTER_60_S],
	['300 s', [AFTER_10_S, AFTER_60_S], AFTER_300_S],
] as const)('a row that is there after %s is completed', async (_, inVain, pause) => {
	const trigger = await deliver({ reached: 'yes', callBack: SOON, optOut: 'yes' }, []);
	await lookInVain(...inVain);
	await until(() => pausing(pause) > 0);
	add(ROW);

	await endPause(pause);
	await until(() => rows().length === 2);

	expect(rows()).toMatchObject([
		{ summary: CALL.summary, reached: 'yes', callBackAt: SOON, endedAt: ANY_TEXT },
		{ phone: ROW.phone, doNotContact: true, reference: ROW.reference },
	]);
	expect(jsonOf(trigger)).toMatchObject([{ contact: null, optedOut: false }]);
	// Until then, the event could not write it.
	expect(trigger.log).toEqual([expect.stringMatching(/^The opt-out/)]);
	await until(() => state.lateCalls === 0);
	expect(PAUSES.map(pausing)).toEqual([0, 0, 0]);
});

test('a row that never comes is named in the log, once', async () => {
	const trigger = await deliver({}, []);
	await lookInVain(AFTER_10_S, AFTER_60_S);
	await until(() => pausing(AFTER_300_S) > 0);
	expect(trigger.log).toEqual([]);

	await endPause(AFTER_300_S);
	await until(() => trigger.log.length > 0);
	await until(() => state.lateCalls === 0);

	expect(trigger.log).toEqual([NO_ROW]);
	expect(trigger.executions).toHaveLength(1);
	const looks = tables().requests.filter(({ path }) => path.includes('/rows'));
	expect(looks.map(({ method }) => method)).toEqual(Array(5).fill('GET'));
});

test.each([
	['is read', 'GET'],
	['is completed', 'PATCH'],
	['of an opt-out is added', 'POST'],
])('n8n may fail once while a row %s', async (_, failing) => {
	const isOfRows = ({ path }: { path: string }) => path.includes('/rows');
	const when = (request: { path: string; method: string }) =>
		isOfRows(request) && request.method === failing;
	tables().fail({ when, answer: { status: 500 }, times: 1 });

	const trigger = await deliver({ reached: 'yes', optOut: 'yes' });

	expect(rows()).toMatchObject([
		{ summary: CALL.summary, reached: 'yes' },
		{ phone: ROW.phone, doNotContact: true },
	]);
	expect(jsonOf(trigger)).toMatchObject([{ contact: { phone: ROW.phone }, optedOut: true }]);
	expect(trigger.log).toEqual([]);
});

test("n8n's API may fail meanwhile, at the second look, too", async () => {
	let looks = 0;
	const when = ({ path }: { path: string }) => path.includes('/rows') && ++looks > 1;
	tables().fail({ when, answer: { status: 500 } });
	const trigger = await deliver({}, []);
	await endPause(AFTER_10_S);
	await until(() => pausing(AFTER_60_S) > 0);
	tables().clearFaults();
	add(ROW);

	await endPause(AFTER_60_S);
	await until(isEnded);

	const failed = expect.stringMatching(/^The end of call "call-1" .*HTTP 500/) as unknown;
	expect(trigger.log).toEqual([failed, failed]);
});

test.each([
	['raw output', { output: 'raw' }],
	['repeats', { ignoreRepeats: false }],
])('also with %s', async (_, options) => {
	const trigger = await deliver({}, [], { options: { ...OPTIONS, ...options } });
	await trigger.post(CALL);
	await until(() => pausing(AFTER_10_S) === 2);
	add(ROW);

	await endPause(AFTER_10_S, 2);
	await until(() => state.lateCalls === 0);

	expect(isEnded()).toBe(true);
	expect(trigger.log).toEqual([]);
});

test.each([
	['without a credential', { authentication: 'none' }, {}, {}],
	['without a contact book', {}, { contactBook: false }, {}],
	['without a call ID', {}, {}, { callId: null }],
	['if the book is away', {}, { n8nUrl: 'http://127.0.0.1:1' }, {}],
])('%s, nothing is looked for', async (_, parameters, changes, event) => {
	await deliver(event, [], parameters, changes);

	expect(state.lateCalls).toBe(0);
	expect(PAUSES.map(pausing)).toEqual([0, 0, 0]);
});

test('beyond so many calls, the log names one at once', async () => {
	state.lateCalls = MOST_LATE - 1;
	const trigger = await deliver({}, []);
	expect(pausing(AFTER_10_S)).toBe(1);
	expect(trigger.log).toEqual([]);

	await trigger.post({ ...CALL, callId: 'call-2' });

	expect(pausing(AFTER_10_S)).toBe(1);
	expect(trigger.log).toEqual([expect.stringMatching(/^The end of call "call-2" .*No row/)]);
	expect(state.lateCalls).toBe(MOST_LATE);
	state.lateCalls = 0;
});
