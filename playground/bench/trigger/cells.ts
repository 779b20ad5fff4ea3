import type { Shape } from './events';
import type { RunnerId } from './runners';

/** The same deliveries to several runners, in turn, for some rounds. */
export interface Cell {
	title: string;
	shape: Shape;
	connections: number;
	/** How many events each runner gets in a round. */
	deliveries: number;
	rounds: number;
}

/** Deliveries of which some repeat an earlier one. */
export interface Repeats {
	shape: Shape;
	deliveries: number;
	/** The share of the deliveries that are repeats. */
	share: number;
	connections: number;
}

/** What is measured in one n8n. */
export interface Part {
	title: string;
	/** n8n's settings. */
	settings: Readonly<Record<string, string>>;
	runners: readonly RunnerId[];
	cells: readonly Cell[];
	repeats?: Repeats;
}

const SMALL: Shape = { transcriptBytes: 600, hasCallId: true };
const LARGE: Shape = { transcriptBytes: 1_000_000, hasCallId: true };

/** n8n makes isolates for expressions only when there is an expression. */
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const cell = (shape: Shape, connections: number, deliveries: number, rounds: number): Cell => {
	const size = shape === SMALL ? '1 KB' : '1 MB';
	const title = `${size}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
	return { title, shape, connections, deliveries, rounds };
};

const withoutCallId = (original: Cell): Cell => ({
	...original,
	title: `${original.title}, without a call ID`,
	shape: { ...original.shape, hasCallId: false },
});

const REPEATS: Repeats = { shape: SMALL, deliveries: 10_000, share: 0.3, connections: 50 };

export const ALL_RUNNERS: readonly RunnerId[] = ['trigger', 'webhook', 'forgetful', 'hook'];

/** So that everything is compiled; not reported. */
export const WARM_UPS = [cell(SMALL, 10, 40, 2), cell(LARGE, 10, 40, 2)];

/** Enough that single disturbances do not count. */
const ROUNDS = 8;

/**
 * A run takes some seconds, so that short disturbances count for little. With 50 connections the first 50 events of a
 * run wait for each other, and at the end fewer and fewer are under way; a run has several times as many, so that it
 * shows the time between.
 */
function parts(runners: readonly RunnerId[], isFull: boolean): readonly Part[] {
	const largeOneByOne = (deliveries: number) => {
		const large = cell(LARGE, 1, deliveries, ROUNDS);
		return isFull ? [large, withoutCallId(large)] : [large];
	};
	return [
		{
			title: 'n8n as it comes',
			settings: {},
			runners,
			cells: [
				cell(SMALL, 1, 80, ROUNDS),
				cell(SMALL, 50, 300, ROUNDS),
				...largeOneByOne(60),
				cell(LARGE, 50, 200, ROUNDS),
			],
		},
		{
			title: 'n8n with lazy isolates',
			settings: LAZY,
			runners,
			cells: [
				cell(SMALL, 1, 150, ROUNDS),
				cell(SMALL, 50, 500, ROUNDS),
				...largeOneByOne(120),
				cell(LARGE, 50, 200, ROUNDS),
			],
			repeats: REPEATS,
		},
	];
}

export const PARTS = parts(['trigger', 'webhook'], false);

/** With what the trigger is without its memory of events, and events without a call ID. */
export const FULL_PARTS = parts(ALL_RUNNERS, true);

/** Whether everything works, and each of 10,000 events is executed once, in about two minutes. */
export const QUICK_PARTS: readonly Part[] = [
	{
		title: 'n8n with lazy isolates',
		settings: LAZY,
		runners: ['trigger', 'webhook'],
		cells: [cell(SMALL, 1, 20, 1), cell(SMALL, 50, 50, 1), cell(LARGE, 50, 50, 1)],
		repeats: REPEATS,
	},
];

export const PROFILED = cell(SMALL, 50, 500, 1);
