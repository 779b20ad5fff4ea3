import fc from 'fast-check';

import { Gate } from '../../../nodes/shared/delivery/gate';
import type { Lane, LaneOptions, Turn, Verdict } from '../../../nodes/shared/delivery/lane';
import { MaxWait } from '../../../nodes/shared/delivery/maxWait';
import { giveWay } from '../../../nodes/shared/delivery/wait';
import { endRequest } from './endRequest';

// What is made beside the event loop does not go by the clock of these tests; see wait.test.ts.
jest.mock('../../../nodes/shared/delivery/wait', () => ({
	...jest.requireActual<object>('../../../nodes/shared/delivery/wait'),
	giveWay: jest.fn(),
}));

beforeEach(() => {
	jest.useFakeTimers();
	jest.mocked(giveWay).mockReset();
});
afterEach(() => {
	jest.useRealTimers();
});

const pass = async (milliseconds: number): Promise<void> => {
	await jest.advanceTimersByTimeAsync(milliseconds);
};

const TAKEN: Verdict = { kind: 'taken' };
const refusedFor = (holdFor?: number): Verdict => ({ kind: 'refused', holdFor });

const open = (gate: Gate, options: Partial<LaneOptions> = {}): Lane =>
	gate.open({ requestsPerSecond: 0, signal: new AbortController().signal, ...options });

/** Requests of a run that wait for their turns, and what became of them, with milliseconds from now. */
function askMany(lane: Lane, count: number, maxWait = 600_000) {
	const begin = Date.now();
	const turns: { order: number; turn: Turn; after: number }[] = [];
	for (let order = 0; order < count; order++) {
		void lane.turn(order, new MaxWait(maxWait)).then((turn) => {
			turns.push({ order, turn, after: Date.now() - begin });
		});
	}
	return turns;
}

/** One request from its turn to its end. */
async function exchange(lane: Lane, verdict: Verdict): Promise<void> {
	const turn = lane.turn(0, new MaxWait(600_000));
	await pass(0);
	expect(await turn).toBe('start');
	endRequest(lane, Date.now(), verdict);
}

const orders = (turns: { order: number }[]): number[] => turns.map(({ order }) => order);
const times = (turns: { after: number }[]): number[] => turns.map(({ after }) => after);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('how many are in flight', () => {
	test('10 at first, twice as many after each round of good answers, 200 at most', async () => {
		const lane = open(new Gate());
		const turns = askMany(lane, 1_000);
		const sizes: number[] = [];
		for (let round = 0, ended = 0; round < 6; round++) {
			await pass(0);
			sizes.push(turns.length - ended);
			for (; ended < turns.length; ended++) endRequest(lane, Date.now(), TAKEN);
		}

		expect(sizes).toEqual([10, 20, 40, 80, 160, 200]);
	});

	test('half as many after a refusal, once for what was in flight together', async () => {
		const lane = open(new Gate());
		const turns = askMany(lane, 20);
		await pass(100);
		const together = Date.now() - 100;
		for (let request = 0; request < 10; request++) endRequest(lane, together, refusedFor());
		await pass(60_000);

		expect(turns).toHaveLength(15);
	});

	test('slow answers of other runs hold up nobody with nothing in flight', async () => {
		const gate = new Gate();
		const chats = upTo(50).map(() => askMany(open(gate), 1));
		await pass(0);
		expect(chats.flat()).toHaveLength(50);
		const list = askMany(open(gate), 30);
		await pass(60_000);

		expect(list).toHaveLength(1);
	});

	test.each([
		['no rate can be learned, they do', 0, 0],
		['a rate is learned, they do not', 5, 2],
	])('after a refusal of which %s', async (_, accepted, expected) => {
		const gate = new Gate();
		const lane = open(gate);
		askMany(lane, 10);
		await pass(0);
		for (let answer = 0; answer < accepted; answer++) endRequest(lane, Date.now(), TAKEN);
		endRequest(lane, Date.now(), refusedFor());
		askMany(lane, 20);
		await pass(5_000);
		const single = upTo(2).map(() => askMany(open(gate), 1));
		await pass(5_000);

		expect(single.flat()).toHaveLength(expected);
	});

	test('what a run leaves in flight counts no longer when it is over', async () => {
		const gate = new Gate();
		const lost = open(gate);
		askMany(lost, 10);
		await pass(0);
		const lane = open(gate);
		const turns = askMany(lane, 3);
		await pass(0);
		expect(turns).toHaveLength(1);

		lost.close();
		await pass(0);

		expect(turns).toHaveLength(3);
	});
});

