import fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { useFastClock } from '../engine/fastClock';
import { until } from '../until';
import { CALL, jsonOf, ROW, SERVICE, useBookOfTrigger, WEBHOOK } from './bookOfTrigger';

useFastClock();
const { tables, rows, add, start, deliver } = useBookOfTrigger();

const { phone, reference, operation, contactedAt, workflow, execution } = ROW;
const CONTACT = { phone, reference, operation, contactedAt, workflow, execution, list: null };

test('says whose call it was, and completes the row', async () => {
	add(ROW);
	const trigger = await start();
	const before = Date.now();

	expect((await trigger.post(CALL)).status).toBe(200);

	expect(jsonOf(trigger)).toMatchObject([{ callId: 'call-1', contact: CONTACT }]);
	expect(rows()).toMatchObject([{ ...ROW, summary: 'All is well' }]);
	const endedAt = Date.parse(String(rows()[0]?.endedAt));
	expect(endedAt).toBeGreaterThanOrEqual(before);
	expect(endedAt).toBeLessThanOrEqual(Date.now());
	expect(trigger.log).toEqual([]);
});

test('looks once more: the event can be faster than the row', async () => {
	const trigger = await start();

	const before = Date.now();
	const posted = trigger.post(CALL);
	const isRead = () =>
		tables().requests.some(({ path, status }) => path.includes('/rows') && status === 200);
	await until(isRead);
	expect(trigger.executions).toEqual([]);
	add(ROW);

	expect((await posted).status).toBe(200);
	expect(Date.now() - before).toBeGreaterThan(1_900);
	expect(jsonOf(trigger)).toMatchObject([{ contact: CONTACT }]);
	expect(rows()).toMatchObject([{ summary: 'All is well' }]);
});

test.each([undefined, 'N/A', '', 0])('without a call ID (%p) nobody is asked', async (callId) => {
	const trigger = await deliver({ callId }, [{ ...ROW, contactId: 'N/A' }]);

	expect(jsonOf(trigger)).toMatchObject([{ contact: null }]);
	expect(tables().requests).toEqual([]);
});

test('the raw output stays as it was sent, and the row is completed', async () => {
	const options = { output: 'raw', reachedProperty: 'analysis.reached' };
	const event = { analysis: { reached: 'yes' } };

	const trigger = await deliver(event, [ROW], { options });

	expect(trigger.executions).toEqual([[{ json: { ...CALL, ...event } }]]);
	expect(rows()).toMatchObject([{ summary: 'All is well', reached: 'yes' }]);
});

const ENDED = { endedAt: '2026-03-01T10:00:00.000Z', summary: 'Old' };
const MESSAGE = { operation: 'sms.start' };
const NEW = CALL.summary;

test.each<[rows: object[], summaries: (string | null)[], contact: number]>([
	[[{}, {}], [null, NEW], 1],
	[[ENDED, {}], ['Old', NEW], 1],
	[[{}, ENDED], [NEW, 'Old'], 0],
	[[{}, {}, ENDED], [null, NEW, 'Old'], 1],
	[[ENDED, ENDED], ['Old', 'Old'], 1],
	[[ENDED, { ...ENDED, summary: ' ' }], ['Old', NEW], 1],
	[[{}, MESSAGE], [NEW, null], 0],
	// One contact, which n8n has added twice.
	[[{ claim: 'a.1' }, { claim: 'b.1' }, { claim: 'b.1' }], [null, NEW, NEW], 2],
])(
	'of several rows with its ID, a call ends the newest without an end: %j',
	async (made, summaries, index) => {
		const all = made.map((row, place) => ({ ...ROW, reference: `crm-${place}`, ...row }));

		const trigger = await deliver({}, all);

		expect(jsonOf(trigger)).toMatchObject([{ contact: { reference: `crm-${index}` } }]);
		expect(rows().map(({ summary }) => summary)).toEqual(summaries);
	},
);

test('a repeat belongs to the newest row, and fills what is blank there', async () => {
	const trigger = await deliver({ summary: ' ', callStartTime: '' }, [ROW, ROW]);
	const [, first] = rows();

	await trigger.post({ ...CALL, callStartTime: '10:00', mood: 'good' });
	await trigger.post({ ...CALL, summary: 'Another', callStartTime: '11:00', mood: 'bad' });

	const filled = { summary: NEW, callStartTime: '10:00', variables: '{"mood":"good"}' };
	expect(rows()).toMatchObject([
		{ endedAt: null, summary: null },
		{ endedAt: first?.endedAt, ...filled },
	]);
	expect(trigger.executions).toHaveLength(1);
});

