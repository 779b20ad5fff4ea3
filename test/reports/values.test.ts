import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { anyText } from '../anyText';
import { CONTINUE } from '../engine/contacts';
import { runNode } from '../engine/engine';
import { credentialFor, useSimulator } from '../engine/world';
import { rowOf } from '../operations';
import { pathOf } from '../operations/row';
import type { Reports } from './report';

/** n8n-io/n8n#27287: a pipe in a key. */
const KEY = 'ab|cd';

const simulator = useSimulator({ apiKey: KEY });

/** What the node puts out for an operation with these values, and what the service got. */
async function run(path: string, values: INodeParameters, items: IDataObject[], key = KEY) {
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

const NOT_SENT = { details: { kind: 'invalidInput', outcome: 'notSent' } };

/** What stands in texts and settings, by the reports in README.md. */
const odd = fc.constantFrom(
	...['{{ $json.secret }}', '={{ 1 + 1 }}', '{"a": {b}}', '$& $1', 'a=1&b=%2B+'],
	...['🎉'.slice(0, 1), ' ', '\r\n'],
);

/** n8n-io/n8n#25821: braces; vertesia/llumiverse#462: half an emoji; nocodb/nocodb#6822: &=%. */
const message = fc
	.array(fc.oneof(odd, anyText), { minLength: 1 })
	.map((parts) => parts.join(''))
	.filter((whole) => whole.trim() !== '');

test('a message is sent character for character', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 20 }), async (texts) => {
			const items = texts.map((one) => ({ text: one, secret: 'no' }));
			const { bodies } = await run('sms.start', { message: '={{ $json.text }}' }, items);

			expect(bodies.map(({ message }) => message)).toEqual(texts);
		}),
		{ numRuns: 20 },
	);
});

/**
 * CodeforAustralia/school-finder#20: an error of a spreadsheet; keymetrics/pm2-plus-tech-questions#154: a
 * date that is none. What stands in a text where something else was meant; nobody gets it.
 */
const LOST_IN_TEXTS: readonly (readonly [entered: string, item: IDataObject])[] = [
	['=Hello {{ $json.name }}', { name: '#N/A' }],
	['={{ $json.name }}', { name: '#REF!' }],
	['={{ "On " + new Date($json.on) }}', { on: 'tomorrow' }],
	['=On {{ DateTime.fromISO($json.on).toISODate() ?? DateTime.fromISO($json.on) }}', { on: 'x' }],
];

