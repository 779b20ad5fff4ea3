import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nodeBinary } from '../n8n';
import { post } from '../post';
import { count, medianOf, ratioOf, spreadOf, type Figure } from './figures';
import type { Cost } from './BenchClock.node';
import { USER_FOLDER } from './package';
import { atMost, measureTable, middle, neverAbove, spreadTarget, times } from './report';
import type { Column, Report, Target } from './report';
import type { Rig } from './rig';
import { createTally, newNumbers, singleCalls, type Active } from './workflows';

/** How many calls the old nodes have made before, and how many times as long a call of theirs may take. */
const AGES = [
	{ age: 5_000, most: 1.25 },
	{ age: 50_000, most: 1.7 },
];

/** The workflow of a node of this age. */
interface Grown extends Active {
	age: number;
	/** What all its marks take in n8n's database. */
	bytes: number;
}

/** The calls of one node in one round. */
interface Sample {
	/** Of the call in the middle, from posting the event to the answer at the end of its execution. */
	milliseconds: number;
	cost: Cost;
}

const CALLS = 5;
/** n8n saves an execution after its last node has answered. */
const SAVED_AFTER_MS = 100;
/** The node reads its marks back within this time, and later if its row is long: only its own calls are to meet that. */
const QUIET_AFTER_MS = 7000;
const QUIET_PER_BYTE_MS = 1500 / 1e6;

const nameOf = ({ age }: Grown): string =>
	age === 0 ? 'a new node' : `a node after ${count(age)} calls`;

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

/** Calls one after the other; gives the milliseconds of each, until its workflow has answered at the end. */
async function callInTurn({ url }: Active, calls: number): Promise<number[]> {
	const milliseconds: number[] = [];
	for (const to of newNumbers(calls)) {
		const begin = performance.now();
		const { status, data } = await post(url, { to });
		milliseconds.push(performance.now() - begin);
		const answer = JSON.stringify(data);
		if (status !== 200 || !answer.includes('callId')) throw new Error(`not called: ${answer}`);
		await sleep(SAVED_AFTER_MS);
	}
	return milliseconds;
}

/** A node of this age: with a mark for each call. */
async function grow(rig: Rig, age: number): Promise<Grown> {
	const active = await singleCalls(rig, 'node', 'lastNode');
	await callInTurn(active, 1);
	await sleep(QUIET_AFTER_MS);
	await bytesOfMarks(active, age);
	// At its next call, n8n cuts off what is too much.
	await callInTurn(active, 1);
	await sleep(QUIET_AFTER_MS);
	return { ...active, age, bytes: await bytesOfMarks(active) };
}

const time: Figure<Sample> = ({ milliseconds }) => milliseconds;
const busy: Figure<Sample> = ({ cost }) => cost.busyMilliseconds;

const COLUMNS: readonly Column<Sample>[] = [
	middle('one call, ms', time, 0),
	times('× new', time),
	middle('longest freeze, ms', ({ cost }) => cost.freezeMilliseconds, 0),
	middle('of it busy, ms', busy, 0),
];

/** The promises about nodes that have made many calls, the oldest last. */
function targetsOf(
	[young, ...old]: readonly Grown[],
	samplesOf: (of: Grown) => readonly Sample[],
): Target[] {
	const ofNew = young ? samplesOf(young) : [];
	const oldest = old.at(-1);
	const bytes = oldest?.bytes ?? NaN;
	return [
		...AGES.map(({ most }, place) => {
			const grown = old[place];
			const ratio = grown && ratioOf(samplesOf(grown), ofNew, time);
			const promise = `One call, ${grown ? nameOf(grown) : ''}: at most ${most} times the time with a new one`;
			return spreadTarget(promise, [['', ratio]], atMost(most));
		}),
		{
			promise: "The same: at most 1 MB in n8n's database",
			measured: `${(bytes / 1e6).toFixed(2)} MB`,
			isMet: bytes <= 1e6,
		},
		spreadTarget(
			'The same: longest freeze of n8n by its own work, at most 100 ms',
			[['', spreadOf((oldest ? samplesOf(oldest) : []).map(busy))]],
			neverAbove(100),
			0,
			' ms',
		),
	];
}

/** A new node and old ones in one n8n, each in a workflow of its own, one call at a time. */
export async function measureAged(rig: Rig, isQuick: boolean): Promise<Report> {
	const tally = await createTally(rig.client);
	const runners = [await grow(rig, 0)];
	for (const { age } of AGES) runners.push(await grow(rig, age));
	const { samplesOf, figures } = await measureTable<Grown, Sample>({
		title: `${CALLS} calls`,
		rounds: isQuick ? 1 : 12,
		...{ runners, columns: COLUMNS, nameOf },
		async run(one) {
			await tally.begin();
			const milliseconds = medianOf(await callInTurn(one, CALLS));
			await sleep(QUIET_AFTER_MS + one.bytes * QUIET_PER_BYTE_MS);
			const { cost } = await tally.end();
			return { milliseconds, cost };
		},
	});
	return { targets: targetsOf(runners, samplesOf), figures };
}
