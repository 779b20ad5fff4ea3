import { Gate } from '../../../nodes/shared/gate/gate';
import { Turn, type Lane, type WaitResult } from '../../../nodes/shared/gate/lane';
import { ask, end, open, pass, refusedFor, SERVED, upTo, useFakeClock } from './gateRequests';

useFakeClock();

describe('how many are in flight', () => {
	test('twice as many after a round of good answers, half as many as were after a refusal', async () => {
		const lane = open(new Gate(), { maxConcurrentRequests: 20 });
		const turns = ask(lane, upTo(10 + 20 + 20 + 1));
		await pass(0);
		for (const inFlight of [10, 20, 20]) {
			expect(lane.inFlight).toBe(inFlight);
			end(turns.splice(0), SERVED);
			await pass(0);
		}
		const laterTurns = ask(lane, upTo(100));
		await pass(0);
		end(laterTurns.splice(0, 1), refusedFor());
		end(laterTurns.splice(0), SERVED);
		await pass(5_000);

		expect(lane.inFlight).toBe(10);
	});

	test('a run that has none starts one beside slow ones of other runs, and more when these are over', async () => {
		const gate = new Gate();
		const slow = open(gate);
		ask(slow, upTo(5));
		ask(open(gate), upTo(5));
		await pass(0);
		const turns = ask(open(gate), upTo(30));
		await pass(60_000);
		expect(turns.map(({ after }) => after)).toEqual([50]);

		slow.close();
		await pass(0);

		expect(turns).toHaveLength(5);
	});
});

describe('turns', () => {
	test.each([
		[1, [0, 1_000, 2_000, 3_000]],
		[5, [0, 200, 400, 600]],
		[1_000, [0, 1, 2, 3]],
	])('%i a second of a run are spread evenly, earlier items first', async (perSecond, times) => {
		const turns = ask(open(new Gate(), { requestsPerSecond: perSecond }), [5, 6, 2, 7]);
		await pass(5_000);

		expect(turns.map(({ turn }) => turn.index)).toEqual([5, 2, 6, 7]);
		expect(turns.map(({ after }) => after)).toEqual(times);
	});

	test('runs take turns: a long list does not hold up a single call', async () => {
		const gate = new Gate();
		const list = ask(open(gate), upTo(500));
		await pass(0);
		const single = ask(open(gate), [0]);

		end(list.splice(0, 2), { kind: 'unknown' });
		await pass(0);

		expect(single).toHaveLength(1);
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
		expect(await new Turn(lane, 9, 0).take()).toBe('stopped');
	});
});

describe('a Retry-After', () => {
	async function openRefused(gate: Gate, holdFor: number): Promise<Lane> {
		const lane = open(gate);
		const turns = ask(lane, [0]);
		await pass(0);
		end(turns, refusedFor(holdFor));
		return lane;
	}

	test('of more than 30 seconds is asked about by the next run if the run that asks is over before an answer comes', async () => {
		const gate = new Gate();
		await openRefused(gate, 60_000);
		await pass(1);
		const lost = open(gate);
		ask(lost, [0]);
		const turns = ask(open(gate), [0]);
		await pass(2_000);
		expect(turns).toEqual([]);

		lost.close();
		await pass(2_000);

		expect(turns).toHaveLength(1);
	});

	test('of an hour is asked about by one request also after a minute without a run', async () => {
		const gate = new Gate();
		const refused = await openRefused(gate, 3_600_000);
		refused.close();
		await pass(90_000);

		const turns = ask(open(gate), upTo(5));
		await pass(2_000);

		expect(turns).toHaveLength(1);
	});

	test.each([2 ** 31, 2 ** 41])('of %d ms makes no timer overflow', async (holdFor) => {
		const lane = await openRefused(new Gate(), holdFor);
		const wake = jest.spyOn(Gate.prototype, 'wake');
		void new Turn(lane, 0, Infinity).take();
		await pass(10_000);

		expect(wake.mock.calls.length).toBeLessThanOrEqual(12);
	});
});
