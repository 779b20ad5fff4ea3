import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { MOST_LATE } from '../../nodes/AssistantServiceTrigger/contact';
import { state } from '../../nodes/AssistantServiceTrigger/state';
import { useFastClock } from '../engine/fastClock';
import { endPause, PAUSES, pausing } from '../engine/pauses';
import { until } from '../until';
import { BOOK, ROW, useBookOfTrigger } from './bookOfTrigger';

useFastClock();
const { tables, prepare, start } = useBookOfTrigger();

const [AFTER_10_S, AFTER_60_S, AFTER_300_S] = PAUSES;

const CALL = { callId: 'call-1', summary: 'All is well', transcript: 'Hello' };
const OPTIONS = { reachedProperty: 'reached', optOutProperty: 'optOut' };

const rows = () => tables().table(BOOK).rows;
const add = (row = {}) =>
	tables()
		.table(BOOK)
		.insert({ ...ROW, ...row });
const isEnded = () => rows().some(({ summary }) => summary === CALL.summary);

const startWith = async (options: INodeParameters = {}) =>
	await start({ options: { ...OPTIONS, ...options } });

type Trigger = Awaited<ReturnType<typeof start>>;

/** What n8n's log says, but for the opt-out that the event could not write. */
const textsOf = ({ log }: Trigger) =>
	log.map(({ text }) => text).filter((text) => !text.startsWith('The opt-out'));

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
	await prepare();
	const trigger = await startWith();
	const event = { ...CALL, reached: 'yes', optOut: 'yes' };
	expect((await trigger.post(event)).status).toBe(200);
	await lookInVain(...inVain);
	await until(() => pausing(pause) > 0);
	add();

	await endPause(pause);
	await until(() => rows().length === 2);

	expect(rows()).toMatchObject([
		{ summary: CALL.summary, reached: 'yes', endedAt: expect.any(String) as unknown },
		{ phone: ROW.phone, doNotContact: true, reference: ROW.reference },
	]);
	expect(trigger.executions).toMatchObject([[{ json: { contact: null, optedOut: false } }]]);
	expect(textsOf(trigger)).toEqual([]);
	await until(() => state.lateCalls === 0);
	expect(PAUSES.map(pausing)).toEqual([0, 0, 0]);
});

test('a row that never comes is named in the log, once', async () => {
	await prepare();
	const trigger = await startWith();
	await trigger.post(CALL);
	await lookInVain(AFTER_10_S, AFTER_60_S);
	await until(() => pausing(AFTER_300_S) > 0);
	expect(trigger.log).toEqual([]);

	await endPause(AFTER_300_S);
	await until(() => trigger.log.length > 0);
	await until(() => state.lateCalls === 0);

	expect(textsOf(trigger)).toEqual([NO_ROW]);
	expect(trigger.executions).toHaveLength(1);
	const looks = tables().requests.filter(({ path }) => path.includes('/rows'));
	expect(looks.map(({ method }) => method)).toEqual(Array(5).fill('GET'));
});

test("n8n's API may fail meanwhile, at the second look, too", async () => {
	await prepare();
	const trigger = await startWith();
	let looks = 0;
	const when = ({ path }: { path: string }) => path.includes('/rows') && ++looks > 1;
	tables().fail({ when, answer: { status: 500 } });
	await trigger.post(CALL);
	await endPause(AFTER_10_S);
	await until(() => pausing(AFTER_60_S) > 0);
	tables().clearFaults();
	add();

	await endPause(AFTER_60_S);
	await until(isEnded);

	const failed = expect.stringMatching(/^The end of call "call-1" .*HTTP 500/) as unknown;
	expect(textsOf(trigger)).toEqual([failed, failed]);
});

test.each([
	['raw output', { output: 'raw' }],
	['repeats', { ignoreRepeats: false }],
])('also with %s', async (_, options) => {
	await prepare();
	const trigger = await startWith(options);
	await trigger.post(CALL);
	await trigger.post(CALL);
	await until(() => pausing(AFTER_10_S) === 2);
	add();

	await endPause(AFTER_10_S, 2);
	await until(() => state.lateCalls === 0);

	expect(isEnded()).toBe(true);
	expect(textsOf(trigger)).toEqual([]);
});

test.each<
	[
		what: string,
		parameters: INodeParameters,
		changes: ICredentialDataDecryptedObject,
		event: object,
	]
>([
	['without a credential', { authentication: 'none' }, {}, CALL],
	['without a contact book', {}, { contactBook: false }, CALL],
	['without a call ID', {}, {}, { transcript: 'Hello' }],
	['if the book is away', {}, { n8nUrl: 'http://127.0.0.1:1' }, CALL],
])('%s, nothing is looked for', async (_, parameters, changes, event) => {
	await prepare();
	const trigger = await start(parameters, changes);

	await trigger.post(event);

	expect(state.lateCalls).toBe(0);
	expect(PAUSES.map(pausing)).toEqual([0, 0, 0]);
});

test('beyond so many calls, the log names one at once', async () => {
	await prepare();
	const trigger = await startWith();
	state.lateCalls = MOST_LATE - 1;
	await trigger.post(CALL);
	expect(pausing(AFTER_10_S)).toBe(1);
	expect(trigger.log).toEqual([]);

	await trigger.post({ ...CALL, callId: 'call-2' });

	expect(pausing(AFTER_10_S)).toBe(1);
	expect(textsOf(trigger)).toEqual([expect.stringMatching(/^The end of call "call-2" .*No row/)]);
	expect(state.lateCalls).toBe(MOST_LATE);
	state.lateCalls = 0;
});
