import type { Reports } from './report';

/** What is sent to the trigger when a call ends, by the reports in README.md. */
export const EVENT = { callId: 'call-7', summary: 'Booked.', transcript: 'Hi' };

const TEXT = JSON.stringify(EVENT);

type Delivery = readonly [type: string, body: string];

/**
 * n8n-io/n8n#13577: a byte-order mark; n8n-io/n8n#20748: other JSON; nocodb/nocodb#6822: JSON as a
 * form; ericferon/glpi-webhook#60: blanks around it; n8n-io/n8n#7700: no type.
 */
export const TAKEN: readonly Delivery[] = [
	['', TEXT],
	['application/cloudevents+json; charset=utf-8', TEXT],
	['application/vnd.api+json', TEXT],
	['text/json', TEXT],
	['text/plain', `\ufeff${TEXT}`],
	['application/x-www-form-urlencoded', `{"and":"a=1&b=%2B",${TEXT.slice(1)}`],
	['text/plain; charset=utf-8', `\r\n ${TEXT} \n`],
	['application/json; charset=utf-8', `\n\n${TEXT}\n`],
];

/**
 * PrefectHQ/prefect#17890, BBMRI-ERIC/negotiator#1034: JSON in JSON; mautic/mautic#834: several
 * events at once; adnanh/webhook#536: curly quotes; jishi/node-sonos-http-api#285: sizes of chunks.
 */
export const NOT_TAKEN: readonly Delivery[] = [
	['application/json', JSON.stringify(TEXT)],
	['text/plain', JSON.stringify(TEXT)],
	['application/json', `[${TEXT},${TEXT}]`],
	['text/plain', `${TEXT}\n${TEXT}`],
	['text/plain', TEXT.replace('}', ',}')],
	['text/plain', TEXT.replace('"callId"', '“callId"')],
	['text/plain', `53\r\n${TEXT}\r\n0\r\n\r\n`],
	['application/x-www-form-urlencoded', 'callId=call-7&summary=Booked.'],
	[
		'multipart/form-data; boundary=x',
		`--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${TEXT}\r\n--x--`,
	],
];

/** n8n-io/n8n#14585, community.retellai.com/t/2573 and /t/519: one call, several deliveries. */
export const OF_ONE_CALL = ['call_ended', 'call_analyzed', 'call_ended'].map((event) => ({
	event,
	call_id: 'call-8',
}));

/** What is answered to {@link OF_ONE_CALL} with and without Ignore Repeats. */
export const ANSWERS_OF_ONE_CALL: readonly (readonly [
	ignoreRepeats: boolean,
	answers: readonly object[],
])[] = [
	[true, [{ received: true }, { repeat: true }, { repeat: true }]],
	[false, OF_ONE_CALL.map(() => ({ received: true }))],
];

const workflow = { run: { id: 16 } };
const A = { callId: 'A' };
const runs = [{ id: 'B' }];

/**
 * dograh-hq/dograh#107: the ID of the call is inside other properties; sipgate/sipgate.io#134: the
 * voicemail has another one; CALLE#152: it is inside a list. Its property, two events, the output.
 */
export const NAMED_IDS = [
	['workflow.run.id', { workflow }, { workflow }, { callId: '16', variables: { workflow } }],
	['runs.0.id', { runs }, { runs }, { callId: 'B', variables: { runs } }],
	['of', { ...A, of: 'A' }, { callId: 'B', of: 'A' }, { ...A, variables: A }],
] as const;

const callStartTime = '2026-03-04T14:00:00';

/** Two events of a call, and what its row has then. */
export const KNOWN_LATER: Reports<[first: object, second: object, row: object]> = [
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
export const RESULT_OPTIONS = {
	...{ reachedProperty: 'reached', callBackProperty: 'callBackAt', optOutProperty: 'optedOut' },
};

const noTime = { callBackAt: null };

/** An event, what is read of it, and how many lines n8n's log has then. */
export const RESULTS: Reports<[event: object, read: object, lines: number]> = [
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

/** A zone, what its clock shows when the person wants to be called, and that moment. */
export const CALL_BACKS: Reports<[zone: string, said: string, time: string]> = [
	['sonichi/sutando#1248', 'America/Los_Angeles', '2026-05-28T09:00', '2026-05-28T16:00Z'],
	['sleep2agi/agent-network#375', 'America/New_York', '2026-11-01T02:30', '2026-11-01T07:30Z'],
	['sleep2agi/agent-network#375', 'America/New_York', '2026-11-01T01:30', '2026-11-01T05:30Z'],
	['case-computers/case#10', 'America/Los_Angeles', '2026-03-08T02:30', '2026-03-08T10:30Z'],
];

const named = { summary: '', transcript: '', callStartTime: '' };
const context = {};

/** dograh-hq/dograh#107: a report whose fields are all empty. */
export const EMPTY = { callId: '', ...named, context };

/** What comes out of {@link EMPTY}. */
export const EMPTY_OUTPUT = { callId: null, ...named, variables: { context } };
