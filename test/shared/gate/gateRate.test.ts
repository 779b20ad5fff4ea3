import { sleep } from 'n8n-workflow';

import { Gate } from '../../../nodes/shared/gate/gate';
import { Turn } from '../../../nodes/shared/gate/lane';
import type { PaceSignal } from '../../../nodes/shared/gate/pace';
import { randomOf } from '../../engine/random';
import { limiterOf, type Limiter } from '../../simulator/rateLimiter';
import { open, refusedFor, SERVED, upTo, useFakeClock } from './gateRequests';

useFakeClock();

/** How many the service takes in a second. */
const ALLOWED = 20;

/**
 * Sends until each is taken, as the delivery does: so many runs of one item, or items of one run.
 * Gives the requests, after how many milliseconds the last one was taken, the most timers at a time,
 * and how often everything was held.
 */
async function serve(runs: number, items: number, limiter: Limiter, latency: () => number) {
	const gate = new Gate();
	const begin = Date.now();
	let requests = 0;
	let taken = 0;
	let timers = 0;
	let holds = 0;
	let heldUntil = begin;
	const ask = async (): Promise<PaceSignal> => {
		requests++;
		const half = latency() / 2;
		await sleep(half);
		const seconds = limiter.secondsToWait(Date.now());
		await sleep(half);
		if (seconds > 0 && Date.now() >= heldUntil) {
			holds++;
			heldUntil = Date.now() + seconds * 1_000;
		}
		return seconds > 0 ? refusedFor(seconds * 1_000) : SERVED;
	};
	for (let run = 0; run < runs; run++) {
		const lane = open(gate);
		const send = async (order: number): Promise<void> => {
			const turn = new Turn(lane, order, 600_000);
			for (let said: PaceSignal | undefined; said?.kind !== 'served';) {
				await turn.take();
				const startedAt = Date.now();
				said = await ask();
				turn.use(startedAt, said);
				turn.giveBack();
			}
			turn.leave();
			taken++;
		};
		void Promise.all(upTo(items).map(send)).then(() => {
			lane.close();
		});
	}
	while (taken < runs * items && Date.now() - begin < 600_000) {
		await jest.advanceTimersToNextTimerAsync();
		timers = Math.max(timers, jest.getTimerCount());
	}
	return { requests, after: Date.now() - begin, timers, holds };
}

test.each<[string, Limiter, number, number]>([
	['with a bucket', limiterOf({ requestsPerSecond: ALLOWED, bucket: ALLOWED }), 20, 180],
	['with a bucket, slowly', limiterOf({ requestsPerSecond: ALLOWED, bucket: ALLOWED }), 1_000, 180],
	['with a small bucket', limiterOf({ requestsPerSecond: ALLOWED, bucket: 5 }), 50, 195],
	['in any second', limiterOf({ requestsPerSecond: ALLOWED }), 20, 180],
])('200 runs of one item, 20 a second are taken: %s', async (_, limiter, latency, beyondBurst) => {
	const { requests, after } = await serve(200, 1, limiter, () => latency);

	expect(requests / 200).toBeLessThanOrEqual(1.2);
	expect((after * ALLOWED) / 1_000 / beyondBurst).toBeLessThanOrEqual(1.5);
});

test.each([
	['quickly', 10, 40, 1.4],
	['slowly', 50, 250, 1.65],
])('200 runs at once are held at most three times: answered %s', async (_, least, most, ratio) => {
	for (const seed of upTo(10)) {
		const random = randomOf(seed);
		const latency = (): number => least + random() * (most - least);
		const limiter = limiterOf({ requestsPerSecond: ALLOWED });
		const { after, holds } = await serve(200, 1, limiter, latency);

		expect(holds).toBeLessThanOrEqual(3);
		expect((after * ALLOWED) / 1_000 / 180).toBeLessThanOrEqual(ratio);
	}
});

test('a limit that is lifted is found', async () => {
	const liftedAt = Date.now() + 30_000;
	const [low, high] = [limiterOf({ requestsPerSecond: 10 }), limiterOf({ requestsPerSecond: 100 })];
	const limiter: Limiter = {
		secondsToWait: (now) => (now < liftedAt ? low : high).secondsToWait(now),
	};
	const { after } = await serve(1, 3_000, limiter, () => 50);

	expect(after).toBeLessThanOrEqual(120_000);
});

test.each([
	[100, 2, 150, 1.2, 1.3],
	[1_000, ALLOWED, 20, 1.05, 1.4],
])('a run of %i items, %i a second are taken', async (items, allowed, latency, asks, ratio) => {
	const limiter = limiterOf({ requestsPerSecond: allowed });
	const { requests, after, timers, holds } = await serve(1, items, limiter, () => latency);

	expect(holds).toBeLessThanOrEqual(10);
	expect(timers).toBeLessThan(100);
	expect(requests / items).toBeLessThanOrEqual(asks);
	expect((after * allowed) / 1_000 / (items - allowed)).toBeLessThanOrEqual(ratio);
});
