import { untilAsked } from '../engine/recipients';
import type { Simulator, SimulatorOptions } from './contract';
import { ENDPOINT_NAMES, ENDPOINTS } from './endpoints';
import { hold } from './hold';
import { limiterOf, RateLimiter } from './rateLimiter';
import { startSimulator } from './simulator';
import { changed, clientOf, good } from './testClient';

let simulator: Simulator | undefined;
afterEach(() => simulator?.stop());

async function start(options: SimulatorOptions) {
	simulator = await startSimulator(options);
	return { simulator, send: clientOf(simulator) };
}

describe('the concurrent call limit', () => {
	it('queues calls, and starts them by priority and then by arrival as others end', async () => {
		const { simulator, send } = await start({ concurrentCallLimit: 1 });
		const place = async (priority: number) => {
			const { status, data } = await send(changed('placeCall', { priority }));
			const call = data as { callId: string; status: string; msg: string };
			return { httpStatus: status, ...call };
		};

		const first = await place(1);
		expect(first).toMatchObject({ httpStatus: 201, status: 'placed' });
		const [low, medium, high, laterHigh] = [
			await place(0),
			await place(1),
			await place(2),
			await place(2),
		];
		for (const call of [low, medium, high, laterHigh]) {
			expect(call).toMatchObject({ httpStatus: 202, status: 'queued' });
			expect(call.msg).toContain('concurrent call limit');
		}

		const order = [first, high, laterHigh, medium, low];
		for (const [index, call] of order.entries()) {
			for (const waiting of order.slice(index + 1)) {
				await expect(simulator.endCall(waiting.callId)).rejects.toThrow('No call');
			}
			await simulator.endCall(call.callId);
		}
		await expect(simulator.endCall(low.callId)).rejects.toThrow('No call');
		expect(await place(0)).toMatchObject({ status: 'placed' });
	});
});

describe('the plan limit', () => {
	const limited = ENDPOINT_NAMES.filter((name) => ENDPOINTS[name].planLimited);

	it.each(limited)('%s answers 402 beyond it, and refused requests do not count', async (name) => {
		const { simulator, send } = await start({ planLimit: 1 });
		await send({ ...good(name), body: {} });

		const within = await send(good(name));
		const beyond = await send(good(name));

		expect(within.status).toBe(200);
		expect(beyond.status).toBe(402);
		expect(JSON.stringify(beyond.data)).toContain('upgrade');
		expect(simulator.processed(name)).toHaveLength(1);
		expect((await send(good('getPrompt'))).status).toBe(200);
		simulator.reset();
		expect((await send(good(name))).status).toBe(200);
	});

	it('leaves alone what S 7 lists no upgrade message for', async () => {
		const { send } = await start({ planLimit: 0 });
		for (const name of ENDPOINT_NAMES) {
			if (!limited.includes(name)) expect((await send(good(name))).status).toBeLessThan(300);
		}
	});
});

describe('traffic', () => {
	it('answers 429 over the rate', async () => {
		const { simulator, send } = await start({});
		// A busy machine may need more than a second for the burst.
		simulator.setTraffic({ requestsPerSecond: 2, windowMs: 60_000 });
		const burst = await Promise.all(Array.from({ length: 5 }, () => send(good('placeCall'))));
		const refused = burst.filter(({ status }) => status === 429);
		expect(burst.filter(({ status }) => status === 201)).toHaveLength(2);
		expect(refused).toHaveLength(3);
		expect(refused[0]?.headers['retry-after']).toMatch(/^\d+$/);
		expect(refused[0]?.data).toEqual({ msg: 'Too many requests' });
		expect(simulator.processed()).toHaveLength(2);

		simulator.setTraffic({ requestsPerSecond: null });
		for (let count = 0; count < 5; count += 1) {
			expect((await send(good('placeCall'))).status).toBe(201);
		}
	});

	it('says in whole seconds when it takes requests again', () => {
		const limiter = new RateLimiter(2);
		const waits = [0, 300, 400, 999, 1000, 1001, 1300].map((now) => limiter.secondsToWait(now));
		expect(waits).toEqual([0, 0, 1, 1, 0, 1, 0]);
	});

	it('fills a bucket up evenly', () => {
		const limiter = limiterOf({ requestsPerSecond: 2, bucket: 3 });
		const waits = [0, 0, 0, 100, 499, 500, 999, 1000, 9000, 9000, 9000, 9000].map((now) =>
			limiter.secondsToWait(now),
		);
		expect(waits).toEqual([0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1]);
	});

	it('delays every answer by the latency', async () => {
		const { send } = await start({ latencyMs: 80 });
		const startedAt = performance.now();
		await send(good('getPrompt'));
		expect(performance.now() - startedAt).toBeGreaterThanOrEqual(78);
	});

	it('counts what is in flight', async () => {
		const { simulator, send } = await start({});
		simulator.addFault({ kind: 'delay', until: untilAsked(simulator, 3) });
		await Promise.all([1, 2, 3].map(() => send(good('getPrompt'))));
		await send(good('getPrompt'));
		expect(simulator.requests.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 1]);
	});

	it('keeps the status of a request open whose client went away', async () => {
		const { simulator, send } = await start({});
		const { until, release } = hold();
		simulator.addFault({ kind: 'delay', until, times: 1 });
		const goesAway = new AbortController();
		const first = send({ ...good('placeCall'), signal: goesAway.signal });
		await untilAsked(simulator, 1);
		goesAway.abort();
		await expect(first).rejects.toThrow('canceled');
		// The simulator hears of it before it is asked again.
		await send(good('getPrompt'));
		release();
		await send(good('getPrompt'));
		expect(simulator.requests[0]).toMatchObject({ processed: true, status: undefined });
	});
});
