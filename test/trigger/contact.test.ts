import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { useFastClock } from '../engine/fastClock';
import { until } from '../until';
import { BOOK, ROW, SERVICE, useBookOfTrigger, WEBHOOK } from './bookOfTrigger';

useFastClock();
const { tables, prepare, start } = useBookOfTrigger();

const CALL = { callId: 'call-1', summary: 'All is well', transcript: 'Hello' };

const { phone, reference, operation, contactedAt, workflow, execution } = ROW;
const CONTACT = { phone, reference, operation, contactedAt, workflow, execution };

const rows = () => tables().table(BOOK).rows;

test('says whose call it was, and completes the row', async () => {
	await prepare(ROW);
	const trigger = await start();
	const before = Date.now();

	expect((await trigger.post(CALL)).status).toBe(200);

	expect(trigger.executions).toMatchObject([[{ json: { callId: 'call-1', contact: CONTACT } }]]);
	expect(rows()).toMatchObject([{ ...ROW, summary: 'All is well' }]);
	const endedAt = Date.parse(String(rows()[0]?.endedAt));
	expect(endedAt).toBeGreaterThanOrEqual(before);
	expect(endedAt).toBeLessThanOrEqual(Date.now());
	expect(trigger.log).toEqual([]);
});

test('looks once more: the event can be faster than the row', async () => {
	await prepare();
	const trigger = await start();

	const posted = trigger.post(CALL);
	const isRead = () =>
		tables().requests.some(({ path, status }) => path.includes('/rows') && status === 200);
	await until(isRead);
	expect(trigger.executions).toEqual([]);
	tables().table(BOOK).insert(ROW);

	expect((await posted).status).toBe(200);
	expect(trigger.executions).toMatchObject([[{ json: { contact: CONTACT } }]]);
	expect(rows()).toMatchObject([{ summary: 'All is well' }]);
});

test('without a row, the contact is null', async () => {
	await prepare({ ...ROW, contactId: 'call-2' });
	const trigger = await start();

	await trigger.post(CALL);

	expect(trigger.executions).toMatchObject([[{ json: { callId: 'call-1', contact: null } }]]);
	expect(rows()).toMatchObject([{ endedAt: null, summary: null }]);
	expect(trigger.log).toEqual([]);
});

test.each([undefined, 'N/A', '', 0])('without a call ID (%p) nobody is asked', async (callId) => {
	await prepare({ ...ROW, contactId: 'N/A' });
	const trigger = await start();
	tables().requests.splice(0);

	await trigger.post({ ...CALL, callId });

	expect(trigger.executions).toMatchObject([[{ json: { contact: null } }]]);
	expect(tables().requests).toEqual([]);
});

test('the raw output stays as it was sent, and the row is completed', async () => {
	await prepare(ROW);
	const trigger = await start({ options: { output: 'raw' } });

	await trigger.post(CALL);

	expect(trigger.executions).toEqual([[{ json: CALL }]]);
	expect(rows()).toMatchObject([{ summary: 'All is well' }]);
});

test.each([
	['2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z'],
	[1772359200000, '1772359200000'],
	[undefined, null],
])('the begin of the call is kept as text: %j', async (callStartTime, written) => {
	await prepare(ROW);
	const trigger = await start();

	await trigger.post({ ...CALL, callStartTime });

	expect(rows()[0]?.callStartTime).toBe(written);
});

test.each([
	['a long one is cut', 'x'.repeat(50_000), 'x'.repeat(2_000)],
	['a sign of two parts is not cut in the middle', `${'x'.repeat(1_999)}😀`, 'x'.repeat(1_999)],
	['one that is no text is left out', { text: 'x' }, null],
	['none is left out', undefined, null],
])('the summary: %s', async (_, summary, written) => {
	await prepare(ROW);
	const trigger = await start();

	await trigger.post({ ...CALL, summary });

	expect(rows()[0]?.summary === written).toBe(true);
	expect(rows()[0]?.endedAt).not.toBeNull();
	expect(trigger.executions).toMatchObject([[{ json: { contact: CONTACT } }]]);
});

test('of several rows with the call ID, all are completed, and the newest counts', async () => {
	await prepare(ROW, { ...ROW, reference: 'crm-2' });
	const trigger = await start();

	await trigger.post(CALL);

	expect(trigger.executions).toMatchObject([[{ json: { contact: { reference: 'crm-2' } } }]]);
	expect(rows()).toMatchObject([{ summary: 'All is well' }, { summary: 'All is well' }]);
});

test('a row that people have edited is put out as far as it can be read', async () => {
	await prepare({ phone: null, contactId: 'call-1', outcome: 'by hand' });
	const trigger = await start();

	await trigger.post(CALL);

	const none = Object.fromEntries(Object.keys(CONTACT).map((name) => [name, null]));
	expect(trigger.executions).toMatchObject([[{ json: { contact: none } }]]);
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
		await prepare(ROW);
		const trigger = await start({}, change());

		expect((await trigger.post(CALL)).status).toBe(200);

		expect(trigger.executions).toMatchObject([[{ json: { callId: 'call-1', contact: null } }]]);
		expect(trigger.log).toMatchObject([
			{ level: 'warn', text: expect.stringMatching(warning) as string },
		]);
		expect(JSON.stringify(trigger.log)).not.toContain(tables().apiKey);
	});

	test('if n8n answers with an error that repeats keys and secret', async () => {
		await prepare(ROW);
		const secrets = [tables().apiKey, SERVICE.apiKey, WEBHOOK.webhookSecret];
		tables().fail({ answer: { status: 500, body: { message: `broken: ${secrets.join()}` } } });
		const trigger = await start();

		await trigger.post(CALL);

		expect(trigger.executions).toMatchObject([[{ json: { contact: null } }]]);
		expect(trigger.log[0]?.text).toContain('broken: *****,*****,*****');
	});
});

test('if only the row cannot be completed, the contact is put out', async () => {
	await prepare(ROW);
	tables().fail({ when: ({ method }) => method === 'PATCH', answer: { status: 500 } });
	const trigger = await start();

	await trigger.post(CALL);

	expect(trigger.executions).toMatchObject([[{ json: { contact: CONTACT } }]]);
	expect(trigger.log).toMatchObject([{ level: 'warn' }]);
});

test('a table that was made anew is found again', async () => {
	await prepare(ROW);
	const trigger = await start();
	await trigger.post(CALL);
	tables().dropTable(BOOK);
	await prepare({ ...ROW, contactId: 'call-2' });

	await trigger.post({ ...CALL, callId: 'call-2' });
	await trigger.post({ ...CALL, callId: 'call-2', summary: 'again' });

	expect(trigger.executions).toMatchObject([[{}], [{ json: { contact: CONTACT } }]]);
});

test.each([
	['a contact book', {}, { contactBook: false }],
	['a credential', { authentication: 'none' }, {}],
])('without %s there is no contact and no request', async (_, parameters, changes) => {
	await prepare(ROW);
	const trigger = await start(parameters, changes);
	tables().requests.splice(0);

	await trigger.post(CALL);

	expect(trigger.executions[0]?.[0]?.json).not.toHaveProperty('contact');
	expect(tables().requests).toEqual([]);
});
