import fc from 'fast-check';

import type { Lane } from '../../../nodes/shared/delivery/lane';
import type { PaceSignal } from '../../../nodes/shared/delivery/pace';
import { limiterOf, type Limiter } from '../../simulator/rateLimiter';
import { open, pass, refusedFor, TAKEN, upTo, useFakeClock, Gate } from './gateRequests';

useFakeClock();

interface Limited {
	readonly limiter: Limiter;
	/** Of a request and its answer together, in milliseconds; of each the half. */
	readonly latency: number;
	/** How much longer a request or an answer may take, in milliseconds. */
	readonly jitter?: number;
	/** Whether it says after how many whole seconds it takes more. */
	readonly saysWhen?: boolean;
}

/** A service with a limit. */
class LimitedService {
	readonly requests = new Map<string, number>();
	/** When it took requests. */
	readonly taken: number[] = [];
	served = 0;
	private seed = 1;

	constructor(private readonly limited: Limited) {}

	private take(): PaceSignal {
		const seconds = this.limited.limiter.secondsToWait(Date.now());
		if (seconds > 0)
			return refusedFor(this.limited.saysWhen === false ? undefined : seconds * 1_000);
		this.taken.push(Date.now());
		return TAKEN;
	}

	/** The same delays each time, but no two alike. */
	private async travel(): Promise<void> {
		const { latency, jitter = 0 } = this.limited;
		this.seed = (this.seed * 16_807) % 2_147_483_647;
		await sleep(latency / 2 + (jitter * this.seed) / 2_147_483_647);
	}

	/** Sends until it is taken, as the delivery does. */
	async send(lane: Lane, name: string, order: number): Promise<void> {
		const turn = lane.enter(order, 600_000);
		for (let said: PaceSignal | undefined; said?.kind !== 'taken';) {
			await turn.take();
			const startedAt = Date.now();
			this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
			await this.travel();
			said = this.take();
			await this.travel();
			turn.use(startedAt, said);
			turn.giveBack();
			if (said.kind === 'refused' && said.holdFor === undefined) await sleep(500);
		}
		turn.leave();
		this.served++;
	}

	/** So many requests of a run. */
	sendAll(lane: Lane, items: number, name: string): void {
		for (const order of upTo(items)) void this.send(lane, `${name} ${order}`, order);
	}

	async untilServed(count: number): Promise<void> {
		const begin = Date.now();
		while (this.served < count && Date.now() - begin < 600_000) await pass(10);
	}

	get perCall(): number {
		return [...this.requests.values()].reduce((sum, one) => sum + one, 0) / this.served;
	}
}

const sleep = async (milliseconds: number): Promise<void> => {
	await new Promise((resolve) => setTimeout(resolve, milliseconds));
};

const windowOf = (requestsPerSecond: number): Limiter => limiterOf({ requestsPerSecond });
const bucketOf = (requestsPerSecond: number, bucket = requestsPerSecond): Limiter =>
	limiterOf({ requestsPerSecond, bucket });

/** The one until a time, then the other. */
const changing = (before: Limiter, after: Limiter, changeAt: number): Limiter => ({
	secondsToWait: (now) => (now < changeAt ? before : after).secondsToWait(now),
});

describe('a service that allows so many requests a second', () => {
	test.each<[string, number, Limited]>([
		['in any second', 180, { limiter: windowOf(20), latency: 20 }],
		['in any second, jitter', 180, { limiter: windowOf(20), latency: 20, jitter: 50 }],
		['in any second, no Retry-After', 180, { limiter: windowOf(20), latency: 20, saysWhen: false }],
		['a bucket', 180, { limiter: bucketOf(20), latency: 20 }],
		['a bucket, jitter', 180, { limiter: bucketOf(20), latency: 20, jitter: 50 }],
		['a bucket, slow answers', 180, { limiter: bucketOf(20), latency: 1_000 }],
		['a bucket, no Retry-After', 180, { limiter: bucketOf(20), latency: 20, saysWhen: false }],
		['a bucket of the half', 190, { limiter: bucketOf(20, 10), latency: 50 }],
		['a bucket of a quarter', 195, { limiter: bucketOf(20, 5), latency: 50 }],
	])('200 runs of one call, 20 a second: %s', async (_, beyondBurst, limited) => {
		const gate = new Gate();
		const service = new LimitedService(limited);
		for (let run = 0; run < 200; run++) {
			const lane = open(gate);
			void service.send(lane, String(run), 0).then(() => {
				lane.close();
			});
		}
		const begin = Date.now();
		await service.untilServed(200);

		expect(service.perCall).toBeLessThanOrEqual(1.2);
		expect((Date.now() - begin) / (beyondBurst * 50)).toBeLessThanOrEqual(1.5);
	});

	test.each<[string, Limited]>([
		['in any second', { limiter: windowOf(50), latency: 20 }],
		['in any second, jitter', { limiter: windowOf(50), latency: 20, jitter: 50 }],
		['a bucket', { limiter: bucketOf(50), latency: 20 }],
	])('a list of 2,000, 50 a second: %s', async (_, limited) => {
		const service = new LimitedService(limited);
		service.sendAll(open(new Gate(), { maxConcurrentRequests: 50 }), 2_000, 'list');
		const begin = Date.now();
		await service.untilServed(2_000);

		expect((Date.now() - begin) / 39_000).toBeLessThanOrEqual(1.3);
		expect(service.perCall).toBeLessThanOrEqual(1.03);
	});

	test.each([
		[20, 40, 'in any second', windowOf],
		[20, 40, 'a bucket', bucketOf],
		[40, 20, 'in any second', windowOf],
		[40, 20, 'a bucket', bucketOf],
	])('a limit that changes from %i to %i is found in 20 seconds: %s', async (from, to, _, kind) => {
		const changeAt = Date.now() + 30_000;
		const limiter = changing(kind(from), kind(to), changeAt);
		const service = new LimitedService({ limiter, latency: 20 });
		service.sendAll(open(new Gate(), { maxConcurrentRequests: 50 }), 2_000, 'list');
		await pass(60_000);

		const late = service.taken.filter((at) => at > changeAt + 20_000);
		expect(late.length / 10).toBeGreaterThanOrEqual(0.7 * to);
	});

	test('is served whatever it allows, however long it takes, by however many runs', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 30 }),
				fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
				fc.integer({ min: 2, max: 400 }),
				fc.integer({ min: 0, max: 400 }),
				fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 }),
				fc.integer({ min: 1, max: 2 }),
				fc.boolean(),
				async (requestsPerSecond, bucket, latency, jitter, runs, processes, saysWhen) => {
					const gates = upTo(processes).map(() => new Gate());
					const limiter = limiterOf({ requestsPerSecond, bucket });
					const service = new LimitedService({ limiter, latency, jitter, saysWhen });
					for (const [run, items] of runs.entries()) {
						const gate = gates[run % processes] ?? new Gate();
						service.sendAll(open(gate), items, String(run));
					}
					const total = runs.reduce((sum, items) => sum + items, 0);
					const begin = Date.now();
					while (service.served < total && Date.now() - begin < 600_000) await pass(100);

					expect(service.served).toBe(total);
				},
			),
			{ numRuns: 50 },
		);
	});
});
