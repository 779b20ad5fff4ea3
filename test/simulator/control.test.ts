import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import axios from 'axios';
import { TO_NUMBER } from './seed';
import { changed, clientOf, good, useService } from './testClient';

const { simulator, send } = useService();

/** As another process uses it: without a key. */
const control = (method: string, path: string, data?: unknown) =>
	axios.request<unknown>({
		url: simulator().baseUrl.replace('/api', `/control/${path}`),
		method,
		data,
		proxy: false,
		validateStatus: () => true,
	});

it('sums up who was reached how often, without recording itself', async () => {
	const call = (toNumber: string) => send(changed('placeCall', { toNumber }));
	await call('+4915100000001');
	await call('+4915100000002');
	await call('+4915100000002');
	await call('not a number');
	await send(good('getPrompt'));
	await send({ method: 'GET', path: '/v1/unknown' });

	const { status, data } = await control('GET', 'summary');

	expect(status).toBe(200);
	expect(data).toEqual({
		endpoints: {
			placeCall: { arrived: 4, processed: 3 },
			getPrompt: { arrived: 1, processed: 1 },
			none: { arrived: 1, processed: 0 },
		},
		recipients: { total: 2, once: 1, moreThanOnce: 1 },
		peakInFlight: 1,
	});
	expect(simulator().requests).toHaveLength(6);
});

it('lists what arrived, in order, with its time in milliseconds since the epoch', async () => {
	const now = Date.now();
	await send(good('placeCall'));
	simulator().addFault({ kind: 'rateLimited', times: 1 });
	await send(good('getPrompt'));
	await send({ method: 'GET', path: '/v1/unknown' });

	const { status, data } = await control('GET', 'requests');

	expect(status).toBe(200);
	const at: unknown = expect.any(Number);
	expect(data).toEqual([
		{ endpoint: 'placeCall', recipient: TO_NUMBER, at, processed: true, status: 201 },
		{ endpoint: 'getPrompt', recipient: null, at, processed: false, status: 429 },
		{ endpoint: null, recipient: null, at, processed: false, status: 404 },
	]);
	const times = (data as { at: number }[]).map((arrival) => arrival.at);
	expect(times).toEqual([...times].sort((a, b) => a - b));
	expect(Math.abs((times[0] ?? 0) - now)).toBeLessThan(60_000);
});

it('resets', async () => {
	await send(good('updatePrompt'));
	expect((await control('POST', 'reset')).status).toBe(200);
	expect(simulator().requests).toEqual([]);
	expect((await send(good('getPrompt'))).data).not.toEqual({ prompt: 'Be brief.' });
});

it('changes latency, rate and webhooks, and works under faults and limits', async () => {
	simulator().addFault({ kind: 'status', endpoint: 'chat' });
	expect((await control('POST', 'options', { latencyMs: 50, requestsPerSecond: 1 })).status).toBe(
		200,
	);
	const startedAt = performance.now();
	const statuses = await Promise.all(
		[1, 2].map(async () => (await send(good('getPrompt'))).status),
	);
	expect(statuses.sort()).toEqual([200, 429]);
	expect(performance.now() - startedAt).toBeGreaterThanOrEqual(48);
	expect((await control('GET', 'summary')).status).toBe(200);

	await control('POST', 'options', { latencyMs: 0, requestsPerSecond: null });
	expect((await send(good('getPrompt'))).status).toBe(200);

	await control('POST', 'webhooks', [{ url: 'http://127.0.0.1:1/' }]);
	expect(await simulator().deliverWebhook({})).toHaveLength(1);
	await control('POST', 'webhooks', []);
	expect(await simulator().deliverWebhook({})).toEqual([]);
});

it('refuses what it does not know', async () => {
	expect((await control('POST', 'options', { latency: 1 })).status).toBe(400);
	expect((await control('POST', 'webhooks', '{')).status).toBe(400);
	expect((await control('GET', 'other')).status).toBe(404);
	const wrongMethod = await control('GET', 'reset');
	expect(wrongMethod.status).toBe(405);
	expect(wrongMethod.headers.allow).toBe('POST');
});

it.each([
	['of another origin', { origin: 'http://site.example' }],
	['of another server on this machine', { origin: 'http://127.0.0.1:1' }],
	['by a name that leads here', { host: 'site.example' }],
])('refuses a request %s', async (_, headers) => {
	await send(good('getPrompt'));
	const url = simulator().baseUrl.replace('/api', '/control/reset');
	const reset = axios.post(url, undefined, { headers, proxy: false });
	await expect(reset).rejects.toMatchObject({ response: { status: 403 } });
	expect(simulator().requests).toHaveLength(1);
});

it('runs as a program until it is told to end', async () => {
	const cli = spawn(
		process.execPath,
		['--import', 'tsx', join(__dirname, 'cli.ts'), '--port', '0', '--requests-per-second', '1'],
		{ stdio: ['ignore', 'pipe', 'inherit'] },
	);
	const exit = once(cli, 'exit');
	try {
		const [line] = (await once(cli.stdout.setEncoding('utf8'), 'data')) as [string];
		const [, baseUrl = '', apiKey = ''] = /^(\S+) +x-api-key: (\S+)/.exec(line) ?? [];
		expect(line).toContain(simulator().workspaceId);
		const program = clientOf({ ...simulator(), baseUrl, apiKey });
		expect((await program(good('getPrompt'))).status).toBe(200);
		expect((await program(good('getPrompt'))).status).toBe(429);
	} finally {
		cli.kill('SIGTERM');
	}
	expect(await exit).toEqual([0, null]);
}, 20_000);
