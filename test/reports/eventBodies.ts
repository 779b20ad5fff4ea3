/** What is sent to the trigger when a call ends, by the reports in README.md. */
export const EVENT = { callId: 'call-7', summary: 'Booked.', transcript: 'Hi' };

const TEXT = JSON.stringify(EVENT);

type Delivery = readonly [type: string, body: string];

/**
 * n8n-io/n8n#13577: a byte-order mark; n8n-io/n8n#20748: other JSON; nocodb/nocodb#6822: JSON as a
 * form; ericferon/glpi-webhook#60: blanks around it.
 */
export const TAKEN: readonly Delivery[] = [
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
 * events at once.
 */
export const NOT_TAKEN: readonly Delivery[] = [
	['application/json', JSON.stringify(TEXT)],
	['text/plain', JSON.stringify(TEXT)],
	['application/json', `[${TEXT},${TEXT}]`],
	['text/plain', `${TEXT}\n${TEXT}`],
	['text/plain', TEXT.replace('}', ',}')],
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

/** dograh-hq/dograh#107: the ID of the call is inside other properties. */
export const NESTED = {
	options: { callIdProperty: 'workflow.run.id' },
	body: { workflow: { run: { id: 16 } }, summary: 'Booked.' },
	output: { callId: '16', eventKey: '16', variables: { workflow: { run: { id: 16 } } } },
};

/** aircall/aircall-everywhere#28, hkjarral/AVA-AI-Voice-Agent-for-Asterisk#607: it is known later. */
export const KNOWN_LATER = [
	{ callId: 'call-1', summary: '', callStartTime: null },
	{ callId: 'call-1', summary: { text: 'Booked.' }, callStartTime: 1_772_359_200, mood: 'good' },
];

/** What the row of the call then has. */
export const ROW_OF_KNOWN_LATER = {
	summary: '{"text":"Booked."}',
	callStartTime: '1772359200',
	variables: '{"mood":"good"}',
};

const named = { summary: '', transcript: '', callStartTime: '' };
const context = {};

/** dograh-hq/dograh#107: a report whose fields are all empty. */
export const EMPTY = { callId: '', ...named, context };

/** What comes out of {@link EMPTY}. */
export const EMPTY_OUTPUT = { callId: null, ...named, variables: { context } };
