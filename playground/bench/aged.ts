import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nodeBinary } from '../n8n';
import { count, medianOf, ratioOf, spreadOf, type Figure } from './figures';
import type { Cost } from './nodes/probe';
import { USER_FOLDER } from './package';
import { atMost, measureTable, middle, neverAbove, spreadTarget, times } from './report';
import type { Column, Measured, Report, Target } from './report';
import { nameOf, type RunnerId } from './runners';
import type { Rig } from './rig';
import { call, createTally, newNumbers, singleCalls, type Active } from './workflows';

/** A runner, and how many calls its node has made before. */
interface Veteran {
	runner: RunnerId;
	age: number;
}

/** The workflow of a veteran, which has its age. */
interface Grown extends Active, Veteran {
	/** What all its marks take in n8n's database. */
	bytes: number;
}

/** The calls of one veteran in one round. */
interface Sample {
	/** From posting the event to the answer at the end of its execution. */
	milliseconds: number[];
	cost: Cost;
}

/** Those of this node, with how many times as long a call may take as with a new one. */
const AGES = [
	{ age: 0, most: 1 },
	{ age: 5000, most: 1.25 },
	{ age: 50_000, most: 1.7 },
];
const VETERANS: readonly Veteran[] = [
	...AGES.map(({ age }): Veteran => ({ runner: 'node', age })),
	{ runner: 'httpRequest', age: 0 },
];

const CALLS = 5;
/** n8n saves an execution after its last node has answered. */
const SAVED_AFTER_MS = 100;
/** The node reads its marks back within this time, and later if its row is long: only its own calls are to meet that. */
const QUIET_AFTER_MS = 7000;
const QUIET_PER_BYTE_MS = 1500 / 1e6;

const veteranName = ({ runner, age }: Veteran): string =>
	age === 0 ? nameOf(runner) : `${nameOf(runner)}, after ${count(age)} calls`;

/**
 * Measures the rows of marks of a workflow in n8n's SQLite database, while no execution is under way.
 *
 * @param older adds so many marks as older ones: what so many calls would have left
 */
async function bytesOfMarks({ id }: Active, older = 0): Promise<number> {
	const script = path.join(__dirname, 'agedRows.mjs');
	const database = path.join(USER_FOLDER, '.n8n', 'database.sqlite');
	const command = ['--no-warnings', script, database, id, String(older)];
	// Without blocking: a connection that n8n closes in the meantime would be taken for open.
	const { stdout } = await promisify(execFile)(nodeBinary(), command);
	return Number(stdout);
}

/** Calls one after the other; gives the milliseconds of each. */
async function callInTurn(active: Active, calls: number): Promise<number[]> {
	const milliseconds: number[] = [];
	for (const to of newNumbers(calls)) {
		milliseconds.push(await call(active, to));
		await sleep(SAVED_AFTER_MS);
	}
	return milliseconds;
}

/** Gives a node its age: a mark for each call. */
async function grow(rig: Rig, veteran: Veteran): Promise<Grown> {
	const active = await singleCalls(rig, veteran.runner, 'lastNode');
	await callInTurn(active, 1);
	await sleep(QUIET_AFTER_MS);
	await bytesOfMarks(active, veteran.age);
	// At its next call, n8n cuts off what is too much.
	await callInTurn(active, 1);
	await sleep(QUIET_AFTER_MS);
	const bytes = await bytesOfMarks(active);
	return { ...active, ...veteran, bytes };
}

/** In one round: the time of the call in the middle. */
const time: Figure<Sample> = ({ milliseconds }) => medianOf(milliseconds);
const busy: Figure<Sample> = ({ cost }) => cost.busyMilliseconds;

const COLUMNS: readonly Column<Sample>[] = [
	middle('one call, ms', time, 0),
	times('× new', time),
	middle('longest freeze, ms', ({ cost }) => cost.freezeMilliseconds, 0),
	middle('of it busy, ms', busy, 0),
];

/** The promises about nodes that have made many calls. */
function targetsOf(all: readonly Grown[], { samplesOf }: Measured<Grown, Sample>): Target[] {
	const ages = all.filter(({ runner }) => runner === 'node');
	const [young = [], oldest = []] = [ages[0], ages.at(-1)].map((one) => one && samplesOf(one));
	const bytes = ages.at(-1)?.bytes ?? NaN;
	return [
		...ages.slice(1).map((one) => {
			const most = AGES.find(({ age }) => age === one.age)?.most ?? NaN;
			return spreadTarget(
				`One call, ${veteranName(one)}: at most ${most} times the time with a new node`,
				[['', ratioOf(samplesOf(one), young, time)]],
				atMost(most),
			);
		}),
		{
			promise: "The same: at most 1 MB in n8n's database",
			measured: `${(bytes / 1e6).toFixed(2)} MB`,
			isMet: bytes <= 1e6,
		},
		spreadTarget(
			'The same: longest freeze of n8n by its own work, at most 100 ms',
			[['', spreadOf(oldest.map(busy))]],
			neverAbove(100),
			0,
			' ms',
		),
	];
}

/** Nodes of several ages in one n8n, each in a workflow of its own, one call at a time. */
export async function measureAged(rig: Rig, isQuick: boolean): Promise<Report> {
	const tally = await createTally(rig.client);
	const active: Grown[] = [];
	for (const veteran of VETERANS) active.push(await grow(rig, veteran));
	const measured = await measureTable<Grown, Sample>({
		title: `${CALLS} calls`,
		rounds: isQuick ? 1 : 12,
		...{ runners: active, columns: COLUMNS, nameOf: veteranName },
		async run(one) {
			await tally.begin();
			const milliseconds = await callInTurn(one, CALLS);
			await sleep(QUIET_AFTER_MS + one.bytes * QUIET_PER_BYTE_MS);
			const { cost } = await tally.end();
			return { milliseconds, cost };
		},
	});
	return { targets: targetsOf(active, measured), figures: measured.figures };
}
