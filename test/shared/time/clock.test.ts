import { Gate } from '../../../nodes/shared/gate/gate';
import { Turn } from '../../../nodes/shared/gate/lane';
import type { PaceSignal } from '../../../nodes/shared/gate/pace';
import { waitUnlessAborted } from '../../../nodes/shared/time/wait';
import { open, pass, refusedFor, SERVED, useFakeClock } from '../gate/gateRequests';

useFakeClock();

const HOUR = 3_600_000;

const setClock = (by: number): void => {
	jest.setSystemTime(Date.now() + by);
};

/** The time by a clock that nobody sets. */
const steadyNow = (): number => performance.timeOrigin + performance.now();

/** Starts 20 requests, and the answer to the fourth says this; all others are taken. Gives how the waits for turns end. */
function exchangeMany(requestsPerSecond: number, said: PaceSignal) {
	const lane = open(new Gate(), { requestsPerSecond });
	const turns: string[] = [];
	for (let order = 0; order < 20; order++) {
		const turn = new Turn(lane, order, 600_000);
		void turn.take().then((waitResult) => {
			turns.push(waitResult);
			turn.use(steadyNow(), turns.length === 4 ? said : SERVED);
			turn.leave();
		});
	}
	return turns;
}

describe.each([-HOUR, HOUR])('a clock that is set by %d ms', (by) => {
	test.each<[name: string, requestsPerSecond: number, said: PaceSignal]>([
		['Requests per Second', 2, { kind: 'served' }],
		['a learned rate', 0, { kind: 'refused' }],
		['a Retry-After of 20 seconds', 0, { kind: 'refused', holdFor: 20_000 }],
	])('does not change when requests may start: %s', async (_, requestsPerSecond, said) => {
		const expected = exchangeMany(requestsPerSecond, said);
		await pass(30_000);

		const turns = exchangeMany(requestsPerSecond, said);
		await pass(1_000);
		setClock(by);
		await pass(29_000);

		expect(turns).toEqual(expected);
		expect(turns.length).toBeGreaterThan(10);
	});

	test('does not change Max Wait', async () => {
		const turns = new Turn(open(new Gate()), 0, 10_000);
		await turns.take();
		turns.use(steadyNow(), refusedFor());
		turns.giveBack();
		turns.beginWaiting();
		await pass(4_000);
		setClock(by);

		expect(turns.beginWaiting()).toBe(6_000);
	});

	test('does not change a back-off', async () => {
		let isOver = false;
		void waitUnlessAborted(2_500, new AbortController().signal).then(() => {
			isOver = true;
		});
		await pass(10);
		setClock(by);
		await pass(2_400);
		expect(isOver).toBe(false);
		await pass(100);
		expect(isOver).toBe(true);
	});
});
