import fc from 'fast-check';

import { Gate } from '../../../nodes/shared/delivery/gate';
import type { Lane } from '../../../nodes/shared/delivery/lane';
import type { Verdict } from '../../../nodes/shared/delivery/refusals';
import {
	askMany,
	enter,
	open,
	pass,
	refusedFor,
	TAKEN,
	times,
	upTo,
	useFakeClock,
} from './gateRequests';

// What is made beside the event loop does not go by the clock of these tests; see wait.test.ts.
jest.mock('../../../nodes/shared/time/wait', () => ({
	...jest.requireActual<object>('../../../nodes/shared/time/wait'),
	giveWay: jest.fn(),
}));

useFakeClock();

/** A service that takes so many requests in any second, and says after how many whole seconds it takes more. */
class LimitedService {
	readonly requests = new Map<string, number>();
	served = 0;
	private readonly taken: number[] = [];

	constructor(
		private readonly perSecond: number,
		private readonly latency: number,
		private readonly saysWhen: boolean,
	) {}

	private take(): Verdict {
		const now = Date.now();
		const oldest = this.taken.at(-this.perSecond) ?? -Infinity;
		if (oldest + 1_000 > now) {
			const seconds = Math.ceil((oldest + 1_000 - now) / 1_000);
			return refusedFor(this.saysWhen ? seconds * 1_000 : undefined);
		}
		this.taken.push(now);
		return TAKEN;
	}

	/** Sends until it is taken, as the delivery does. */
	async send(lane: Lane, name: string, order: number): Promise<void> {
		const turns = enter(lane, order);
		for (let verdict: Verdict | undefined; verdict?.kind !== 'taken';) {
			await turns.take();
			const startedAt = Date.now();
			this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
			await new Promise((resolve) => setTimeout(resolve, this.latency / 2));
			verdict = this.take();
			await new Promise((resolve) => setTimeout(resolve, this.latency / 2));
			turns.use(startedAt, verdict);
			turns.giveBack();
			if (verdict.kind === 'refused' && verdict.holdFor === undefined)
				await new Promise((resolve) => setTimeout(resolve, 500));
		}
		turns.leave();
		this.served++;
	}
}

describe('a service that allows so many requests a second', () => {
	test.each([
		[80, 4, true],
		[200, 20, true],
		[200, 20, false],
		[500, 50, true],
		[1_000, 100, true],
	])('%i runs of one call, %i a second', async (runs, perSecond, saysWhen) => {
		const gate = new Gate();
		const service = new LimitedService(perSecond, 20, saysWhen);
		for (let run = 0; run < runs; run++) {
			const lane = open(gate);
			void service.send(lane, String(run), 0).then(() => {
				lane.close();
			});
		}
		const begin = Date.now();
		while (service.served < runs && Date.now() - begin < 600_000) await pass(10);

		const ideal = (runs / perSecond - 1) * 1_000;
		expect(Math.max(...service.requests.values())).toBeLessThanOrEqual(2);
		expect((Date.now() - begin) / ideal).toBeLessThanOrEqual(1.2);
	});

	test('lets a single call in between the requests of a list, not after the next second', async () => {
		const gate = new Gate();
		const service = new LimitedService(20, 20, true);
		const list = open(gate);
		for (const order of upTo(500)) void service.send(list, `list ${order}`, order);
		const waits: number[] = [];
		for (let call = 0; call < 20; call++) {
			await pass(1_000 + call * 53);
			const single = askMany(open(gate), 1);
			await pass(2_000);
			waits.push(...times(single));
		}

		expect(waits).toHaveLength(20);
		expect(Math.max(...waits)).toBeLessThanOrEqual(300);
	});

	test('is served whatever it allows, however long it takes, by however many runs', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 30 }),
				fc.integer({ min: 2, max: 400 }),
				fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 }),
				fc.boolean(),
				async (perSecond, latency, runs, saysWhen) => {
					const gate = new Gate();
					const service = new LimitedService(perSecond, latency, saysWhen);
					for (const [run, items] of runs.entries()) {
						const lane = open(gate);
						for (const order of upTo(items)) void service.send(lane, `${run} ${order}`, order);
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
