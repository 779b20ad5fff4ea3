import { UserError } from 'n8n-workflow';

import { useTriggers } from '../engine/webhook';

const SECRET = 'correct horse battery staple';
const credential = { webhookSecret: SECRET, webhookHeader: 'X-Webhook-Secret' };
const event = {
	summary: 'Booked.',
	transcript: 'Hi',
	callStartTime: '2026-01-01T10:00:00Z',
	callId: 'c-1',
	mood: 'good',
};

const start = useTriggers();

describe('who may post', () => {
	const inHeader = (secret: string) => ({ headers: { 'x-webhook-secret': secret } });
	const inQuery = (secret: string) => ({ query: `?secret=${encodeURIComponent(secret)}` });

	test.each([
		['the secret in the header', inHeader(SECRET)],
		['the secret in the query', inQuery(SECRET)],
		['a wrong header beside the right query', { ...inHeader('wrong'), ...inQuery(SECRET) }],
	])('%s is let in', async (_, request) => {
		const trigger = await start({ credential });

		const { status, data } = await trigger.post(event, request);

		expect(status).toBe(200);
		expect(data).toEqual({ received: true });
		expect(trigger.executions).toHaveLength(1);
		expect(JSON.stringify(trigger.executions)).not.toContain(SECRET);
	});

	test.each([
		['there is no credential', undefined],
		['its credential was deleted', new UserError('Credential with ID "1" was not found.')],
		['its secret is empty', { secret: '', headerName: 'x-webhook-secret' }],
		['its header name is empty too', { secret: ' ', headerName: '' }],
	])('everything is refused when %s', async (_, missing) => {
		const trigger = await start({ credential: missing });

		const statuses = [
			(await trigger.post(event)).status,
			(await trigger.post(event, inHeader(''))).status,
			(await trigger.post(event, inQuery(''))).status,
		];

		expect(statuses).toEqual([401, 401, 401]);
		expect(trigger.executions).toEqual([]);
	});

	test('everybody is let in when the user chose so', async () => {
		const trigger = await start({ parameters: { authentication: 'none' } });

		expect((await trigger.post(event)).status).toBe(200);
		expect(trigger.executions).toHaveLength(1);
	});
});

describe('what is accepted', () => {
	const open = () => start({ parameters: { authentication: 'none' } });

	test.each(['text/plain', 'application/octet-stream'])(
		'JSON sent as %s is understood',
		async (type) => {
			const trigger = await open();

			const { status } = await trigger.post(event, { headers: { 'content-type': type } });

			expect(status).toBe(200);
			expect(trigger.executions[0]?.[0]?.json.callId).toBe('c-1');
		},
	);

	test.each([
		['no JSON', 'summary=x', 'application/x-www-form-urlencoded'],
		['nothing', '', 'text/plain'],
		['no JSON, which n8n does not read', 'summary=x', 'application/octet-stream'],
	])('%s is refused without an execution', async (_, body, contentType) => {
		const trigger = await open();

		const { status, data } = await trigger.post(body, { headers: { 'content-type': contentType } });

		expect(status).toBe(400);
		expect(data).toMatchObject({ error: expect.stringMatching(/JSON object/) as unknown });
		expect(trigger.executions).toEqual([]);
	});
});

describe('the IP allowlist', () => {
	const post = async (ipAllowlist: string) => {
		const trigger = await start({
			parameters: { authentication: 'none', options: { ipAllowlist, ignoreRepeats: false } },
		});
		const { status } = await trigger.post(event);
		return [status, trigger.executions.length];
	};

	test.each([
		['', [200, 1]],
		['={{ "127.0.0.1" }}', [200, 1]],
		['={{ ["192.0.2.1"] }}', [403, 0]],
		['={{ { list: "192.0.2.1" } }}', [403, 0]],
		['={{ $json.notSet }}', [403, 0]],
		['={{ null }}', [403, 0]],
		['={{ "" }}', [403, 0]],
		['={{ undefined }}{{ undefined }}', [403, 0]],
		['={{ false }}', [403, 0]],
	])('%p', async (list, expected) => {
		expect(await post(list)).toEqual(expected);
	});
});
