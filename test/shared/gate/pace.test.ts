import { Pace, type PaceSignal } from '../../../nodes/shared/gate/pace';
import { refusedFor, SERVED, upTo } from './gateRequests';

type Answers = readonly [at: number, signal: PaceSignal, count: number, inFlight: number];

/** The pace after so many answers at a time, each to one of so many requests in flight. */
function after(...answers: readonly Answers[]) {
	const pace = new Pace();
	for (const [at, signal, count, inFlight] of answers)
		for (let answer = 0; answer < count; answer++) pace.learn(at - 1, signal, at, inFlight);
	return pace;
}

const REFUSED = refusedFor();

test('what may be in flight rises to twice what was', () => {
	const pace = after([9_000, SERVED, 400, 6]);

	expect([11, 12].map((inFlight) => pace.nextStart(inFlight, false))).toEqual([0, Infinity]);
});

test('beyond what may be in flight, a run that has none starts one, up to 200', () => {
	const starts = [10, 199, 200].map((inFlight) => new Pace().nextStart(inFlight, true));

	expect(starts.map((start) => start < Infinity)).toEqual([true, true, false]);
});

/** The first refusal sets nine tenths of the 20 that were served in the second before. */
const RATE_18: Answers[] = [
	[9_000, SERVED, 20, 20],
	[9_500, REFUSED, 1, 20],
];

test.each<[string, Answers[], number]>([
	['the first refusal sets nine tenths of what was served', [], 18],
	['a later one leaves half of the rate, however few were served', [[11_000, REFUSED, 1, 1]], 9],
	['one of the same second counts no more', [[10_500, REFUSED, 1, 1]], 18],
	['and 1', upTo(9).map((order) => [11_000 + 2_000 * order, REFUSED, 1, 1]), 1],
])('%s; a late start makes up 50 ms', (_, refusals, rate) => {
	const pace = after(...RATE_18, ...refusals);
	pace.started(60_000);

	expect(pace.nextStart(0, false)).toBeCloseTo(60_000 - 50 + 1_000 / rate);
});

test('but not of a hold', () => {
	const pace = after([9_000, refusedFor(20_000), 1, 1]);
	pace.started(29_010);

	expect(pace.nextStart(0, false)).toBe(29_000 + 1_000);
});
