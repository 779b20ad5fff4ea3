import axios, { type AxiosRequestConfig } from 'axios';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { bookRow } from '../../nodes/shared/book/columns';
import { createCallsLog } from '../../playground/callsLog';
import type { Seen } from '../../playground/page/beside';
import type { Row } from '../../playground/page/row';
import { startPage } from '../../playground/page/server';
import { useSimulator } from '../engine/world';
import { startOtherServer } from '../otherServer';
import { TO_NUMBER } from '../simulator/seed';
import { changed, clientOf, good, type ClientRequest } from '../simulator/testClient';
import { useEach } from '../useEach';

/** Only this path is a workflow's. */
const END_OF_CALL = '/end-of-call';
const workflowAt = async (address: string): Promise<string | undefined> =>
	await Promise.resolve(address.endsWith(END_OF_CALL) ? 'End of call' : undefined);
const OWNER = { email: 'owner@playground.example', password: 'Playground1' };

const simulator = useSimulator();

/** What n8n says of the contact book; nothing while it is away. */
let seen: Seen | undefined;
let days = 0;

const passDay = async () => {
	days++;
	await Promise.resolve();
};
const look = async () => await (seen ? Promise.resolve(seen) : Promise.reject(new Error('away')));
const page = useEach(async () => {
	seen = undefined;
	const n8n = { url: 'http://localhost:5678', ...OWNER, workflowAt, look, passDay };
	return await startPage(simulator(), n8n);
});
const url = () => page().url.replace('localhost', '127.0.0.1');

/** Any answer is one. */
const request = async (path: string, config?: AxiosRequestConfig) =>
	await axios.request<unknown>({
		...{ url: url() + path, proxy: false, validateStatus: () => true },
		...config,
	});

/** As n8n does. */
const send = async (what: ClientRequest) => await clientOf(simulator())(what);

/** What a person does; rejects if the page refuses. */
async function act(name: string, fields: Record<string, string> = {}): Promise<string> {
	const { status, data } = await request(`/actions/${name}`, { method: 'POST', data: fields });
	const { message, error } = data as { message?: string; error?: string };
	if (status !== 200 || message === undefined) throw new Error(`${status}: ${error ?? ''}`);
	return message;
}

const view = async () => (await request('/view')).data as Record<'calls' | 'lists', Row[]>;

const RESULT = { summary: 'Booked.', transcript: 'Hello', variables: '' };
const placeCall = async (toNumber: string = TO_NUMBER) =>
	((await send(changed('placeCall', { toNumber }))).data as { callId: string }).callId;
const row = (id: number, values: object) =>
	bookRow.parse({ id, createdAt: '2026-01-05T09:00:00Z', updatedAt: '', ...values });

it('ends a call: every URL is told the result, with its secret or without, and can be told again', async () => {
	const target = await startOtherServer((response) => response.end('{"received": true}'));
	const id = await placeCall();
	await expect(act('sendAgain', { id })).rejects.toThrow('400: This call has not ended.');
	await act('addWebhook', { url: `${target.baseUrl}/a`, secret: 's3cret', headerName: 'x-own' });
	await act('addWebhook', { url: `${target.baseUrl}/b`, secret: '', headerName: '' });
	for (const variables of ['no colon', ': nameless', 'callId: other', 'summary: other']) {
		await expect(act('endCall', { id, ...RESULT, variables })).rejects.toThrow('400: Variables');
	}
	const variables = 'day: Monday\n\nat : 9:00 ';
	expect(await act('endCall', { id, ...RESULT, variables })).toBe(
		'The call has ended. /a: 200. Accepted. /b: 200. Accepted.',
	);
	const callStartTime: unknown = expect.any(String);
	const event = { callId: id, callStartTime, summary: 'Booked.', transcript: 'Hello' };
	const bodies = simulator().deliveries.map(({ body }) => body);
	expect(bodies).toEqual([1, 2].map(() => ({ ...event, day: 'Monday', at: '9:00' })));
	expect(target.requests.map(({ headers }) => headers['x-own'])).toEqual(['s3cret', undefined]);
	expect(JSON.stringify(target.requests[1]?.headers)).not.toContain('s3cret');
	for (const ended of [id, 'unknown']) {
		await expect(act('endCall', { id: ended, ...RESULT })).rejects.toThrow('not going on');
	}
	await act('sendAgain', { id });
	expect(simulator().deliveries.map(({ body }) => body)).toEqual([...bodies, ...bodies]);
	for (let count = 0; count < 2; count++) await act('removeWebhook', { id: '0' });
	expect(await act('sendAgain', { id })).toContain('was not sent');
	const workflow = { url: target.baseUrl + END_OF_CALL, secret: '', headerName: '' };
	await act('addWebhook', workflow);
	expect(await act('sendAgain', { id })).toBe(
		'The event was sent again. n8n took the event: End of call.',
	);
	await target.stop();
	expect(await act('sendAgain', { id })).toMatch('End of call: 0. No answer.');
});

