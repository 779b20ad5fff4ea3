import { costOf } from './figures';
import { count } from './markdown';
import type { Measurement } from './measure';
import type { Cost } from './nodes/probe';
import { RUNNER_NAMES, type RunnerId } from './runners';

const COLORS: Partial<Record<RunnerId, string>> = {
	node: '#0b7a75',
	httpRequest: '#c2410c',
	declarative: '#7c3aed',
	floor: '#6b7280',
};

const WIDTH = 920;
const HEIGHT = 400;
const PANEL = { width: 360, height: 270, top: 56 };

interface Axis {
	title: string;
	figure: keyof Cost;
	/** Figures are divided by this for the axis. */
	unit: number;
	min: number;
	max: number;
	left: number;
}

const ITEMS = { min: 80, max: 25_000 };

const AXES: readonly Axis[] = [
	{ title: 'Time (s)', figure: 'milliseconds', unit: 1000, min: 0.1, max: 1000, left: 70 },
	{
		title: 'Longest freeze of n8n (ms)',
		figure: 'freezeMilliseconds',
		unit: 1,
		min: 1,
		max: 1_000_000,
		left: 530,
	},
];

/** Where a value lies between two others, on a logarithmic scale. */
const share = (value: number, { min, max }: { min: number; max: number }): number =>
	Math.log(value / min) / Math.log(max / min);

const xOf = (items: number, { left }: Axis): number => left + share(items, ITEMS) * PANEL.width;

const yOf = (value: number, axis: Axis): number =>
	PANEL.top + (1 - Math.min(1, Math.max(0, share(value, axis)))) * PANEL.height;

const text = (x: number, y: number, content: string, extra = ''): string =>
	`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${extra}>${content}</text>`;

const line = (x1: number, y1: number, x2: number, y2: number): string =>
	`<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#e5e7eb"/>`;

function grid(axis: Axis, sizes: readonly number[]): string[] {
	const { left, min, max, title } = axis;
	const right = left + PANEL.width;
	const bottom = PANEL.top + PANEL.height;
	const powers = Array.from({ length: Math.round(Math.log10(max / min)) + 1 }, (_, power) =>
		Number((min * 10 ** power).toPrecision(1)),
	);
	return [
		text(left, PANEL.top - 14, title, 'font-weight="bold"'),
		...powers.flatMap((value) => [
			line(left, yOf(value, axis), right, yOf(value, axis)),
			text(left - 8, yOf(value, axis) + 4, count(value), 'text-anchor="end"'),
		]),
		...sizes.flatMap((items) => [
			line(xOf(items, axis), PANEL.top, xOf(items, axis), bottom),
			text(xOf(items, axis), bottom + 18, count(items), 'text-anchor="middle"'),
		]),
		text(left + PANEL.width / 2, bottom + 36, 'items', 'text-anchor="middle"'),
	];
}

/** A line through the medians, with a bar from the least to the greatest round at each size. */
function curve(axis: Axis, measurements: readonly Measurement[], runner: RunnerId): string[] {
	const color = COLORS[runner] ?? 'black';
	const points = measurements.flatMap((measurement) => {
		const cost = costOf(measurement, runner, axis.figure);
		if (!cost) return [];
		const [y = 0, low = 0, high = 0] = [cost.median, cost.min, cost.max].map((value) =>
			yOf(value / axis.unit, axis),
		);
		return [{ x: xOf(measurement.scenario.items, axis), y, low, high }];
	});
	const path = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
	return [
		`<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
		...points.map(
			({ x, y, low, high }) =>
				`<line x1="${x.toFixed(1)}" y1="${low.toFixed(1)}" x2="${x.toFixed(1)}" y2="${high.toFixed(1)}" stroke="${color}" stroke-width="5" stroke-opacity="0.4"/><circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3.5" fill="${color}"/>`,
		),
	];
}

/** Time and freeze against the number of items, for measurements that differ in that only. */
export function plot(measurements: readonly Measurement[]): string {
	const sizes = measurements.map(({ scenario }) => scenario.items);
	const runners = Object.keys(COLORS) as RunnerId[];
	const legend = runners.flatMap((runner, index) => {
		const x = 70 + index * 200;
		return [
			`<rect x="${x}" y="${HEIGHT - 20}" width="18" height="4" fill="${COLORS[runner] ?? ''}"/>`,
			text(x + 24, HEIGHT - 14, RUNNER_NAMES[runner]),
		];
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#374151">`,
		'<title>Time and longest freeze against the number of items</title>',
		`<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
		...AXES.flatMap((axis) => [
			...grid(axis, sizes),
			...runners.flatMap((runner) => curve(axis, measurements, runner)),
		]),
		...legend,
		'</svg>',
		'',
	].join('\n');
}
