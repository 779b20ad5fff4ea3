import { useFastClock } from '../engine/fastClock';
import { hold } from '../simulator/hold';
import { CALL, ROW, useBookOfTrigger } from './bookOfTrigger';

useFastClock();
const { tables, rows, add, start } = useBookOfTrigger();

const EVENTS = 150;

const idOf = (call: number): string => `call-${call}`;

const CALLS = Array.from({ length: EVENTS }, (_, call) => call);

const ROWS = CALLS.map((call) => ({ contactId: idOf(call), reference: `crm-${call}` }));

const eventOf = (callId: string) => ({ callId, summary: `end of ${callId}`, transcript: 'Hello' });

/** Counts the requests that n8n works on at a time. */
function countInFlight(): () => number {
	let [inFlight, most] = [0, 0];
	tables().holdAt((moment) => {
		if (moment === 'answer') inFlight--;
		if (moment !== 'arrival') return undefined;
		most = Math.max(most, ++inFlight);
		return new Promise((resolve) => setTimeout(resolve, 2));
	});
	return () => most;
}

test('many calls that end at once each have their contact, and n8n gets few requests at a time', async () => {
	add(...ROWS);
	const trigger = await start();
	const mostInFlight = countInFlight();

	await Promise.all(CALLS.map(async (call) => await trigger.post(eventOf(idOf(call)))));

	const found = trigger.executions.map(([item]) => item?.json);
	expect(found).toHaveLength(EVENTS);
	for (const json of found) {
		const callId = json?.eventKey as string;
		expect(json?.contact).toMatchObject({ reference: callId.replace('call', 'crm') });
	}
	for (const { contactId, summary } of rows()) expect(summary).toBe(`end of ${String(contactId)}`);
	// One looks for the table, four for rows, or complete them.
	expect(mostInFlight()).toBeLessThanOrEqual(5);
	expect(trigger.log).toEqual([]);
});

test('an ID that n8n refuses, or that is too long, fails no other', async () => {
	add(...ROWS);
	const trigger = await start();
	const odd = ['\u0000', 'é'.repeat(20_000), "it's (1) & more", 'x'.repeat(20_000)];
	const ids = [...odd, ...CALLS.slice(0, 20).map(idOf)];

	await Promise.all(ids.map(async (callId) => await trigger.post(eventOf(callId))));

	const known = trigger.executions.flatMap(([item]) => (item?.json.contact ? [item] : []));
	expect(trigger.executions).toHaveLength(ids.length);
	expect(known.map(({ json }) => json.callId).sort()).toEqual(ids.slice(odd.length).sort());
});

test('if n8n does not answer at all, no event waits longer than for its contact alone', async () => {
	add(...ROWS);
	const inTime = AbortSignal.timeout.bind(AbortSignal);
	jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((time) => inTime(time === 30_000 ? 50 : 100));
	const { until, release } = hold();
	tables().holdAt(() => until);
	const trigger = await start();

	const answers = await Promise.all(
		CALLS.map(async (call) => (await trigger.post(eventOf(idOf(call)))).status),
	);

	expect(new Set(answers)).toEqual(new Set([200]));
	expect(trigger.executions.map(([item]) => item?.json.contact)).toEqual(CALLS.map(() => null));
	const lines = (text: string) => trigger.log.filter((line) => line.includes(text)).length;
	expect(lines('Not within 30 seconds')).toBe(EVENTS);
	// What was in line still fails for a reason that is told.
	while (lines('cannot be reached') < EVENTS) await new Promise((next) => setTimeout(next, 20));
	release();
	jest.restoreAllMocks();
});

test('if only the opt-out is not written in time, that is what the log names', async () => {
	add(ROW);
	const inTime = AbortSignal.timeout.bind(AbortSignal);
	jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((time) => inTime(time === 30_000 ? 500 : time));
	const { until, release } = hold();
	tables().holdAt((_, { method }) => (method === 'POST' ? until : undefined));
	const trigger = await start({ options: { optOutProperty: 'optOut' } });

	await trigger.post({ ...CALL, optOut: true });

	expect(trigger.log).toEqual([
		expect.stringMatching(/^The opt-out of call "call-1" .*Not within 30 seconds/),
	]);
	release();
	jest.restoreAllMocks();
});
