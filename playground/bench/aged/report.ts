import { table, targetTable } from '../markdown';
import { measuredOn, type Report } from '../page';
import { scaled, withSpread, type Spread } from '../statistics';
import type { AgedMeasurement, AgedSample } from './measure';
import { nameOf, VETERANS, type Veteran } from './scenarios';
import { figureOf, targetsOf, timeOf, timesNew } from './targets';

const SECOND = 1000;
const MEGABYTE = 1e6;

const COLUMNS = [
	'Runner',
	'marks per call',
	'row, MB',
	'one call, ms',
	'× new',
	'longest freeze, ms',
	'of it busy, ms',
	'100 at once, s',
	'× new',
	'longest freeze, ms',
];

const show = (spread: Spread | undefined, digits: number, unit = 1): string =>
	spread ? withSpread(scaled(spread, unit), digits) : '–';

const freeze = ({ cost }: AgedSample): number => cost.freezeMilliseconds;
const busy = ({ cost }: AgedSample): number => cost.busyMilliseconds;

function row({ singles, bursts, marks }: AgedMeasurement, veteran: Veteran): string[] {
	const { perCall = NaN, rows } = marks[nameOf(veteran)] ?? {};
	const isAged = veteran.age > 0;
	return [
		nameOf(veteran),
		`${perCall}`,
		((rows?.bytes ?? NaN) / MEGABYTE).toFixed(2),
		show(figureOf(singles, veteran, timeOf), 0),
		isAged ? show(timesNew(singles, veteran), 2) : '',
		show(figureOf(singles, veteran, freeze), 0),
		show(figureOf(singles, veteran, busy), 0),
		show(figureOf(bursts, veteran, timeOf), 1, SECOND),
		isAged ? show(timesNew(bursts, veteran), 2) : '',
		show(figureOf(bursts, veteran, freeze), 0),
	];
}

/** Everything that was measured, as Markdown. */
export function agedReport(measurement: AgedMeasurement): Report {
	const { singles, bursts } = measurement;
	const calls = singles[0]?.[0]?.milliseconds.length ?? 0;
	const title = `### ${singles.length} rounds of ${calls} calls, and ${bursts.length} of 100 at once`;
	const rows = VETERANS.map((veteran) => row(measurement, veteran));
	return {
		targets: [measuredOn(), targetTable(targetsOf(measurement))].join('\n\n'),
		figures: [title, table(COLUMNS, rows)].join('\n\n'),
	};
}