test('events of a call, in any order, leave what each column was told first', async () => {
	const texts: (readonly [sent: unknown, written: string | null])[] = [
		...[undefined, null, '', ' '].map((none) => [none, null] as const),
		...[{ a: 1 }, ['x'], 0, false].map((value) => [value, JSON.stringify(value)] as const),
		['text', 'text'],
	];
	const text = fc.constantFrom(...texts);
	const events = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 4 });
	const trigger = await start();
	let calls = 0;
	await fc.assert(
		fc.asyncProperty(events, async (sent) => {
			const callId = `call-${calls++}`;
			add({ ...ROW, contactId: callId });
			for (const [[summary], [callStartTime]] of sent)
				await trigger.post({ callId, summary, callStartTime });

			const first = (column: 0 | 1): string | null =>
				sent.map((pair) => pair[column][1]).find((written) => written !== null) ?? null;
			expect(rows().at(-1)).toMatchObject({ summary: first(0), callStartTime: first(1) });
		}),
		{ numRuns: 15 },
	);
});

test('an event costs one look at its row, and one change; a repeat without news no change', async () => {
	const trigger = await deliver();
	const ofRows = (): string[] =>
		tables()
			.requests.filter(({ path }) => path.includes('/rows'))
			.map(({ method }) => method);

	expect(ofRows()).toEqual(['GET', 'PATCH']);
	await trigger.post(CALL);
	expect(ofRows()).toEqual(['GET', 'PATCH', 'GET']);
});

test.each([
	['Spring', 'Spring'],
	['', null],
	[' ', null],
])('the list of the contact (%j) is put out as %j', async (list, output) => {
	const trigger = await deliver({}, [{ ...ROW, list }]);

	expect(jsonOf(trigger)).toMatchObject([{ contact: { list: output } }]);
});

const LIST = 'dataTable:list';

describe('the event is not lost, and the log has a warning without the key', () => {
	test.each<[string, () => ICredentialDataDecryptedObject, RegExp]>([
		['the key is wrong', () => ({ n8nApiKey: 'wrong' }), /does not accept the API key/],
		['the switch cannot be read', () => ({ contactBook: '' }), /Contact Book of the credential/],
		['there is no address', () => ({ n8nUrl: '' }), /n8n URL of the credential/],
		['it is nested', () => ({ baseUrl: `${tables().baseUrl}/service` }), /cannot be reached/],
		['a scope is missing', () => ({ n8nApiKey: tables().keyWithout(LIST) }), /dataTable:list/],
	])('if %s', async (_, change, warning) => {
		add(ROW);
		const trigger = await start({}, change());

		expect((await trigger.post(CALL)).status).toBe(200);

		expect(jsonOf(trigger)).toMatchObject([{ callId: 'call-1', contact: null }]);
		expect(trigger.log).toEqual([expect.stringMatching(warning)]);
		expect(JSON.stringify(trigger.log)).not.toContain(tables().apiKey);
	});

	test('if n8n answers with an error that repeats keys and secret', async () => {
		const secrets = [tables().apiKey, SERVICE.apiKey, WEBHOOK.webhookSecret];
		tables().fail({ answer: { status: 500, body: { message: `broken: ${secrets.join()}` } } });

		const trigger = await deliver();

		expect(jsonOf(trigger)).toMatchObject([{ contact: null }]);
		expect(trigger.log[0]).toContain('broken: *****,*****,*****');
	});
});

test('if only the row cannot be completed, the contact is put out', async () => {
	tables().fail({ when: ({ method }) => method === 'PATCH', answer: { status: 500 } });

	const trigger = await deliver();

	expect(jsonOf(trigger)).toMatchObject([{ contact: CONTACT }]);
	expect(trigger.log).toHaveLength(1);
});

test.each([
	['a contact book', {}, { contactBook: false }],
	['a credential', { authentication: 'none' }, {}],
])('without %s there is no contact and no request', async (_, parameters, changes) => {
	const trigger = await deliver({}, [ROW], parameters, changes);

	expect(jsonOf(trigger)[0]).not.toHaveProperty('contact');
	expect(tables().requests).toEqual([]);
});
