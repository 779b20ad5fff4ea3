import { useTriggers } from '../engine/webhook';

const start = useTriggers();
const open = (options = {}) => start({ parameters: { authentication: 'none', options } });

const EVENT = { callId: 'call-7', summary: 'Booked.', transcript: 'Hi' };
const TEXT = JSON.stringify(EVENT);

/** n8n-io/n8n#13577: a byte-order mark; n8n-io/n8n#20748: other JSON; nocodb/nocodb#6822: JSON as a form; ericferon/glpi-webhook#60: blanks around it. */
test.each([
	['application/cloudevents+json; charset=utf-8', TEXT],
	['application/vnd.api+json', TEXT],
	['text/json', TEXT],
	['text/plain', `\ufeff${TEXT}`],
	['application/x-www-form-urlencoded', `{"and":"a=1&b=%2B",${TEXT.slice(1)}`],
	['text/plain; charset=utf-8', `\r\n ${TEXT} \n`],
	['application/json; charset=utf-8', `\n\n${TEXT}\n`],
])('an event as %s is taken: %j', async (type, body) => {
	const trigger = await open();

	const { status } = await trigger.post(body, { headers: { 'content-type': type } });

	expect(status).toBe(200);
	expect(trigger.executions).toMatchObject([[{ json: { callId: 'call-7', summary: 'Booked.' } }]]);
});

/** PrefectHQ/prefect#17890, BBMRI-ERIC/negotiator#1034: JSON in JSON; mautic/mautic#834: several events at once. */
test.each([
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
])('what is no event is refused: %s %j', async (type, body) => {
	const trigger = await open();

	const { status, data } = await trigger.post(body, { headers: { 'content-type': type } });

	expect(status).toBe(400);
	expect(data).toHaveProperty('hint');
	expect(trigger.executions).toEqual([]);
});

/** n8n-io/n8n#14585, community.retellai.com/t/2573 and /t/519: one call, several deliveries. */
test.each([
	[true, [{ received: true }, { repeat: true }, { repeat: true }]],
	[false, Array(3).fill({ received: true })],
])('ended and analysed are one call with Ignore Repeats %j', async (ignoreRepeats, expected) => {
	const trigger = await open({ callIdProperty: 'call_id', ignoreRepeats });
	const bodies = ['call_ended', 'call_analyzed', 'call_ended'].map((event) => ({
		event,
		call_id: 'call-8',
	}));

	const answers: unknown[] = [];
	for (const body of bodies) answers.push((await trigger.post(body)).data);

	expect(answers).toEqual(expected);
});

/** dograh-hq/dograh#107: a report whose fields are all empty. */
test('an event with empty fields is an event each time, and without an ID', async () => {
	const trigger = await open();
	const empty = { callId: '', summary: '', transcript: '', callStartTime: '', context: {} };

	for (const body of [empty, empty]) await trigger.post(body);

	const { callId: _, ...rest } = empty;
	const { context, ...named } = rest;
	const json = { ...named, callId: null, variables: { context } };
	expect(trigger.executions).toMatchObject([[{ json }], [{ json }]]);
});
