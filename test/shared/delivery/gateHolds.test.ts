import { Gate } from '../../../nodes/shared/delivery/gate';
import type { ItemTurns, Lane } from '../../../nodes/shared/delivery/lane';
import {
	askMany,
	endRequest,
	enter,
	exchange,
	open,
	pass,
	refusedFor,
	TAKEN,
	times,
	useFakeClock,
} from './gateRequests';

// What is made beside the event loop does not go by the clock of these tests; see wait.test.ts.
jest.mock('../../../nodes/shared/time/wait', () => ({
	...jest.requireActual<object>('../../../nodes/shared/time/wait'),
	giveWay: jest.fn(),
}));

useFakeClock();

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
		const turns = enter(lane, 0, 5_000);
		await exchange(lane, refusedFor(3_000));
		const first = turns.take();
		await pass(3_000);
		expect(await first).toBe('start');
		turns.use(Date.now(), refusedFor(3_000));
		turns.giveBack();

		expect(await turns.take()).toBe('expired');
	});

	test('a wait for a turn while the service takes requests does not count', async () => {
		const lane = open(new Gate(), { requestsPerSecond: 1 });
		const turns = askMany(lane, 50, 1);
		for (let second = 0; second < 50; second++) {
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

	test('and if the item that would ask is held back at that moment, the next run asks', async () => {
		const gate = new Gate();
		await exchange(open(gate), refusedFor(60_000));
		await pass(1);
		const turn = open(gate)
			.enter(0, 600_000, () => false)
			.take();
		const turns = askMany(open(gate), 1, 10_000);
		await pass(5_000);

		expect(await turn).toBe('barred');
		expect(turns.map((other) => other.turn)).toEqual(['start']);
	});

	test('and if its run is over before an answer comes, the next run asks', async () => {
		const gate = new Gate();
		await exchange(open(gate), refusedFor(60_000));
		await pass(1);
		const lost = open(gate);
		askMany(lost, 1);
		const turns = askMany(open(gate), 1);
		await pass(2_000);
		expect(turns).toEqual([]);

		lost.close();
		await pass(2_000);

		expect(turns).toHaveLength(1);
	});

	test.each([2 ** 31, 100 * 365 * 24 * 3_600_000])(
		'of %d ms makes no timer overflow',
		async (holdFor) => {
			const lane = open(new Gate());
			await exchange(lane, refusedFor(holdFor));
			const wake = jest.spyOn(Gate.prototype, 'wake');
			void enter(lane, 0, Infinity).take();
			await pass(10_000);

			expect(wake.mock.calls.length).toBeLessThanOrEqual(12);
			wake.mockRestore();
		},
	);
});

describe('Max Wait', () => {
	/** An item that the service has refused, and that has waited for 4 of its 5 seconds. */
	async function waitOf4Seconds(lane: Lane): Promise<ItemTurns> {
		const turns = enter(lane, 1, 5_000);
		await turns.take();
		turns.use(Date.now(), refusedFor());
		turns.waitLeft();
		turns.giveBack();
		await pass(4_000);
		return turns;
	}

	test('goes on after a good answer to a request from before the last refusal', async () => {
		const lane = open(new Gate(), { requestsPerSecond: 0.1 });
		await exchange(lane, TAKEN);
		await pass(10_000);
		const earlier = Date.now() - 1;
		const turns = await waitOf4Seconds(lane);
		const turn = turns.take();
		lane.gate.learn(earlier, TAKEN);
		await pass(1_000);

		expect(await turn).toBe('expired');
	});

	test('stands still while the service takes requests, also when it is used up', async () => {
		const lane = open(new Gate());
		const turns = await waitOf4Seconds(lane);
		await pass(2_000);
		expect(turns.waitLeft()).toBeLessThan(0);
		lane.gate.learn(Date.now(), TAKEN);

		expect(await turns.take()).toBe('start');
	});
});
