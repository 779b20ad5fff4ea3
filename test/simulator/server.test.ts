import axios from 'axios';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { untilAsked } from '../engine/recipients';
import { useSimulator } from '../engine/world';
import { startOtherServer } from '../otherServer';
import { until } from '../until';
import { hold } from './hold';
import { limiterOf } from './rateLimiter';
import { TO_NUMBER } from './seed';
import { startSimulator } from './simulator';
import { changed, clientOf, good, useService } from './testClient';

const { simulator, send } = useService();

/** As another process uses it: without a key. */
const control = async (method: string, what: string, data?: unknown, headers = {}) =>
	await axios.request<unknown>({
		url: simulator().baseUrl.replace('/api', `/control/${what}`),
		...{ method, data, headers, proxy: false },
		validateStatus: () => true,
	});

it('lists what arrived, in order, without recording that it is asked', async () => {
	const now = Date.now();
	await send(good('placeCall'));
	simulator().addFault({ kind: 'rateLimited', times: 1 });
	await send(good('getPrompt'));
	await send({ method: 'GET', path: '/v1/unknown' });

	const { data } = await control('GET', 'requests');
	const at: unknown = expect.any(Number);
	expect(data).toEqual([
		{ endpoint: 'placeCall', recipient: TO_NUMBER, at, processed: true, status: 201 },
		{ endpoint: 'getPrompt', recipient: null, at, processed: false, status: 429 },
		{ endpoint: null, recipient: null, at, processed: false, status: 404 },
	]);
	const [first = 0, ...others] = (data as { at: number }[]).map((arrival) => arrival.at);
	expect(Math.abs(first - now)).toBeLessThan(60_000);
	expect(others.every((time) => time >= first)).toBe(true);
	expect(simulator().requests).toHaveLength(3);
	expect((await control('GET', 'summary')).data).toMatchObject({
		endpoints: { placeCall: { arrived: 1, processed: 1 }, getPrompt: { arrived: 1, processed: 0 } },
		recipients: { total: 1, once: 1, moreThanOnce: 0 },
		peakInFlight: 1,
	});
	expect((await control('POST', 'reset')).status).toBe(200);
	expect(simulator().requests).toEqual([]);
});

it('changes traffic, and refuses what it does not know', async () => {
	await control('POST', 'options', { requestsPerSecond: 1 });
	// Both come within the same second, however slow the machine is.
	jest.spyOn(performance, 'now').mockReturnValue(1_000);
	const both = await Promise.all([1, 2].map(async () => (await send(good('getPrompt'))).status));
	jest.restoreAllMocks();
	expect(both.sort()).toEqual([200, 429]);
	await control('POST', 'options', { latencyMs: 50, requestsPerSecond: null });
	const startedAt = performance.now();
	expect((await send(good('getPrompt'))).status).toBe(200);
	expect(performance.now() - startedAt).toBeGreaterThanOrEqual(48);
	expect((await control('POST', 'options', { latency: 1 })).status).toBe(400);
	expect((await control('POST', 'options', '{')).status).toBe(400);
	expect((await control('GET', 'other')).status).toBe(404);
	expect((await control('GET', 'reset')).status).toBe(405);
});

it.each([
	['of another origin', { origin: 'http://site.example' }],
	['of another server on this machine', { origin: 'http://127.0.0.1:1' }],
	['by a name that leads here', { host: 'site.example' }],
])('refuses to be controlled by a request %s', async (_, headers) => {
	await send(good('getPrompt'));
	expect((await control('POST', 'reset', undefined, headers)).status).toBe(403);
	expect(simulator().requests).toHaveLength(1);
});

