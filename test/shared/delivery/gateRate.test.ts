import { sleep } from 'n8n-workflow';

import type { PaceSignal } from '../../../nodes/shared/delivery/pace';
import { limiterOf, type Limiter } from '../../simulator/rateLimiter';
import { Gate, open, refusedFor, SERVED, upTo, useFakeClock } from './gateRequests';

useFakeClock();

/** How many the service takes in a second. */
const ALLOWED = 20;

interface Served {
	readonly requests: number;
	/** When the last one was taken, in milliseconds from the first request. */
	readonly after: number;
	/** The most that waited at a time. */
	readonly timers: number;
}

/** Sends until each is taken, as the delivery does: so many runs of one item, or items of one run. */
async function serve(
	runs: number,
	items: number,
	limiter: Limiter,
	latency: number,
): Promise<Served> {
	const gate = new Gate();
	const begin = Date.now();
	let requests = 0;
	let taken = 0;
	let after = 0;
	let timers = 0;
	const ask = async (): Promise<PaceSignal> => {
		requests++;
		await sleep(latency / 2);
		const seconds = limiter.secondsToWait(Date.now());
		await sleep(latency / 2);
		return seconds > 0 ? refusedFor(seconds * 1_000) : SERVED;
	};
	for (let run = 0; run < runs; run++) {
		const lane = open(gate);
		const send = async (order: number): Promise<void> => {
			const turn = lane.enter(order, 600_000);
			for (let said: PaceSignal | undefined; said?.kind !== 'served';) {
				await turn.take();
				const startedAt = Date.now();
				said = await ask();
				turn.use(startedAt, said);
				turn.giveBack();
			}
			turn.leave();
			taken++;
			after = Date.now() - begin;
		};
		void Promise.all(upTo(items).map(send)).then(() => {
			lane.close();
		});
	}
	while (taken < runs * items && Date.now() - begin < 600_000) {
		await jest.advanceTimersToNextTimerAsync();
		timers = Math.max(timers, jest.getTimerCount());
	}
	return { requests, after, timers };
}

test.each<[string, Limiter, number, number]>([
	['with a bucket', limiterOf({ requestsPerSecond: ALLOWED, bucket: ALLOWED }), 20, 180],
	['with a bucket, slowly', limiterOf({ requestsPerSecond: ALLOWED, bucket: ALLOWED }), 1_000, 180],
	['with a small bucket', limiterOf({ requestsPerSecond: ALLOWED, bucket: 5 }), 50, 195],
	['in any second', limiterOf({ requestsPerSecond: ALLOWED }), 20, 180],
])('200 runs of one item, 20 a second are taken: %s', async (_, limiter, latency, beyondBurst) => {
	const { requests, after } = await serve(200, 1, limiter, latency);

	expect(requests / 200).toBeLessThanOrEqual(1.2);
	expect((after * ALLOWED) / 1_000 / beyondBurst).toBeLessThanOrEqual(1.5);
});

test('a run of 1,000 items, 20 a second are taken', async () => {
	const limiter = limiterOf({ requestsPerSecond: ALLOWED });
	const { requests, after, timers } = await serve(1, 1_000, limiter, 20);

	expect(timers).toBeLessThan(100);
	expect(requests / 1_000).toBeLessThanOrEqual(1.05);
	expect((after * ALLOWED) / 1_000 / 980).toBeLessThanOrEqual(1.4);
});
