import type { AgedMeasurement, AgedSample } from '../../playground/bench/aged/measure';
import { nameOf, VETERANS, type Veteran } from '../../playground/bench/aged/scenarios';
import { targetsOf } from '../../playground/bench/aged/targets';

interface Figures {
	milliseconds: number;
	busyMilliseconds: number;
	bytes: number;
	perLaterCall: number;
}

const KEPT: Figures = { milliseconds: 40, busyMilliseconds: 100, bytes: 1e6, perLaterCall: 2 };

/** Two rounds in which every node keeps its promises, but for what is said of one. */
function measurement(of?: Veteran, broken: Partial<Figures> = {}): AgedMeasurement {
	const figuresOf = (one: Veteran): Figures =>
		of !== undefined && nameOf(one) === nameOf(of) ? { ...KEPT, ...broken } : KEPT;
	const sampleOf = (one: Veteran): AgedSample => {
		const { milliseconds, busyMilliseconds } = figuresOf(one);
		const heap = { peakHeapBytes: 0, peakRssBytes: 0 };
		return {
			runner: nameOf(one),
			// One call that met something else does not count.
			milliseconds: [milliseconds, 10_000, milliseconds],
			cost: {
				milliseconds: 0,
				cpuMilliseconds: 0,
				freezeMilliseconds: 999,
				busyMilliseconds,
				...heap,
			},
		};
	};
	const rounds = [VETERANS.map(sampleOf), VETERANS.toReversed().map(sampleOf)];
	const marks = VETERANS.map((one) => {
		const { bytes, perLaterCall } = figuresOf(one);
		return [nameOf(one), { perCall: 2, perLaterCall, rows: { bytes, marks: 0 } }] as const;
	});
	return { singles: rounds, bursts: rounds, marks: Object.fromEntries(marks) };
}

const broken = (measured: AgedMeasurement): string[] =>
	targetsOf(measured).flatMap(({ isMet, measured: said }) => (isMet ? [] : said));

it('says that every promise about an aged node is kept, up to its bound', () => {
	expect(broken(measurement())).toEqual([]);
	for (const [runner, age, milliseconds] of [
		['node', 5000, 50],
		['node', 50_000, 68],
		['nodeNotAgain', 50_000, 80],
	] as const) {
		expect(broken(measurement({ runner, age }, { milliseconds }))).toEqual([]);
	}
});

it.each<[Veteran['runner'], number, Partial<Figures>, string]>([
	['node', 5000, { milliseconds: 51 }, '1.27'],
	['node', 50_000, { milliseconds: 69 }, '1.73'],
	['nodeNotAgain', 50_000, { milliseconds: 81 }, '2.02'],
	['nodeNotAgain', 50_000, { bytes: 1.01e6 }, '1.01 MB'],
	['nodeNotAgain', 50_000, { busyMilliseconds: 101 }, '101 ms'],
	['nodeNotAgain', 0, { perLaterCall: 3 }, 'Not Again Within: 2, 3.00'],
])('says which promise %s after %d calls breaks with %j', (runner, age, figures, said) => {
	expect(broken(measurement({ runner, age }, figures))).toEqual([expect.stringContaining(said)]);
});
