import { readCallBackTime } from '../../nodes/AssistantServiceTrigger/resultValues';
import { DAY } from '../../nodes/shared/time/clock';
import { useTriggers } from '../engine/webhook';
import { ROW, useBookOfTrigger } from '../trigger/bookOfTrigger';
import { EVENT, NOT_TAKEN, TAKEN } from './eventBodies';
import type { Reports } from './report';

const start = useTriggers();
const book = useBookOfTrigger();
const { callId, summary } = EVENT;
const open = (options = {}) => start({ parameters: { authentication: 'none', options } });

test.each(TAKEN)('an event as %s is taken: %j', async (type, body) => {
	const trigger = await open();

	const { status } = await trigger.post(body, { headers: { 'content-type': type } });

	expect(status).toBe(200);
	expect(trigger.executions).toMatchObject([[{ json: { callId, summary } }]]);
});

test.each(NOT_TAKEN)('what is no event is refused: %s %j', async (type, body) => {
	const trigger = await open();

	const { status, data } = await trigger.post(body, { headers: { 'content-type': type } });

	expect(status).toBe(400);
	expect(data).toHaveProperty('hint');
	expect(trigger.executions).toEqual([]);
});

/** n8n-io/n8n#14585, community.retellai.com/t/2573 and /t/519: one call, several deliveries. */
const OF_ONE_CALL = ['call_ended', 'call_analyzed', 'call_ended'].map((event) => ({
	event,
	call_id: 'call-8',
}));

/** What is answered to {@link OF_ONE_CALL} with and without Ignore Repeats. */
const ANSWERS_OF_ONE_CALL: readonly (readonly [
	ignoreRepeats: boolean,
	answers: readonly object[],
])[] = [
	[true, [{ received: true }, { repeat: true }, { repeat: true }]],
	[false, OF_ONE_CALL.map(() => ({ received: true }))],
];

test.each(ANSWERS_OF_ONE_CALL)(
	'ended and analysed are one call with Ignore Repeats %j',
	async (ignoreRepeats, expected) => {
		const trigger = await open({ callIdProperty: 'call_id', ignoreRepeats });

		const answers: unknown[] = [];
		for (const body of OF_ONE_CALL) answers.push((await trigger.post(body)).data);

		expect(answers).toEqual(expected);
	},
);

const IN_WORKFLOW = { workflow: { run: { id: 16 } } };
const IN_LIST = { runs: [{ id: 'B' }] };
const VOICEMAIL = { callId: 'A' };

/**
 * dograh-hq/dograh#107: the ID of the call is inside other properties; sipgate/sipgate.io#134: the
 * voicemail has another one; CALLE#152: it is inside a list. Its property, two events, the output.
 */
const NAMED_IDS = [
	['workflow.run.id', IN_WORKFLOW, IN_WORKFLOW, { callId: '16', variables: IN_WORKFLOW }],
	['runs.0.id', IN_LIST, IN_LIST, { callId: 'B', variables: IN_LIST }],
	[
		'of',
		{ ...VOICEMAIL, of: 'A' },
		{ callId: 'B', of: 'A' },
		{ ...VOICEMAIL, variables: VOICEMAIL },
	],
] as const;

test.each(NAMED_IDS)('the ID %s is named by its path', async (path, first, second, json) => {
	const trigger = await open({ callIdProperty: path });

	const answers = [await trigger.post(first), await trigger.post(second)];

	expect(answers.map(({ data }) => data)).toEqual([{ received: true }, { repeat: true }]);
	expect(trigger.executions).toMatchObject([[{ json }]]);
});

const callStartTime = '2026-03-04T14:00:00';

/** Two events of a call, and what its row has then. */
const KNOWN_LATER: Reports<[first: object, second: object, row: object]> = [
	[
		'aircall/aircall-everywhere#28, hkjarral/AVA-AI-Voice-Agent-for-Asterisk#607',
		{ summary: '', callStartTime: null },
		{ summary: { text: 'Booked.' }, callStartTime: 1_772_359_200, mood: 'good' },
		{ summary: '{"text":"Booked."}', callStartTime: '1772359200', variables: '{"mood":"good"}' },
	],
	['CALLE#374', { callStartTime }, { callStartTime: `${callStartTime}Z` }, { callStartTime }],
	['CALLE#112', { transcript: null }, { event: 'ringing' }, { reached: 'no' }],
];

