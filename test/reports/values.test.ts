import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CONTINUE } from '../engine/contacts';
import { runNode } from '../engine/engine';
import { credentialFor, useSimulator } from '../engine/world';
import { rowOf } from '../operations';
import { pathOf } from '../operations/row';

const simulator = useSimulator({ apiKey: 'ab|cd' });

/** What the node puts out for an operation with these values, and what the service got. */
async function run(path: string, values: INodeParameters, items: IDataObject[], key = 'ab|cd') {
	const row = rowOf(path);
	const [resource = '', operation = ''] = pathOf(row).split('.');
	const { requests } = simulator();
	requests.splice(0);
	const { items: output } = await runNode({
		credential: { ...credentialFor(simulator()), apiKey: key },
		parameters: { resource, operation, ...row.parameters, ...values },
		items,
		...CONTINUE,
	});
	const bodies = requests.map(({ body }) => body as IDataObject);
	return { output: output.map(({ json }) => json), bodies, requests };
}

const REFUSED = { details: { kind: 'invalidInput', outcome: 'notSent' } };

/** n8n-io/n8n#25821: braces; vertesia/llumiverse#462: half an emoji; nocodb/nocodb#6822: &, = and %. */
test('a message is sent character for character', async () => {
	const odd = fc.constantFrom(
		...[
			'{{ $json.secret }}',
			'={{ 1 + 1 }}',
			'{"a": {b}}',
			'$& $1',
			'a=1&b=%2B+',
			'🎉'.slice(0, 1),
			' ',
			'\r\n',
		],
	);
	const text = fc
		.array(fc.oneof(odd, fc.string({ unit: 'binary' })), { minLength: 1 })
		.map((parts) => parts.join(''))
		.filter((whole) => whole.trim() !== '');
	await fc.assert(
		fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
			const items = texts.map((one) => ({ text: one, secret: 'no' }));
			const { bodies } = await run('sms.start', { message: '={{ $json.text }}' }, items);

			expect(bodies.map(({ message }) => message)).toEqual(texts);
		}),
		{ numRuns: 20 },
	);
});

/** n8n-io/n8n#18582, n8n-io/n8n#14456: dots; n8n-io/n8n#895, langgenius/dify#38963: false, 0 and nothing. */
test('attributes keep the dots in their names, and false, 0 and nothing', async () => {
	const attributes = { 'Test 2.0': 'x', 'a.b[0]': { 'c.': false }, zero: 0, none: null, '': '' };
	const names = { values: [{ name: 'Test 2.0', value: '={{ $json.attributes.zero }}' }] };
	const path = 'msgapp.startConversation';

	const values = { specifyAttributes: 'json', attributesJson: '={{ $json.attributes }}' };
	const asJson = await run(path, values, [{ attributes }]);
	const asFields = await run(path, { specifyAttributes: 'fields', attributes: names }, [
		{ attributes },
	]);

	expect(asJson.bodies).toMatchObject([{ attributes }]);
	expect(asFields.bodies).toMatchObject([{ attributes: { 'Test 2.0': '0' } }]);
});

/** n8n-io/n8n#895, node-red/node-red#1333: false and 0 vanish; n8n-io/n8n#34409: a date is a number. */
test.each<[value: unknown, sent: unknown]>([
	[0, '0'],
	[46205, '46205'],
	['2026-07-02T00:00:00.000Z', '2026-07-02T00:00:00.000Z'],
	[false, undefined],
	[{ a: 1 }, undefined],
])('the custom field %j is sent as %j, or the item is refused', async (value, sent) => {
	const values = { customFields: { customField1: '={{ $json.value }}' } };

	const { output, bodies } = await run('call.place', values, [{ value: value as string }]);

	expect(bodies.map(({ attributes }) => attributes)).toEqual(
		sent === undefined ? [] : [{ customField1: sent }],
	);
	if (sent === undefined) expect(output).toMatchObject([REFUSED]);
});

/** n8n-io/n8n#19003, nyaruka/goflow#805: quotes and line breaks; happybara-io/WorkflowBuddy#28: curly quotes. */
test('JSON that a value breaks refuses its row alone', async () => {
	const attributesJson = '={ "customField1": "{{ $json.note }}" }';
	const notes = ['“Hello”', 'He said "yes"', 'two\nlines', ''];
	const values = { specifyAttributes: 'json', attributesJson };

	const { output, bodies } = await run(
		'call.place',
		values,
		notes.map((note) => ({ note })),
	);
	const curly = { ...values, attributesJson: '{ “customField1”: “Ada” }' };

	expect(output).toMatchObject([{ result: 'placed' }, REFUSED, REFUSED, { result: 'placed' }]);
	expect(bodies[0]?.attributes).toEqual({ customField1: '“Hello”' });
	expect(bodies.at(-1)).not.toHaveProperty('attributes');
	expect((await run('call.place', curly, [{}])).output).toMatchObject([REFUSED]);
});

/** sendgrid/sendgrid-nodejs#732: a line break; socratic-ai/cosmo-ai#4: a mark of the file; n8n-io/n8n#27287: a pipe. */
test.each(['ab|cd\n', '\ufeffab|cd', ' ab|cd\r\n'])('the pasted key %j is the key', async (key) => {
	const { output, requests } = await run('call.place', {}, [{}], key);

	expect(output).toMatchObject([{ result: 'placed' }]);
	expect(requests[0]?.headers['x-api-key']).toBe('ab|cd');
});

test.each(['ab|\ncd', 'ab|cd\u200b', '“ab|cd”'])('with the key %j nothing is sent', async (key) => {
	const { output, requests } = await run('call.place', {}, [{}], key);

	expect(output).toMatchObject([REFUSED]);
	expect(JSON.stringify(output)).not.toContain('ab|');
	expect(requests).toEqual([]);
});

/** Would-You-Bot/client#333, iamkun/dayjs#2445, JM-Lemmi/ical-relay#72: zones that are none. */
test.each<[rule: INodeParameters[string], isRead: boolean]>([
	['Europe/Berlin ', true],
	...['Berlin', 'Pakistan', 'AEST', 'W. Europe Standard Time', 'GMT+2', 'America/New York'].map(
		(zone): [string, boolean] => [zone, false],
	),
])('the time zone %j of a row is read: %j', async (zone, isRead) => {
	const contactRules = { allowedHours: '00:00-24:00', timezone: '={{ $json.zone }}' };

	const { output } = await run('call.place', { contactRules }, [{ zone }]);

	expect(output).toMatchObject([isRead ? { result: 'placed' } : REFUSED]);
});
