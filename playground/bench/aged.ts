import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nodeBinary } from '../n8n';
import { post } from '../post';
import { count, medianOf, ratioOf, spreadOf, sum, type Figure } from './figures';
import type { Cost } from './nodes/probe';
import { USER_FOLDER } from './package';
import { middle, spreadTarget, times, type Column, type Report, type Target } from './report';
import { measureTable, of, type Rig, type Rounds } from './rounds';
import { RUNNERS, type RunnerId } from './runners';
import { createTally, numbers, singleCalls, type Active } from './workflows';

/** A runner, and how many calls its node has made before. */
export interface Veteran {
	runner: RunnerId;
	age: number;
}

/** The workflow of a veteran, which has its age. */
interface Grown extends Active, Pick<AgedSample, 'bytes'> {
	veteran: Veteran;
}

/** The calls of one veteran in one round. */
export interface AgedSample {
	/** From posting the event to the answer at the end of its execution. */
	milliseconds: number[];
	cost: Cost;
	/** Marks that each call of this round has left, with those of single writes that are removed in bulk. */
	perCall: number;
	/** What all its marks take in n8n's database. */
	bytes: number;
}

/** By the name of the veteran. */
type Aged = Rounds<string, AgedSample>;

const AGES = [0, 5000, 50_000];

/** This node when it is new. */
const NEW: readonly Veteran[] = [{ runner: 'node', age: 0 }];

export const VETERANS: readonly Veteran[] = [
	{ runner: 'httpRequest', age: 0 },
	...NEW.flatMap(({ runner }) => AGES.map((age) => ({ runner, age }))),
];

/** How many times as long a call may take as with a new node. The last one has the most marks. */
const MAX_RATIOS: readonly (Veteran & { most: number })[] = [
	{ runner: 'node', age: 5000, most: 1.25 },
	{ runner: 'node', age: 50_000, most: 1.7 },
];

const CALLS = 5;
/** Of single writes, at most. */
const REMOVED_IN_BULK = 50;
/** n8n saves an execution after its last node has answered. */
const SAVED_AFTER_MS = 100;
/** The node reads its marks back within this time, and later if its row is long: only its own calls are to meet that. */
const QUIET_AFTER_MS = 7000;
const QUIET_PER_BYTE_MS = 1500 / 1e6;

export const nameOf = ({ runner, age }: Veteran): string =>
	age === 0 ? RUNNERS[runner].name : `${RUNNERS[runner].name}, after ${count(age)} calls`;

/**
 * Reads the marks of a workflow in n8n's SQLite database, while no execution is under way.
 *
 * @param older adds so many marks as older ones: what so many calls would have left
 */
async function marksIn({ id }: Active, older = 0) {
	const script = path.join(__dirname, 'agedRows.mjs');
	const database = path.join(USER_FOLDER, '.n8n', 'database.sqlite');
	const command = ['--no-warnings', script, database, id, String(older)];
	// Without blocking: a connection that n8n closes in the meantime would be taken for open.
	const { stdout } = await promisify(execFile)(nodeBinary(), command);
	return JSON.parse(stdout) as { bytes: number; marks: number };
}

