import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { UNKNOWN_USER } from '../../nodes/AssistantService/testCredential';
import { bookRow } from '../../nodes/shared/book/columns';
import { createCallsLog } from '../../playground/callsLog';
import { startOtherServer } from '../otherServer';
import { KNOWN_USER, TO_NUMBER } from '../simulator/seed';
import { changed, clientOf, elsewhere, good } from '../simulator/testClient';
import { END_OF_CALL, usePage } from './page';

const { simulator, url, request, hasSeen, days, send, act, view } = usePage();

const RESULT = { summary: 'Booked.', transcript: 'Hello', variables: '' };
const placeCall = async (toNumber: string = TO_NUMBER) =>
	((await send(changed('placeCall', { toNumber }))).data as { callId: string }).callId;
const row = (id: number, values: object) =>
	bookRow.parse({ id, createdAt: '2026-01-05T09:00:00Z', updatedAt: '', ...values });
const containing = (text: string): unknown => expect.stringContaining(text);

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

it('shows calls, those that go on first, and what can be done with each', async () => {
	await send(changed('placeCall', { priority: 2, attributes: { customField1: 'Ada' } }));
	await send(changed('placeCall', { toNumber: '+4915100000002', priority: 0 }));
	const [low, high] = (await view()).calls;
	expect(low).toMatchObject({ badge: 'Rings', quiet: 'low priority' });
	expect(high).toMatchObject({
		...{ title: TO_NUMBER, badge: 'Rings', quiet: 'high priority' },
		parts: [
			{ title: 'Call ID', text: high?.id },
			{ title: 'Custom fields', text: '{\n  "customField1": "Ada"\n}' },
		],
		actions: [
			{ label: `End call to ${TO_NUMBER}`, opens: 'end', values: { id: high?.id } },
			{ label: `Not reached: ${TO_NUMBER}`, does: 'endCall' },
		],
	});
	expect(await view()).toMatchObject({
		headline: '2 calls ring, 0 executions wait',
		facts: '2 requests, 2 acted on, 2 different people reached, 0 events sent',
	});
	await act('endCall', { id: high?.id ?? '', ...RESULT });
	expect((await view()).calls).toMatchObject([
		{ badge: 'Rings', title: '+4915100000002' },
		{
			badge: 'Ended',
			parts: [{}, {}, { text: containing('Booked.') }],
			actions: [{ does: 'sendAgain' }],
		},
	]);
});

it('shows for which calls an execution waits, and ends all of them at once', async () => {
	const [first, second] = [await placeCall(), await placeCall('+4915100000002')];
	await placeCall('+4915100000003');
	const rows = [first, second, 'of before'].map((contactId, id) => row(id, { contactId }));
	const url = 'http://localhost:5678/workflow/W/executions/7';
	hasSeen({ waits: [{ id: '7', name: 'Report', url, rows }] });

	const { headline, calls } = await view();
	expect(headline).toBe('3 calls ring, 1 execution waits');
	expect(calls).toMatchObject([
		{
			...{ title: 'Report', badge: 'Waits', text: 'for 3 calls', link: 'Execution 7', href: url },
			actions: [{ text: 'End all calls', does: 'endAllCalls', values: { id: '7' } }],
			rows: [
				{ title: TO_NUMBER, badge: 'Rings', actions: [{ opens: 'end' }, { does: 'endCall' }] },
				{ title: '+4915100000002', badge: 'Rings' },
				{ badge: 'Lost' },
			],
		},
		{ title: '+4915100000003', badge: 'Rings' },
	]);
	await expect(act('endAllCalls', { id: '8' })).rejects.toThrow('400: No call of this execution');
	const target = await startOtherServer((response) => response.end('{"received": true}'));
	const webhook = { url: target.baseUrl + END_OF_CALL, secret: '', headerName: '' };
	await act('addWebhook', webhook);
	expect(await act('endAllCalls', { id: '7' })).toBe(
		'Calls that have ended: 2. n8n took the event: End of call.',
	);
	await target.stop();
	expect(simulator().deliveries.map(({ body }) => body)).toMatchObject([
		{ callId: first },
		{ callId: second },
	]);
	const [group, still] = (await view()).calls;
	expect(group).toMatchObject({ actions: [], rows: [{ badge: 'Ended' }, { badge: 'Ended' }, {}] });
	expect(still).toMatchObject({ badge: 'Rings' });
	await expect(act('endAllCalls', { id: '7' })).rejects.toThrow('400: No call of this execution');
});

it('shows the newest rows of the contact book, by their calls or their outcome', async () => {
	expect((await view()).contacts).toMatchObject([
		{ title: containing('not show its contact book') },
	]);
	const contactId = await placeCall();
	const contactedAt = '2026-01-05T09:00:00.000Z';
	const ringing = row(6, { phone: TO_NUMBER, contactId, contactedAt, operation: 'call.place' });
	const newest = [
		ringing,
		row(5, { doNotContact: true, outcome: 'accepted', contactId }),
		row(4, { outcome: 'accepted', endedAt: contactedAt, summary: 'Booked.', reference: 'C-1' }),
		row(3, { outcome: 'accepted' }),
		row(2, { outcome: 'unknown' }),
	];
	const waits = [{ id: '7', name: 'Report', url: '', rows: [ringing] }];
	hasSeen({ newest, count: 25, waits });
	expect((await view()).contacts).toMatchObject([
		{
			...{ title: TO_NUMBER, badge: 'Rings', tone: 'busy', at: contactedAt },
			quiet: 'call.place, execution 7 waits',
		},
		{ badge: 'Do not contact', tone: 'bad' },
		{ badge: 'Ended', text: 'Booked.', quiet: 'C-1', at: '' },
		{ badge: 'accepted', tone: 'good' },
		{ badge: 'unknown', tone: 'bad' },
		{ title: 'and 20 others' },
	]);
});

