import { count, table, targetTable, type Target } from '../markdown';
import { measuredOn, type Report } from '../page';
import { samplesOf } from '../rounds';
import { RUNNER_NAMES, type RunnerId } from '../runners';
import { scaled, spreadOf, withSpread, type Spread } from '../statistics';
import type { Limit } from './figures';
import type {
	BesideListMeasurement,
	BesideListSample,
	BurstMeasurement,
	BurstSample,
} from './measure';

/** What was measured of executions of one call each. */
export interface BurstMeasurements {
	bursts: BurstMeasurement[];
	besideLists: BesideListMeasurement[];
}

const SECOND = 1000;
const MAX_REQUESTS = 2;
const MAX_TIME = 1.2;
const MAX_IN_BETWEEN = 10;

const BURST_COLUMNS = [
	'Runner',
	'called once',
	'twice',
	'lost',
	'failed executions',
	'requests per call',
	'most for one call',
	'time, s',
	'without the limit, s',
	'ideal, s',
	'× ideal',
];

const BESIDE_LIST_COLUMNS = [
	'Runner',
	'called',
	'lost',
	'wait, ms',
	'with nothing else going on, ms',
	'ratio',
	'requests of the list in between',
];

const least = (values: readonly number[]): number => Math.min(...values);

const most = (values: readonly number[]): number => Math.max(...values);

const show = (spread: Spread | undefined, digits: number): string =>
	spread ? withSpread(spread, digits) : '–';

/** Over the rounds; nothing where somebody was lost, since fewer calls take less time. */
const timeOverIdeal = (samples: readonly BurstSample[]): Spread | undefined =>
	samples.some(({ outcome }) => outcome.lost > 0)
		? undefined
		: spreadOf(samples.map(({ end, idealEnd }) => end / idealEnd));

function burstRow(measurement: BurstMeasurement, runner: RunnerId): string[] {
	const samples = samplesOf(measurement, runner);
	const outcomes = samples.map(({ outcome }) => outcome);
	const inSeconds = (times: number[]): string => {
		const spread = spreadOf(times);
		return show(spread && scaled(spread, SECOND), 1);
	};
	return [
		RUNNER_NAMES[runner],
		`${least(outcomes.map(({ once }) => once))}`,
		`${most(outcomes.map(({ moreThanOnce }) => moreThanOnce))}`,
		`${most(outcomes.map(({ lost }) => lost))}`,
		`${most(outcomes.map(({ failed }) => failed))}`,
		show(spreadOf(outcomes.map(({ requestsPerCall }) => requestsPerCall)), 2),
		`${most(outcomes.map(({ mostRequests }) => mostRequests))}`,
		inSeconds(samples.map(({ end }) => end)),
		inSeconds(samples.map(({ unlimitedEnd }) => unlimitedEnd)),
		inSeconds(samples.map(({ idealEnd }) => idealEnd)),
		show(timeOverIdeal(samples), 2),
	];
}

const median = (values: readonly number[]): number => spreadOf(values)?.median ?? NaN;

/** How many times as long a call waits beside the list: the medians of each round. */
const waitRatio = (samples: readonly BesideListSample[]): Spread | undefined =>
	spreadOf(
		samples.flatMap(({ idle, besideList }) =>
			besideList.length > 0 ? median(besideList) / median(idle) : [],
		),
	);

function besideListRow(measurement: BesideListMeasurement, runner: RunnerId): string[] {
	const samples = samplesOf(measurement, runner);
	return [
		RUNNER_NAMES[runner],
		`${samples.reduce((sum, { besideList }) => sum + besideList.length, 0)}`,
		`${samples.reduce((sum, { lost }) => sum + lost, 0)}`,
		show(spreadOf(samples.flatMap(({ besideList }) => besideList)), 0),
		show(spreadOf(samples.flatMap(({ idle }) => idle)), 0),
		show(waitRatio(samples), 2),
		show(spreadOf(samples.flatMap(({ inBetween }) => inBetween)), 0),
	];
}

