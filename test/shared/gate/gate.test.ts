import { sleep } from 'n8n-workflow';

import { Gate } from '../../../nodes/shared/gate/gate';
import { Turn, type WaitResult } from '../../../nodes/shared/gate/lane';
import {
	askMany,
	endRequest,
	exchange,
	open,
	pass,
	refusedFor,
	takeTurn,
	SERVED,
	upTo,
	useFakeClock,
} from './gateRequests';

useFakeClock();

describe('how many are in flight', () => {
	test('10 at first, twice as many after each round of good answers, 200 at most', async () => {
		const lane = open(new Gate());
		const turns = askMany(lane, 1_000);
		const sizes: number[] = [];
		for (let round = 0, ended = 0; round < 6; round++) {
			await pass(0);
			sizes.push(turns.length - ended);
			for (; ended < turns.length; ended++) endRequest(lane, Date.now(), SERVED);
		}

		expect(sizes).toEqual([10, 20, 40, 80, 160, 200]);
	});

	test('half as many as were after a refusal, not half as many as might have been', async () => {
		const lane = open(new Gate(), { maxConcurrentRequests: 20 });
		let asked = 0;
		const send = async (index: number): Promise<void> => {
			const turn = new Turn(lane, index, 600_000);
			await turn.take();
			const startedAt = Date.now();
			const said = ++asked === 70 ? refusedFor() : SERVED;
			await sleep(600);
			turn.use(startedAt, said);
			turn.leave();
		};
		void Promise.all(upTo(150).map(send));
		while (asked < 70) await pass(1);
		expect(lane.inFlight).toBe(20);
		// Until it is refused, those that began before that have their answers, and the next ones nearly have theirs.
		await pass(600 + 600 + 590);

		expect(lane.inFlight).toBe(10);
	});

	test('slow answers of other runs hold up nobody with nothing in flight', async () => {
		const gate = new Gate();
		const chats = upTo(50).map(() => askMany(open(gate), 1));
		await pass(0);
		expect(chats.flat()).toHaveLength(10);
		// A start each 50 ms.
		await pass(2_000);
		expect(chats.flat()).toHaveLength(50);
		const list = askMany(open(gate), 30);
		await pass(60_000);

		expect(list).toHaveLength(1);
	});

	test('after a refusal they do, until 10 may be in flight again', async () => {
		const gate = new Gate();
		const slow = open(gate);
		askMany(slow, 10);
		await pass(0);
		endRequest(slow, Date.now(), refusedFor());
		const single = open(gate);
		const turns = askMany(single, 1);
		await pass(5_000);
		expect(turns).toEqual([]);

		for (let answer = 0; answer < 5; answer++) endRequest(slow, Date.now(), SERVED);
		askMany(slow, 10);
		await pass(20_000);
		expect(turns).toHaveLength(1);
	});

	test('what a run leaves in flight counts no longer when it is over', async () => {
		const gate = new Gate();
		const lost = open(gate);
		askMany(lost, 10);
		await pass(0);
		const lane = open(gate);
		const turns = askMany(lane, 3);
		await pass(50);
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
			void takeTurn(lane, item, 0).then(() => order.push(item));
		}
		await pass(5_000);

		expect(order).toEqual([5, 2, 6, 7]);
	});

	test('runs take turns: a long list does not hold up a single call', async () => {
		const gate = new Gate();
		const list = open(gate);
		const listTurns = askMany(list, 500);
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

		const told = expected.map((after, order) => ({ order, after, waitResult: 'go' }));
		expect(turns).toEqual(told);
	});

	test('an item that leaves as soon as it has its turn starts nothing, and halts its run before another starts', async () => {
		const controller = new AbortController();
		const lane = open(new Gate(), { signal: controller.signal });
		const ends: WaitResult[] = [];
		for (const index of upTo(5)) {
			const turn = new Turn(lane, index, 0);
			void turn.take().then((waitResult) => {
				ends.push(waitResult);
				controller.abort();
				turn.leave();
			});
		}
		await pass(0);

		expect(ends).toEqual(['go', ...Array<WaitResult>(4).fill('stopped')]);
		expect(lane.inFlight).toBe(0);
		expect(await takeTurn(lane, 9)).toBe('stopped');
	});
});

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
			void new Turn(lane, 0, Infinity).take();
			await pass(10_000);

			expect(wake.mock.calls.length).toBeLessThanOrEqual(12);
			wake.mockRestore();
		},
	);
});