it('runs as a program until it is told to end', async () => {
	const program = path.join(__dirname, 'cli.ts');
	const options = ['--port', '0', '--requests-per-second', '1'];
	const cli = spawn(process.execPath, ['--import', 'tsx', program, ...options], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const exit = once(cli, 'exit');
	try {
		const [line] = (await once(cli.stdout.setEncoding('utf8'), 'data')) as [string];
		const [, baseUrl = '', apiKey = ''] = /^(\S+) +x-api-key: (\S+)/.exec(line) ?? [];
		expect(line).toContain(simulator().workspaceId);
		const ask = async () => (await clientOf({ baseUrl, apiKey })(good('getPrompt'))).status;
		// A busy machine may need more than a second for two of them.
		const statuses = await Promise.all(Array.from({ length: 20 }, ask));
		expect(new Set(statuses)).toEqual(new Set([200, 429]));
	} finally {
		cli.kill('SIGTERM');
	}
	expect(await exit).toEqual([0, null]);
});

it.each([
	['within any second', { requestsPerSecond: 2 }, [0, 300, 400, 999, 1000, 1001, 1300], '0011010'],
	[
		'with a bucket, which fills up evenly',
		{ requestsPerSecond: 2, bucket: 3 },
		[0, 0, 0, 100, 499, 500, 999, 1000, 9000, 9000, 9000, 9000],
		'000110100001',
	],
])('says in whole seconds when it takes requests again: %s', (_, limit, times, waits) => {
	const limiter = limiterOf(limit);
	expect(times.map((now) => limiter.secondsToWait(now)).join('')).toBe(waits);
});

it('counts what is in flight, and leaves the status of a request open whose client went away', async () => {
	simulator().addFault({ kind: 'delay', until: untilAsked(simulator(), 3), times: 3 });
	await Promise.all([1, 2, 3].map(() => send(good('getPrompt'))));
	const { until, release } = hold();
	simulator().addFault({ kind: 'delay', until, times: 1 });
	const goesAway = new AbortController();
	const left = send({ ...good('placeCall'), signal: goesAway.signal });
	await untilAsked(simulator(), 4);
	goesAway.abort();
	await expect(left).rejects.toThrow('canceled');
	// The simulator hears of it before it is asked again.
	await send(good('getPrompt'));
	release();
	await send(good('getPrompt'));
	expect(
		simulator()
			.requests.map(({ inFlight }) => inFlight)
			.slice(0, 4),
	).toEqual([1, 2, 3, 1]);
	expect(simulator().requests[3]).toMatchObject({ processed: true, status: undefined });
});

describe('calls with a limit of one at a time', () => {
	const limited = useSimulator({ concurrentCallLimit: 1 });
	const place = async (fields: Record<string, unknown> = {}) => {
		const { status, data } = await clientOf(limited())(changed('placeCall', fields));
		return { httpStatus: status, ...(data as { callId: string; status: string }) };
	};

	it('are queued, and start by priority and then by arrival as others end', async () => {
		const first = await place({ attributes: { customField1: 'Ada' } });
		expect(first).toMatchObject({ httpStatus: 201, status: 'placed' });
		const queued = [];
		for (const priority of [0, 1, 2, 2]) queued.push(await place({ priority }));
		for (const one of queued) expect(one).toMatchObject({ httpStatus: 202, status: 'queued' });
		const [low, medium, high, laterHigh] = queued;
		for (const one of [first, high, laterHigh, medium, low]) {
			const { calls } = limited().state();
			const going = calls.filter(({ startedAt, endedAt }) => startedAt && !endedAt);
			expect(going.map(({ id }) => id)).toEqual([one?.callId]);
			await limited().endCall(one?.callId ?? '', { appointment: 'Monday' });
		}
		await expect(limited().endCall(first.callId)).rejects.toThrow('No call');
		expect(limited().state().calls[0]).toMatchObject({
			...{ id: first.callId, toNumber: TO_NUMBER, attributes: { customField1: 'Ada' } },
			event: { callId: first.callId, appointment: 'Monday' },
		});
	});

	it('end by themselves after their duration, each once, but not after a reset', async () => {
		const target = await startOtherServer((response) => response.writeHead(202).end('thanks'));
		limited().setWebhooks([{ url: target.baseUrl }]);
		await place();
		limited().reset();
		limited().setCallDuration(20);
		const ids = [await place(), await place()].map(({ callId }) => callId);
		await until(() => limited().deliveries.length >= 2);
		const events = limited().deliveries.map(({ body }) => (body as { callId: string }).callId);
		expect(events).toEqual(ids);
		await target.stop();
	});
});

it('sends the call properties and extracted variables to every target of the moment', async () => {
	const target = await startOtherServer((response) => response.writeHead(202).end('thanks'));
	const unreachable = 'http://127.0.0.1:1/';
	simulator().setWebhooks([
		{ url: target.baseUrl, headers: { 'x-webhook-secret': 'secret' } },
		{ url: unreachable },
	]);
	const { data } = await send(good('placeCall'));
	const { callId } = data as { callId: string };
	const before = simulator().clock.now();
	simulator().clock.advance(60_000);
	const deliveries = await simulator().endCall(callId, { appointment: 'Monday' });
	const body = {
		callId,
		summary: expect.stringContaining(TO_NUMBER) as unknown,
		transcript: expect.any(String) as unknown,
		callStartTime: expect.any(String) as unknown,
		appointment: 'Monday',
	};
	expect(deliveries).toEqual([
		{ url: target.baseUrl, status: 202, answer: 'thanks', body },
		{ url: unreachable, status: 0, answer: '', body },
	]);
	expect(simulator().deliveries).toEqual(deliveries);
	const { callStartTime } = deliveries[0]?.body as { callStartTime: string };
	expect(Date.parse(callStartTime) - before).toBeLessThan(30_000);
	expect(target.requests).toMatchObject([
		{ headers: { 'x-webhook-secret': 'secret', 'content-type': 'application/json' } },
	]);
	simulator().setWebhooks([{ url: target.baseUrl }]);
	expect(await simulator().deliverWebhook([2])).toMatchObject([{ status: 202, body: [2] }]);
	simulator().reset();
	expect(simulator().deliveries).toEqual([]);
	await target.stop();
});

it('stops although an answer hangs, another is late, and a target of the webhook never answers', async () => {
	const silent = await startOtherServer(() => undefined);
	const stopped = await startSimulator({ webhooks: [{ url: silent.baseUrl }] });
	stopped.addFault({ kind: 'hang', times: 1 });
	stopped.addFault({ kind: 'delay', delayMs: 60_000 });
	const answers = [1, 2].map(() => clientOf(stopped)(good('getPrompt')));
	const outcomes = Promise.allSettled(answers);
	const delivery = stopped.deliverWebhook({});
	await untilAsked(stopped, 2);
	while (silent.requests.length === 0) await new Promise(setImmediate);
	await stopped.stop();
	expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await delivery).toMatchObject([{ status: 0 }]);
	await silent.stop();
});
