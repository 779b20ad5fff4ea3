import type { Lane, Turn, WaitEnd } from '../../../nodes/shared/gate/lane';
import {
	askMany,
	endRequest,
	exchange,
	open,
	pass,
	refusedFor,
	useFakeClock,
	Gate,
} from './gateRequests';

useFakeClock();

describe('a Retry-After', () => {
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

	test('of an hour is asked about by one request also after a minute without a run', async () => {
		const gate = new Gate();
		const refused = open(gate);
		await exchange(refused, refusedFor(3_600_000));
		refused.close();
		await pass(90_000);

		const turns = askMany(open(gate), 5);
		await pass(2_000);

		expect(turns).toHaveLength(1);
	});

	test.each([2 ** 31, 100 * 365 * 24 * 3_600_000])(
		'of %d ms makes no timer overflow',
		async (holdFor) => {
			const lane = open(new Gate());
			await exchange(lane, refusedFor(holdFor));
			const wake = jest.spyOn(Gate.prototype, 'wake');
			void lane.enter(0, Infinity).take();
			await pass(10_000);

			expect(wake.mock.calls.length).toBeLessThanOrEqual(12);
			wake.mockRestore();
		},
	);
});

describe('Max Wait', () => {
	/** An item with a Max Wait of 5 seconds that the service has just refused. */
	async function refusedItem(lane: Lane): Promise<Turn> {
		const turn = lane.enter(1, 5_000);
		await turn.take();
		turn.use(Date.now(), refusedFor());
		turn.beginWaiting();
		turn.giveBack();
		return turn;
	}

	test('goes on while the item waits for an answer', async () => {
		const lane = open(new Gate());
		const turn = await refusedItem(lane);
		await pass(1_000);
		expect(await turn.take()).toBe('go');
		await pass(5_000);

		expect(turn.beginWaiting()).toBe(-1_000);
	});

	test('does not begin before there is a seat for the item', async () => {
		const lane = open(new Gate(), { maxConcurrentRequests: 1 });
		const first = lane.enter(0, 600_000);
		await first.take();
		const turns = askMany(lane, 1, 10_000);
		first.use(Date.now(), refusedFor(20_000));
		first.giveBack();
		await pass(19_000);
		expect(turns).toEqual([]);

		first.leave();
		await pass(2_000);

		expect(turns).toMatchObject([{ waitEnd: 'go' }]);
	});

	test.each([
		[5_000, 'go'],
		[5_001, 'expired'],
	])('of 5 seconds lasts for a Retry-After of %d ms: %s', async (holdFor, expected) => {
		const lane = open(new Gate());
		askMany(lane, 1);
		await pass(0);
		endRequest(lane, Date.now(), refusedFor(holdFor));
		const turns = askMany(lane, 1, 5_000);
		await pass(0);
		expect(turns).toHaveLength(expected === 'go' ? 0 : 1);
		await pass(5_000);

		expect(turns).toMatchObject([{ waitEnd: expected }]);
	});
});

test('an item that takes another turn gives back the one that it has used', async () => {
	const turn = open(new Gate()).enter(0, 0);
	const taken: WaitEnd[] = [];
	for (let request = 0; request < 50; request++) {
		void turn.take().then((waitEnd) => taken.push(waitEnd));
		await pass(0);
		turn.use(Date.now(), { kind: 'unknown' });
	}

	expect(taken).toEqual(Array(50).fill('go'));
});
