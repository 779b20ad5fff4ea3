import { Gate } from '../../../nodes/shared/delivery/gate';
import { ItemTurns } from '../../../nodes/shared/delivery/itemTurns';
import { MaxWait } from '../../../nodes/shared/delivery/maxWait';
import {
	askMany,
	endRequest,
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

	test('and if the item that would ask is held back at that moment, the next run asks', async () => {
		const gate = new Gate();
		await exchange(open(gate), refusedFor(60_000));
		await pass(1);
		const turn = new ItemTurns(open(gate), 0, 600_000, () => false).take();
		const turns = askMany(open(gate), 1, 10_000);
		await pass(5_000);

		expect(await turn).toBe('stopped');
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
			const look = jest.spyOn(Gate.prototype, 'look');
			void lane.turn(0, new MaxWait(Infinity));
			await pass(10_000);

			expect(look.mock.calls.length).toBeLessThanOrEqual(12);
			look.mockRestore();
		},
	);
});
