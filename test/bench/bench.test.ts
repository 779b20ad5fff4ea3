import fc from 'fast-check';
import {
	agedTargets,
	nameOf,
	VETERANS,
	type AgedSample,
	type Veteran,
} from '../../playground/bench/aged';
import { idealEnd } from '../../playground/bench/bursts';
import { ratioOf, show, spreadOf } from '../../playground/bench/figures';
import { inRounds } from '../../playground/bench/rounds';
import { outcomeOf } from '../../playground/bench/service';
import type { Arrival } from '../simulator/control';
import { limiterOf } from '../simulator/rateLimiter';

it.each([
	[[3, 1, 2], 0, '2 (1–3)'],
	[[1.04, 1.06], 1, '1.1 (1.0–1.1)'],
	[[161], 0, '161'],
	[[NaN], 0, '–'],
])('writes %j with %d digits as %s', (values, digits, expected) => {
	expect(show(spreadOf(values), digits)).toBe(expected);
});

it('compares the rounds that both runners have', () => {
	expect(ratioOf([2, 6, NaN], [1, 2, 1, 9], (value) => value)).toEqual({
		median: 4 / 1.5,
		min: 2,
		max: 3,
	});
});

it('runs each runner once in every round, one at a time, another one first in each, and the slow one in the first rounds only', async () => {
	const log: string[] = [];
	const samples = await inRounds(
		[2, 1],
		['node', 'declarative', 'floor'],
		async (runner) => {
			log.push(`${runner} begins`);
			await Promise.resolve();
			log.push(`${runner} ends`);
			return log.length;
		},
		(line) => log.push(line),
		(sample, runner) => `${runner} ${sample}`,
	);

	expect([...samples.values()].map((all) => all.length)).toEqual([2, 1, 2]);
	expect(log).toEqual([
		...['node', 'declarative', 'floor'].flatMap((one) => [`${one} begins`, `${one} ends`]),
		'round 1: node 2 · declarative 4 · floor 6',
		...['floor', 'node'].flatMap((one) => [`${one} begins`, `${one} ends`]),
		'round 2: floor 9 · node 11',
	]);
});

it('gives the end of a burst when the limiter of the service serves whoever asks in each millisecond', () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 40 }),
			// Those of which a request takes whole milliseconds.
			fc.constantFrom(1, 2, 4, 5, 8),
			fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
			(unordered, requestsPerSecond, bucket) => {
				const limit = { requestsPerSecond, bucket };
				const cameAt = unordered.sort((a, b) => a - b);
				const limiter = limiterOf(limit);
				let served = 0;
				let now = 0;
				for (; served < cameAt.length; now++) {
					while ((cameAt[served] ?? Infinity) <= now && limiter.secondsToWait(now) === 0) served++;
				}
				expect(idealEnd(cameAt, limit)).toBe(now - 1);
			},
		),
		{ numRuns: 100 },
	);
});

it('counts by who was called', () => {
	const arrivals = ['1 ok', '2 no', '2 no', '2 ok', '3 ok', '3 ok', '4 no'].map((one): Arrival => {
		const [recipient = '', answer] = one.split(' ');
		const processed = answer === 'ok';
		return { endpoint: 'placeCall', recipient, at: 0, processed, status: processed ? 201 : 429 };
	});

	expect(outcomeOf(arrivals, 5)).toEqual({
		once: 2,
		moreThanOnce: 1,
		lost: 2,
		requestsPerCall: 7 / 5,
		mostRequests: 3,
	});
});

/** What is not met where every aged node keeps its promises up to the bound, but for what is said of one. */
function broken(
	{ runner, age }: Veteran,
	milliseconds: number,
	more: Partial<AgedSample>,
): string[] {
	const samples = VETERANS.map((veteran): [string, AgedSample[]] => {
		const isIt = veteran.runner === runner && veteran.age === age;
		const busyMilliseconds = isIt && more.bytes === 0 ? 101 : 100;
		const times = { milliseconds: 0, cpuMilliseconds: 0, freezeMilliseconds: 999 };
		const sample: AgedSample = {
			veteran,
			// One call that met something else does not count.
			milliseconds: isIt ? [milliseconds, 10_000, milliseconds] : [40],
			cost: { ...times, busyMilliseconds, peakHeapBytes: 0 },
			...{ perCall: 2, perLaterCall: 2, bytes: 1e6 },
			...(isIt && more),
		};
		return [nameOf(veteran), [sample, sample]];
	});
	return agedTargets(new Map(samples)).flatMap(({ isMet, measured }) => (isMet ? [] : measured));
}

it.each<[Veteran['runner'], number, number, Partial<AgedSample>, string | undefined]>([
	['node', 5000, 50, {}, undefined],
	['node', 5000, 51, {}, '1.27'],
	['node', 50_000, 68, {}, undefined],
	['node', 50_000, 69, {}, '1.73'],
	['nodeNotAgain', 50_000, 80, {}, undefined],
	['nodeNotAgain', 50_000, 81, {}, '2.02'],
	['nodeNotAgain', 50_000, 40, { bytes: 1.01e6 }, '1.01 MB'],
	['nodeNotAgain', 50_000, 40, { bytes: 0 }, '101 ms'],
	['nodeNotAgain', 0, 40, { perLaterCall: 3 }, 'Not Again Within: 2, 3.00'],
])(
	'of %s after %d calls with %d ms and %j, says which promise is broken',
	(runner, age, ms, more, said) => {
		const expected: unknown[] = said === undefined ? [] : [expect.stringContaining(said)];
		expect(broken({ runner, age }, ms, more)).toEqual(expected);
	},
);