function limitOf(limit: Limit | null): string {
	if (limit === null) return 'the service allows everything';
	const { requestsPerSecond, bucket } = limit;
	const kind = bucket === undefined ? 'within any second' : `a second, ${bucket} at once`;
	return `the service allows ${requestsPerSecond} requests ${kind}`;
}

const burstTables = ({ bursts, besideLists }: BurstMeasurements): string[] => [
	...bursts.flatMap((measurement) => {
		const { executions, limit, runners } = measurement.scenario;
		const rounds = measurement.rounds.length;
		return [
			`### ${count(executions)} executions of one call each at the same moment, ${limitOf(limit)}: ${rounds} rounds`,
			table(
				BURST_COLUMNS,
				runners.map((runner) => burstRow(measurement, runner)),
			),
		];
	}),
	...besideLists.flatMap((measurement) => {
		const { list, singles, limit, runners } = measurement.scenario;
		const rounds = measurement.rounds.length;
		return [
			`### A single call beside a list of ${count(list)}, ${limitOf(limit)}: ${singles} calls in each of ${rounds} rounds`,
			table(
				BESIDE_LIST_COLUMNS,
				runners.map((runner) => besideListRow(measurement, runner)),
			),
		];
	}),
];

function targetsOfBurst(measurement: BurstMeasurement): Target[] {
	const { executions, limit } = measurement.scenario;
	const samples = samplesOf(measurement, 'node');
	const outcomes = samples.map(({ outcome }) => outcome);
	const once = least(outcomes.map((outcome) => outcome.once));
	const twice = most(outcomes.map(({ moreThanOnce }) => moreThanOnce));
	const lost = most(outcomes.map((outcome) => outcome.lost));
	const failed = most(outcomes.map((outcome) => outcome.failed));
	const requests = most(outcomes.map(({ mostRequests }) => mostRequests));
	const time = timeOverIdeal(samples);
	return [
		{
			promise: `${count(executions)} executions of one call each at once, ${limitOf(limit)}: everybody called once`,
			measured: `${count(once)} once, ${twice} twice, ${lost} lost, ${failed} executions failed`,
			isMet: once === executions && failed === 0,
		},
		{
			promise: `The same: at most ${MAX_REQUESTS} requests for each call`,
			measured: `at most ${requests}, on average ${show(spreadOf(outcomes.map(({ requestsPerCall }) => requestsPerCall)), 2)}`,
			isMet: requests <= MAX_REQUESTS,
		},
		{
			promise: `The same: time over the ideal time, at most ${MAX_TIME}`,
			measured: show(time, 2),
			isMet: time !== undefined && time.median <= MAX_TIME,
		},
	];
}

function targetOfBesideList(measurement: BesideListMeasurement): Target {
	const { list, limit } = measurement.scenario;
	const samples = samplesOf(measurement, 'node');
	const inBetween = spreadOf(samples.flatMap((sample) => sample.inBetween));
	const lost = samples.reduce((sum, sample) => sum + sample.lost, 0);
	return {
		promise: `A single call beside a list of ${count(list)}, ${limitOf(limit)}: at most ${MAX_IN_BETWEEN} requests of the list from its event to its call`,
		measured: `${show(inBetween, 0)}, ${lost} lost; ${show(waitRatio(samples), 2)} times the wait with nothing else going on`,
		isMet: lost === 0 && inBetween !== undefined && inBetween.max <= MAX_IN_BETWEEN,
	};
}

const burstTargets = ({ bursts, besideLists }: BurstMeasurements): Target[] => [
	...bursts.flatMap(targetsOfBurst),
	...besideLists.filter(({ scenario }) => scenario.limit !== null).map(targetOfBesideList),
];

/** Everything that was measured, as Markdown. */
export const burstReport = (measurements: BurstMeasurements): Report => ({
	targets: [measuredOn(), targetTable(burstTargets(measurements))].join('\n\n'),
	figures: burstTables(measurements).join('\n\n'),
});