test.each(LOST_IN_TEXTS)('the message %s is sent to nobody of %j', async (entered, item) => {
	const { output, bodies } = await run('sms.start', { message: entered }, [item]);

	expect(output).toMatchObject([
		{ ...NOT_SENT, error: expect.stringMatching(/^Message: .*"(?:#|Invalid Date)/) as unknown },
	]);
	expect(bodies).toEqual([]);
});

test.each(LOST_IN_TEXTS)('a question of %s is sent, whatever %j quotes', async (entered, item) => {
	const { bodies } = await run('chat.start', { question: entered }, [item]);

	expect(bodies).toMatchObject([
		{ question: expect.stringMatching(/#N\/A|#REF!|Invalid Date/) as unknown },
	]);
});

/**
 * marcoarment/secondcrack#27: line breaks of other systems; Pagefind/pagefind#557: a line of what
 * prints nothing. Texts of two paragraphs.
 */
const TWO_PARAGRAPHS = ['One\r\rTwo', 'One\r\n\r\nTwo', 'One\n\u200b\nTwo', 'One\n \nTwo'];

test.each(TWO_PARAGRAPHS)('%j is two paragraphs', async (text) => {
	const values = { paragraphSource: 'text', text: '={{ $json.text }}' };

	const { bodies } = await run('knowledgeBase.addParagraphs', values, [{ text }]);

	expect(JSON.stringify(bodies)).toMatch(/"One"\W.*"Two"/);
});

/**
 * n8n-io/n8n#18582, n8n-io/n8n#14456: dots; n8n-io/n8n#895, langgenius/dify#38963: false, 0 and
 * nothing.
 */
const attributes: IDataObject = {
	'Test 2.0': 'x',
	'a.b[0]': { 'c.': false },
	zero: 0,
	none: null,
	'': '',
};

/** Two ways to enter {@link attributes}, or one of them, and what is sent. */
const ATTRIBUTES: readonly (readonly [values: INodeParameters, sent: IDataObject])[] = [
	[{ specifyAttributes: 'json', attributesJson: '={{ $json.attributes }}' }, attributes],
	[
		{
			specifyAttributes: 'fields',
			attributes: { values: [{ name: 'Test 2.0', value: '={{ $json.attributes.zero }}' }] },
		},
		{ 'Test 2.0': '0' },
	],
];

test.each(ATTRIBUTES)('attributes of %j are sent as %j', async (values, sent) => {
	const { bodies } = await run('msgapp.startConversation', values, [{ attributes }]);

	expect(bodies).toMatchObject([{ attributes: sent }]);
});

/**
 * n8n-io/n8n#895, node-red/node-red#1333: false and 0 vanish; n8n-io/n8n#34409: a date is a number.
 * What is sent of the values of a custom field; nothing if the item is refused.
 */
const CUSTOM_FIELDS: readonly (readonly [value: IDataObject[string], sent: string | undefined])[] =
	[
		[0, '0'],
		[46205, '46205'],
		['2026-07-02T00:00:00.000Z', '2026-07-02T00:00:00.000Z'],
		[false, undefined],
		[{ a: 1 }, undefined],
	];

test.each(CUSTOM_FIELDS)(
	'the custom field %j is sent as %j, or the item is refused',
	async (value, sent) => {
		const values = { customFields: { customField1: '={{ $json.value }}' } };

		const { output, bodies } = await run('call.place', values, [{ value }]);

		expect(bodies.map(({ attributes }) => attributes)).toEqual(
			sent === undefined ? [] : [{ customField1: sent }],
		);
		if (sent === undefined) expect(output).toMatchObject([NOT_SENT]);
	},
);

/** happybara-io/WorkflowBuddy#28: curly quotes. */
const CURLY_JSON = '{ “customField1”: “Ada” }';

const JSON_OF_NOTE = '={ "customField1": "{{ $json.note }}" }';

/**
 * n8n-io/n8n#19003, nyaruka/goflow#805: quotes and line breaks. The attributes that are sent with
 * each note, or that its item is refused.
 */
const NOTES: readonly (readonly [note: string, sent: IDataObject | 'no attributes' | 'refused'])[] =
	[
		['“Hello”', { customField1: '“Hello”' }],
		['He said "yes"', 'refused'],
		['two\nlines', 'refused'],
		['', 'no attributes'],
	];

test('JSON that a value breaks refuses its row alone', async () => {
	const values = { specifyAttributes: 'json', attributesJson: JSON_OF_NOTE };
	const items = NOTES.map(([note]) => ({ note }));

	const { output, bodies } = await run('call.place', values, items);
	const curly = { ...values, attributesJson: CURLY_JSON };

	expect(output).toMatchObject(
		NOTES.map(([, sent]) => (sent === 'refused' ? NOT_SENT : { result: 'placed' })),
	);
	expect(bodies.map((body) => body.attributes ?? 'no attributes')).toEqual(
		NOTES.map(([, sent]) => sent).filter((sent) => sent !== 'refused'),
	);
	expect((await run('call.place', curly, [{}])).output).toMatchObject([NOT_SENT]);
});

/** sendgrid/sendgrid-nodejs#732: a line break; socratic-ai/cosmo-ai#4: a mark of the file. */
const PASTED_KEYS = ['ab|cd\n', '\ufeffab|cd', ' ab|cd\r\n'];

test.each(PASTED_KEYS)('the pasted key %j is the key', async (key) => {
	const { output, requests } = await run('call.place', {}, [{}], key);

	expect(output).toMatchObject([{ result: 'placed' }]);
	expect(requests[0]?.headers['x-api-key']).toBe(KEY);
});

const BROKEN_KEYS = ['ab|\ncd', 'ab|cd\u200b', '“ab|cd”'];

test.each(BROKEN_KEYS)('with the key %j nothing is sent', async (key) => {
	const { output, requests } = await run('call.place', {}, [{}], key);

	expect(output).toMatchObject([NOT_SENT]);
	expect(JSON.stringify(output)).not.toContain('ab|');
	expect(requests).toEqual([]);
});

const RULES_OF_ZONE: INodeParameters = {
	allowedHours: '00:00-24:00',
	timezone: '={{ $json.zone }}',
};

/** Would-You-Bot/client#333, iamkun/dayjs#2445, JM-Lemmi/ical-relay#72: zones that are none. */
const ZONES: readonly (readonly [zone: string, isRead: boolean])[] = [
	['Europe/Berlin ', true],
	['Berlin', false],
	['Pakistan', false],
	['AEST', false],
	['W. Europe Standard Time', false],
	['GMT+2', false],
	['America/New York', false],
];

test.each(ZONES)('the time zone %j of a row is read: %j', async (zone, isRead) => {
	const { output } = await run('call.place', { contactRules: RULES_OF_ZONE }, [{ zone }]);

	expect(output).toMatchObject([isRead ? { result: 'placed' } : NOT_SENT]);
});

const byNumber = { allowedHours: '00:00-24:00', timezoneFromNumber: '={{ $json.cell }}' };

/** A rule with a cell that is empty, or text: nobody is called. */
const CELLS: Reports<[rules: INodeParameters, item: IDataObject]> = [
	['n8n-io/n8n#17147', { atMostPerRun: '={{ $json.cell }}' }, { cell: null }],
	['docs.simplified-webhooks.com/field-types', byNumber, {}],
	['isaacphi/mcp-gdrive#22', byNumber, { cell: "'TRUE" }],
];

test.each(CELLS)('%s: with the rule %j, %j is refused', async (_, contactRules, item) => {
	const { output, requests } = await run('call.place', { contactRules }, [item]);

	expect(output).toMatchObject([NOT_SENT]);
	expect(requests).toEqual([]);
});