it('shows where the people of a list stand, ends a call that reached nobody, and lets a day pass', async () => {
	const contactId = await placeCall();
	const contactedAt = '2026-01-05T09:00:00.000Z';
	const call = { list: 'Spring', outcome: 'accepted', operation: 'call.place', contactedAt };
	const now = new Date().toISOString();
	const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
	const past = '2026-01-05T10:00:00.000Z';
	const ofLists = [
		row(9, { ...call, phone: '+2', list: 'Autumn', contactedAt: now }),
		row(14, { ...call, phone: '+8', outcome: 'claimed', contactedAt: now }),
		...[13, 12, 11].map((id) =>
			row(id, { ...call, phone: '+7', reached: 'yes', callBackAt: past }),
		),
		row(10, { ...call, phone: '+6', outcome: 'notMade' }),
		row(8, { phone: '+1', doNotContact: true }),
		row(7, { ...call, phone: '+5', operation: 'sms.start' }),
		row(6, { ...call, phone: '+5', reached: 'no' }),
		row(5, { ...call, phone: '+4', reached: 'yes', callBackAt: tomorrow }),
		row(4, { ...call, phone: '+3', contactId, contactedAt: now }),
		row(3, { ...call, phone: '+2', list: 'spring ', reached: 'yes' }),
		row(2, { ...call, phone: '+2', reached: 'no' }),
		row(1, { ...call, phone: '+1', reached: 'yes' }),
		// A crash has left these.
		...['+2', '+3', '+9'].map((phone) => row(0, { ...call, phone, outcome: 'claimed' })),
	];
	seen = { newest: [], count: 0, waits: [], ofLists };
	expect((await view()).lists).toMatchObject([
		{ title: 'Autumn', text: '1 no result', rows: [{ title: '+2' }] },
		{
			title: 'Spring',
			text: '1 call back, 1 claimed, 1 do not contact, 1 not reached, 1 rings, 2 not called, 2 reached',
			rows: [
				{ title: '+1', badge: 'Do not contact', quiet: '1 call' },
				{ title: '+2', badge: 'Reached', quiet: '2 calls' },
				{ title: '+3', badge: 'Rings', quiet: '1 call, rings' },
				{ title: '+4', badge: 'Call back', at: tomorrow },
				{ title: '+5', badge: 'Not reached', quiet: '1 call, 1 message' },
				{ title: '+6', badge: 'Not called', quiet: '0 calls' },
				{ title: '+7', badge: 'Reached', quiet: '3 calls' },
				{ title: '+8', badge: 'Claimed', quiet: '0 calls' },
				{ title: '+9', badge: 'Not called', quiet: '0 calls' },
			],
		},
	]);
	const [rings] = (await view()).calls;
	await act('endCall', rings?.actions?.[1]?.values);
	const event = simulator().state().calls[0]?.event;
	expect(event).toMatchObject({ callId: contactId, transcript: '', reached: 'no' });
	expect(await act('passDay')).toContain('A day has passed');
	expect(days).toBe(1);
});

it('shows no key and no secret, wherever it stands', async () => {
	const { apiKey } = simulator();
	const ownKey = 'somebody-has-pasted-this-key';
	await send({ ...changed('startSms', { message: `The key is ${apiKey}.` }) });
	await send({ ...good('getPrompt'), headers: { 'x-api-key': ownKey } });
	await send({ method: 'GET', path: `/v1/unknown/${ownKey}` });
	const url = 'http://me:pass-word@127.0.0.1:1/webhook?secret=in-the-query';
	await act('addWebhook', { url, secret: 'webhook-secret-1', headerName: '' });
	const summary = 'My secret is webhook-secret-1';
	await act('endCall', { id: await placeCall(), ...RESULT, summary });
	const shown = JSON.stringify([await view(), (await request('/start')).data]);
	for (const secret of [apiKey, ownKey, 'pass-word', 'in-the-query', 'webhook-secret-1']) {
		expect(shown).not.toContain(secret);
	}
	expect(shown).toContain('The key is *****.');
	expect(shown).toContain('/webhook?secret=*****');
	expect(shown).toContain('secret in x-webhook-secret');
});

const json = { 'content-type': 'application/json' };

const removeFault = async (headers: Record<string, string>, data: unknown = { id: '1' }) =>
	await request('/actions/removeFault', { method: 'POST', data, headers });

it('serves the page, which loads nothing from elsewhere', async () => {
	const { status, headers, data } = await request('/');
	expect(status).toBe(200);
	expect(headers['content-security-policy']).toContain("default-src 'none'");
	expect(data).toContain('<h1>Simulated service</h1>');
	for (const file of ['/page.js', '/page.css']) expect((await request(file)).status).toBe(200);
	expect((await request('/server.ts')).status).toBe(404);
});

it('listens on the loopback address only', async () => {
	const { port } = new URL(url());
	const other = { baseURL: `http://127.0.0.2:${port}`, url: '/' };
	await expect(request('', other)).rejects.toThrow('ECONNREFUSED');
});

it('refuses what a web site could send', async () => {
	simulator().addFault({ kind: 'html' });
	const { host, port } = new URL(url());
	for (const headers of [
		{ ...json, origin: 'https://site.example' },
		{ ...json, origin: 'null' },
		{ ...json, origin: `http://127.0.0.1:${Number(port) + 1}` },
		{ ...json, host: `site.example:${port}` },
		{ ...json, host: `127.0.0.1.site.example:${port}` },
	]) {
		expect((await removeFault(headers)).status).toBe(403);
	}
	expect((await removeFault({ 'content-type': 'text/plain' }, '{}')).status).toBe(415);
	expect((await request('/view', { headers: { host: 'site.example' } })).status).toBe(403);
	expect(simulator().faults).toHaveLength(1);
	expect((await removeFault({ ...json, origin: `http://${host}` })).status).toBe(200);
	expect(simulator().faults).toHaveLength(0);
});

it('adds the calls to a file when the service is stopped, also by force', async () => {
	const file = path.join(mkdtempSync(path.join(tmpdir(), 'calls-')), 'calls.log');
	const log = createCallsLog(simulator(), file);
	await clientOf(simulator())(changed('placeCall', { toNumber: '+4915100000002' }));
	const [call] = simulator().state().calls;

	await log.stop();
	await log.kill();

	const line = `${new Date(call?.startedAt ?? 0).toISOString()} +4915100000002 ${call?.id}\n`;
	expect(readFileSync(file, 'utf8')).toBe(line + line);
});