describe('turns', () => {
	test('earlier items go first, also those that are tried again', async () => {
		const lane = open(new Gate(), { requestsPerSecond: 1 });
		const order: number[] = [];
		for (const item of [5, 6, 2, 7]) {
			void lane.turn(item, new MaxWait(0)).then(() => order.push(item));
		}
		await pass(5_000);

		expect(order).toEqual([5, 2, 6, 7]);
	});

	test('runs take turns: a long list does not hold up a single call', async () => {
		const gate = new Gate();
		const list = open(gate);
		const listTurns = askMany(list, 5_000);
		await pass(0);
		const single = askMany(open(gate), 1);

		while (single.length === 0) {
			endRequest(list, Date.now(), { kind: 'unknown' });
			await pass(0);
		}

		expect(listTurns.length).toBeLessThanOrEqual(12);
	});

	test.each([
		[1, [0, 1_000, 2_000, 3_000]],
		[5, [0, 200, 400, 600]],
		[1_000, [0, 1, 2, 3]],
	])('%i requests a second of a run are spread evenly', async (requestsPerSecond, expected) => {
		const turns = askMany(open(new Gate(), { requestsPerSecond }), 4);
		await pass(5_000);

		expect(times(turns)).toEqual(expected);
		expect(orders(turns)).toEqual(upTo(4));
	});

	test("one run's own rate does not slow another", async () => {
		const gate = new Gate();
		askMany(open(gate, { requestsPerSecond: 1 }), 5);
		const others = askMany(open(gate), 5);
		await pass(0);

		expect(others).toHaveLength(5);
	});

	test('a run that is stopped waits for nothing more, and starts nothing', async () => {
		const controller = new AbortController();
		const lane = open(new Gate(), { requestsPerSecond: 2, signal: controller.signal });
		const turns = askMany(lane, 5);
		await pass(10);

		controller.abort();
		await pass(0);

		expect(turns.map(({ turn }) => turn)).toEqual(['start', ...Array<Turn>(4).fill('stopped')]);
		expect(await lane.turn(9, new MaxWait(0))).toBe('stopped');
	});

	test('n8n gets to do other work between the starts', async () => {
		const lane = open(new Gate());
		for (let request = 0; request < 100; request++) await exchange(lane, TAKEN);

		expect(jest.mocked(giveWay)).toHaveBeenCalledTimes(25);
	});
});

