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