/** What the trigger is told to read. */
const RESULT_OPTIONS = {
	...{ reachedProperty: 'reached', callBackProperty: 'callBackAt', optOutProperty: 'optedOut' },
};

test.each(KNOWN_LATER)('%s: a later event adds to the row', async (_, first, second, row) => {
	book.add(ROW);
	const trigger = await book.start({ options: RESULT_OPTIONS });

	for (const event of [first, second]) await trigger.post({ callId: 'call-1', ...event });

	expect(book.rows()).toMatchObject([{ ...ROW, ...row }]);
	expect(trigger.executions).toHaveLength(1);
});

const noTime = { callBackAt: null };

/** An event, what is read of it, and how many lines n8n's log has then. */
const RESULTS: Reports<[event: object, read: object, lines: number]> = [
	['CALLE#337, CALLE#406', { task_completed: true }, { reached: null }, 0],
	['CALLE#152', { reached: true, transcript: null }, { reached: true }, 0],
	['fishaudio/docs#169', { reached: 'unknown' }, { reached: null }, 1],
	['isaacphi/mcp-gdrive#22', { reached: "'TRUE" }, { reached: null }, 1],
	['robin900/gspread-dataframe#63', { reached: 1 }, { reached: true }, 0],
	['docs.simplified-webhooks.com/field-types', { reached: undefined }, { reached: null }, 0],
	['dograh-hq/dograh#685', { optedOut: 'do_not_call' }, { optedOut: false }, 1],
	['NickMonrad/kernel-ai-assistant#426', { callBackAt: '202026-104-04T16:00' }, noTime, 1],
	['2witstudios/PageSpace#2405', { callBackAt: '7pm' }, noTime, 1],
	['activepieces/activepieces#8583', { callBackAt: '2024-08-16T10:00Z' }, noTime, 1],
];

test.each(RESULTS)('%s: of %j is read %j', async (_, event, read, lines) => {
	const trigger = await open(RESULT_OPTIONS);

	await trigger.post({ ...EVENT, ...event });

	expect(trigger.executions).toMatchObject([[{ json: read }]]);
	expect(trigger.log).toHaveLength(lines);
});

/** A zone, what its clock shows when the person wants to be called, and that moment. */
const CALL_BACKS: Reports<[zone: string, said: string, time: string]> = [
	['sonichi/sutando#1248', 'America/Los_Angeles', '2026-05-28T09:00', '2026-05-28T16:00Z'],
	['sleep2agi/agent-network#375', 'America/New_York', '2026-11-01T02:30', '2026-11-01T07:30Z'],
	['sleep2agi/agent-network#375', 'America/New_York', '2026-11-01T01:30', '2026-11-01T05:30Z'],
	['case-computers/case#10', 'America/Los_Angeles', '2026-03-08T02:30', '2026-03-08T10:30Z'],
];

test.each(CALL_BACKS)('%s: in %s, %s is %s', (_, zone, said, time) => {
	const read = readCallBackTime(said, zone, Date.parse(`${said}Z`) - DAY);

	expect(read).toBe(new Date(time).toISOString());
});

const EMPTY_TEXTS = { summary: '', transcript: '', callStartTime: '' };

/** dograh-hq/dograh#107: a report whose fields are all empty. */
const EMPTY = { callId: '', ...EMPTY_TEXTS, context: {} };

/** What comes out of {@link EMPTY}. */
const EMPTY_OUTPUT = { callId: null, ...EMPTY_TEXTS, variables: { context: {} } };

test('an event with empty fields is an event each time, and without an ID', async () => {
	const trigger = await open();

	for (const body of [EMPTY, EMPTY]) await trigger.post(body);

	const json = EMPTY_OUTPUT;
	expect(trigger.executions).toMatchObject([[{ json }], [{ json }]]);
});