describe('a Retry-After', () => {
	test('holds all runs back, also those that begin later', async () => {
		const gate = new Gate();
		const first = open(gate);
		await exchange(first, refusedFor(3_000));
		const early = askMany(first, 1);
		await pass(1);
		const later = askMany(open(gate), 1);

		await pass(2_998);
		expect([...early, ...later]).toEqual([]);
		await pass(3_000);
		expect([...early, ...later]).toHaveLength(2);
	});

	test('the longest of several counts', async () => {
		const lane = open(new Gate());
		askMany(lane, 2);
		await pass(0);
		endRequest(lane, Date.now(), refusedFor(3_000));
		endRequest(lane, Date.now(), refusedFor(1_000));
		const turns = askMany(lane, 1);
		await pass(60_000);

		expect(times(turns)).toEqual([3_000]);
	});

	test('of no time teaches no rate', async () => {
		const lane = open(new Gate());
		await exchange(lane, refusedFor(0));
		const turns = askMany(lane, 5);
		await pass(0);

		expect(turns).toHaveLength(5);
	});

	test('of more than an item may wait fails it at once', async () => {
		const lane = open(new Gate());
		await exchange(lane, refusedFor(3_600_000));
		const turns = askMany(lane, 3, 600_000);
		await pass(0);

		expect(turns.map(({ turn }) => turn)).toEqual(['expired', 'expired', 'expired']);
		expect(lane.askAgainAt).toBe(Date.now() + 3_600_000);
	});

	test('fails who is already waiting when it comes, too', async () => {
		const lane = open(new Gate(), { requestsPerSecond: 1 });
		const waiting = askMany(lane, 3, 10_000);
		await pass(0);
		endRequest(lane, Date.now(), refusedFor(20_000));
		await pass(0);

		expect(waiting.map(({ turn }) => turn)).toEqual(['start', 'expired', 'expired']);
	});

	test('uses up what an item may wait over several holds', async () => {
		const lane = open(new Gate());
		const maxWait = new MaxWait(5_000);
		await exchange(lane, refusedFor(3_000));
		const first = lane.turn(0, maxWait);
		await pass(3_000);
		expect(await first).toBe('start');
		endRequest(lane, Date.now(), refusedFor(3_000));

		expect(await lane.turn(0, maxWait)).toBe('expired');
	});

	test('a wait for a turn while the service takes requests does not count', async () => {
		const lane = open(new Gate(), { requestsPerSecond: 1 });
		const turns = askMany(lane, 50, 1);
		for (let second = 0; second < 60; second++) {
			await pass(1_000);
			endRequest(lane, Date.now(), TAKEN);
		}

		expect(turns.every(({ turn }) => turn === 'start')).toBe(true);
		expect(turns).toHaveLength(50);
	});

	test('of more than 30 seconds is asked about by a run that begins later, with one request', async () => {
		const gate = new Gate();
		const old = open(gate);
		await exchange(old, refusedFor(60_000));
		const held = askMany(old, 1);
		await pass(1);
		const lane = open(gate);
		const turns = askMany(lane, 3);
		const others = askMany(open(gate), 3);
		await pass(2_000);
		expect(turns.length + others.length + held.length).toBe(1);

		endRequest(lane, Date.now(), TAKEN);
		await pass(2_000);

		expect(turns.length + others.length + held.length).toBeGreaterThan(1);
	});

	test('and if that one is refused, the hold counts for all that have begun', async () => {
		const gate = new Gate();
		await exchange(open(gate), refusedFor(60_000));
		await pass(1);
		const lane = open(gate);
		const turns = askMany(lane, 3, 30_000);
		await pass(2_000);
		endRequest(lane, Date.now(), refusedFor(50_000));
		await pass(0);

		expect(turns.map(({ turn }) => turn)).toEqual(['start', 'expired', 'expired']);
	});

	test.each([2 ** 31, 100 * 365 * 24 * 3_600_000])(
		'of %d ms makes no timer overflow',
		async (holdFor) => {
			const lane = open(new Gate());
			await exchange(lane, refusedFor(holdFor));
			const look = jest.spyOn(Gate.prototype, 'look');
			void lane.turn(0, new MaxWait(Infinity));
			await pass(10_000);

			expect(look.mock.calls.length).toBeLessThanOrEqual(12);
			look.mockRestore();
		},
	);
});

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
		for (let verdict: Verdict | undefined; verdict?.kind !== 'taken';) {
			await lane.turn(order, new MaxWait(600_000));
			const startedAt = Date.now();
			this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
			await new Promise((resolve) => setTimeout(resolve, this.latency / 2));
			verdict = this.take();
			await new Promise((resolve) => setTimeout(resolve, this.latency / 2));
			endRequest(lane, startedAt, verdict);
			if (verdict.kind === 'refused' && verdict.holdFor === undefined)
				await new Promise((resolve) => setTimeout(resolve, 500));
		}
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
