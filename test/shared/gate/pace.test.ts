import { Pace, type PaceSignal } from '../../../nodes/shared/gate/pace';
import { refusedFor, SERVED, upTo } from './gateRequests';

/** So many answers at a time, each to one of so many requests in flight that began just before. */
type Answers = readonly [at: number, signal: PaceSignal, count: number, inFlight: number];

function after(...answers: readonly Answers[]) {
	const pace = new Pace();
	for (const [at, signal, count, inFlight] of answers)
		for (let answer = 0; answer < count; answer++) pace.learn(at - 1, signal, at, inFlight);
	return pace;
}

const REFUSED = refusedFor();
const HALVED: Answers = [9_000, REFUSED, 1, 10];

test.each<[string, Answers[], number]>([
	['10 at first', [], 10],
	['twice as many after as many good answers', [[9_000, SERVED, 10, 10]], 20],
	['not after fewer', [[9_000, SERVED, 9, 10]], 10],
	['not again after fewer', [[9_000, SERVED, 29, 100]], 20],
	['not beyond twice what was', [[9_000, SERVED, 400, 6]], 12],
	['no fewer if few were', [[9_000, SERVED, 10, 2]], 10],
	['not beyond 200', [[9_000, SERVED, 1_000, 1_000]], 200],
	['half as many after a refusal', [[9_000, REFUSED, 1, 100]], 5],
	['half as many as were', [[9_000, REFUSED, 1, 6]], 3],
	['1 at least', [[9_000, REFUSED, 1, 1]], 1],
	['no more by answers to earlier requests', [HALVED, [9_000, SERVED, 10, 10]], 5],
	['again more by later ones', [HALVED, [9_002, SERVED, 5, 10]], 10],
	['not by those before', [[8_999, SERVED, 9, 10], HALVED, [9_002, SERVED, 4, 10]], 5],
])('what may be in flight: %s', (_, answers, count) => {
	const pace = after(...answers);
	const mayStart = (inFlight: number) => pace.nextStart(inFlight, false) < Infinity;

	expect(upTo(300).filter(mayStart)).toHaveLength(count);
});

test.each<[string, Answers[], number, boolean]>([
	['starts one', [], 10, true],
	['starts one, up to 200', [], 199, true],
	['starts none beyond 200', [], 200, false],
	['starts none after a refusal', [HALVED], 5, false],
	['starts one again when 10 may be', [HALVED, [9_002, SERVED, 5, 10]], 10, true],
])('beyond that, a run that has none %s', (_, answers, inFlight, mayStart) => {
	expect(after(...answers).nextStart(inFlight, true) < Infinity).toBe(mayStart);
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
