import type { ItemTurns, Lane, WaitEnd } from '../../../nodes/shared/delivery/lane';
import {
	askMany,
	enter,
	exchange,
	open,
	pass,
	refusedFor,
	TAKEN,
	useFakeClock,
	Gate,
} from './gateRequests';

useFakeClock();

describe('a Retry-After', () => {
	test('of no time teaches no rate', async () => {
		const lane = open(new Gate());
		await exchange(lane, refusedFor(0));
		const turns = askMany(lane, 5);
		await pass(0);

		expect(turns).toHaveLength(5);
	});

	test('of more than 30 seconds is asked about by the next run if the item that would ask is held back', async () => {
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

	test('of more than 30 seconds is asked about by the next run if the run that asks is over before an answer comes', async () => {
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
		turns.beginWaiting();
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
		expect(turns.beginWaiting()).toBeLessThan(0);
		lane.gate.learn(Date.now(), TAKEN);

		expect(await turns.take()).toBe('start');
	});

	test('does not begin before there is a seat for the item', async () => {
		const lane = open(new Gate(), { maxConcurrentRequests: 1 });
		const first = enter(lane, 0);
		await first.take();
		const turns = askMany(lane, 1, 10_000);
		first.use(Date.now(), refusedFor(20_000));
		first.giveBack();
		await pass(19_000);
		expect(turns).toEqual([]);

		first.leave();
		await pass(2_000);

		expect(turns).toMatchObject([{ turn: 'start' }]);
	});
});

test('an item that takes another turn gives back the one that it has used', async () => {
	const turns = enter(open(new Gate()), 0);
	const taken: WaitEnd[] = [];
	for (let request = 0; request < 50; request++) {
		void turns.take().then((turn) => taken.push(turn));
		await pass(0);
		turns.use(Date.now(), { kind: 'unknown' });
	}

	expect(taken).toEqual(Array(50).fill('start'));
});