/** Nodes of several ages in one n8n, one at a time, each in a workflow of its own. */
async function measure(rig: Rig, rounds: number) {
	let called = 0;
	/** Calls numbers that were never called; gives the milliseconds of each. */
	const callInTurn = async ({ url }: Active, calls: number): Promise<number[]> => {
		const milliseconds: number[] = [];
		for (const to of numbers(calls, called)) {
			called++;
			const begin = performance.now();
			const { status, data } = await post(url, { to });
			milliseconds.push(performance.now() - begin);
			const answer = JSON.stringify(data);
			if (status !== 200 || !answer.includes('callId')) throw new Error(`not called: ${answer}`);
			await sleep(SAVED_AFTER_MS);
		}
		return milliseconds;
	};
	/** Gives a node its age: a mark for each call. */
	const grow = async (veteran: Veteran): Promise<Grown> => {
		const one = await singleCalls(rig, veteran.runner, 'lastNode');
		await callInTurn(one, 1);
		await sleep(QUIET_AFTER_MS);
		await marksIn(one, veteran.age);
		// At its next call, n8n cuts off what is too much.
		await callInTurn(one, 1);
		await sleep(QUIET_AFTER_MS);
		const { bytes } = await marksIn(one);
		return { ...one, veteran, bytes };
	};
	rig.service.prepare(null);
	const tally = await createTally(rig.client);
	const active: Grown[] = [];
	for (const veteran of VETERANS) active.push(await grow(veteran));
	const newOne = (runner: RunnerId) => active.find(({ veteran }) => veteran.runner === runner);
	const { samples, figures } = await measureTable({
		title: `${rounds} rounds of ${CALLS} calls`,
		...{ rounds, runners: active, columns: COLUMNS },
		nameOf: ({ veteran }) => nameOf(veteran),
		comparedWith: (one) => newOne(one.veteran.runner) ?? one,
		async run(one): Promise<AgedSample> {
			const { bytes } = one;
			const before = (await marksIn(one)).marks;
			await tally.begin();
			const milliseconds = await callInTurn(one, CALLS);
			await sleep(QUIET_AFTER_MS + bytes * QUIET_PER_BYTE_MS);
			const { cost } = await tally.end();
			const perCall = ((await marksIn(one)).marks - before) / CALLS;
			return { milliseconds, cost, perCall, bytes };
		},
	});
	const all: Aged = new Map([...samples].map(([{ veteran }, those]) => [nameOf(veteran), those]));
	return { all, figures };
}

/** In one round: the time of the call in the middle. */
const time: Figure<AgedSample> = ({ milliseconds }) => medianOf(milliseconds);
const busy: Figure<AgedSample> = ({ cost }) => cost.busyMilliseconds;

/** How many times as long a runner takes as when it was new. */
const timesNew = (all: Aged, { runner, age }: Veteran) =>
	ratioOf(of(all, nameOf({ runner, age })), of(all, nameOf({ runner, age: 0 })), time);

const COLUMNS: readonly Column<AgedSample>[] = [
	middle('marks per call', ({ perCall }) => perCall, 0),
	middle('row, MB', ({ bytes }) => bytes / 1e6, 2),
	middle('one call, ms', time, 0),
	times('× new', time),
	middle('longest freeze, ms', ({ cost }) => cost.freezeMilliseconds, 0),
	middle('of it busy, ms', busy, 0),
];

/** The promises about nodes that have made many calls. */
export function agedTargets(all: Aged): Target[] {
	const oldest = of(all, MAX_RATIOS.map(nameOf).at(-1) ?? '');
	const bytes = oldest[0]?.bytes ?? NaN;
	// They have made all of their marks themselves.
	const young = NEW.map((one) => {
		const left = of(all, nameOf(one)).map(({ perCall }) => perCall * CALLS);
		return { name: nameOf(one), calls: left.length * CALLS, left: sum(left) };
	});
	return [
		...MAX_RATIOS.map((one) =>
			spreadTarget(
				`One call, ${nameOf(one)}: at most ${one.most} times the time with a new node`,
				[['', timesNew(all, one)]],
				2,
				({ median }) => median <= one.most,
			),
		),
		{
			promise: "The same: at most 1 MB in n8n's database",
			measured: `${(bytes / 1e6).toFixed(2)} MB`,
			isMet: bytes <= 1e6,
		},
		spreadTarget(
			'The same: longest freeze of n8n by its own work, at most 100 ms',
			[['', spreadOf(oldest.map(busy))]],
			0,
			({ max }) => max <= 100,
			' ms',
		),
		{
			promise: `A call leaves one mark, but for the ${REMOVED_IN_BULK} that are removed in bulk`,
			measured: young.map(({ name, calls, left }) => `${name}: ${left} of ${calls}`).join('<br>'),
			isMet: young.every(({ calls, left }) => Math.abs(left - calls) <= REMOVED_IN_BULK),
		},
	];
}

/** Nodes that have made many calls, one call at a time. */
export async function measureAged(rig: Rig, isQuick: boolean): Promise<Report> {
	const rounds = isQuick ? 1 : 12;
	const { all, figures } = await measure(rig, rounds);
	return { targets: agedTargets(all), figures };
}