it('shows where the people of a list stand, ends a call that reached nobody, and lets a day pass', async () => {
	const contactId = await placeCall();
	const contactedAt = '2026-01-05T09:00:00.000Z';
	const call = { list: 'Spring', outcome: 'accepted', operation: 'call.place', contactedAt };
	const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
	const ofLists = [
		row(9, { phone: '+2', list: 'Autumn', outcome: 'accepted', operation: 'call.place' }),
		row(8, { phone: '+1', doNotContact: true }),
		row(7, { ...call, phone: '+5', operation: 'sms.start' }),
		row(6, { ...call, phone: '+5', reached: 'no' }),
		row(5, { ...call, phone: '+4', reached: 'yes', callBackAt: tomorrow }),
		row(4, { ...call, phone: '+3', contactId }),
		row(3, { ...call, phone: '+2', list: 'spring ', reached: 'yes' }),
		row(2, { ...call, phone: '+2', reached: 'no' }),
		row(1, { ...call, phone: '+1', reached: 'yes' }),
	];
	hasSeen({ ofLists });
	expect((await view()).lists).toMatchObject([
		{ title: 'Autumn', text: '1 no result', rows: [{ title: '+2' }] },
		{
			title: 'Spring',
			text: '1 call back, 1 do not contact, 1 not reached, 1 reached, 1 rings',
			rows: [
				{ title: '+1', badge: 'Do not contact', quiet: '1 call' },
				{ title: '+2', badge: 'Reached', quiet: '2 calls' },
				{ title: '+3', badge: 'Rings' },
				{ title: '+4', badge: 'Call back' },
				{ title: '+5', badge: 'Not reached', quiet: '1 call, 1 message' },
			],
		},
	]);
	const [rings] = (await view()).calls;
	await act('endCall', rings?.actions?.[1]?.values);
	const event = simulator().state().calls[0]?.event;
	expect(event).toMatchObject({ callId: contactId, transcript: '', reached: 'no' });
	expect(await act('passDay')).toContain('A day has passed');
	expect(days()).toBe(1);
});

it('shows the newest 200 requests, what became of them, and the test of a credential, whose 404 is good', async () => {
	for (let index = 0; index < 210; index++) await send(good('getPrompt'));
	await send(changed('placeCall', { toNumber: '<b>no number</b>' }));
	const test = elsewhere(good('getConversation'), KNOWN_USER, UNKNOWN_USER);
	await send(test);
	await send({ ...test, headers: { 'x-api-key': 'wrong' } });
	const { requests } = await view();
	expect(requests).toHaveLength(201);
	expect(requests[200]).toEqual({ id: 'others', title: 'and 13 others' });
	expect(requests.slice(0, 4)).toMatchObject([
		{ id: '212', badge: '401', tone: 'bad', text: containing('credential: not passed') },
		{ id: '211', badge: '404', tone: 'good', text: containing('credential: passed') },
		{
			...{ id: '210', title: 'placeCall', badge: '400', tone: 'bad' },
			text: '<b>no number</b> not acted on',
			parts: [{ text: containing('<b>no number</b>') }],
		},
		{ id: '209', badge: '200', tone: 'good', text: containing('acted on') },
	]);
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

it('a fault for one number spares the others, however the number is written', async () => {
	const switchOn = async (fields: Record<string, string>) =>
		await act('addFault', { fault: 'badValues', seconds: '3', times: '', toNumber: '', ...fields });
	const toNumber = '+4915112345678';
	await expect(switchOn({ toNumber: 'Ada' })).rejects.toThrow(
		'400: Number: enter digits, with or without +.',
	);
	await expect(switchOn({ times: '0' })).rejects.toThrow(
		'400: Requests: enter a number from 1 to 10000.',
	);
	expect(await switchOn({ toNumber })).toBe(
		'Switched on: Refuses the values with 400, for +4915112345678.',
	);
	const statuses = [toNumber, '+4915112345679', '4915112345678'].map(
		async (to) => (await send(changed('placeCall', { toNumber: to }))).status,
	);
	expect(await Promise.all(statuses)).toEqual([400, 201, 400]);
});

const json = { 'content-type': 'application/json' };

const reset = async (headers: Record<string, string>, data: unknown = {}) =>
	await request('/actions/reset', { method: 'POST', data, headers });

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
		expect((await reset(headers)).status).toBe(403);
	}
	expect((await reset({ 'content-type': 'text/plain' }, '{}')).status).toBe(415);
	expect((await request('/view', { headers: { host: 'site.example' } })).status).toBe(403);
	expect(simulator().faults).toHaveLength(1);
	expect((await reset({ ...json, origin: `http://${host}` })).status).toBe(200);
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
