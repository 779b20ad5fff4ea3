import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nodeBinary } from '../n8n';
import { post } from '../post';
import type { Cost } from './BenchClock.node';
import { medianOf, ratioOf, show, spreadOf, type Figure } from './figures';
import { measureTable, spreadTarget, type Report } from './report';
import { USER_FOLDER, type Rig } from './rig';
import { behindWebhook, createTally, newNumbers, serviceNode, TO_POSTED } from './workflows';

/** How many calls the old nodes have made before, and how many times as long a call of theirs may take. */
const AGES = [
	{ age: 5000, most: 1.25 },
	{ age: 50_000, most: 1.7 },
];

/** The calls of one node in one round. */
interface Sample extends Cost {
	/** Of the call in the middle, from posting the event to the answer at the end of its execution. */
	callMilliseconds: number;
}

const CALLS = 5;
const ROUNDS = 12;
/** n8n saves an execution after its last node has answered. */
const SAVED_AFTER_MS = 100;
/** The node reads its marks back within this time, and later if its row is long: only its own calls are to meet that. */
const QUIET_AFTER_MS = 7000;
const QUIET_PER_BYTE_MS = 1500 / 1e6;

const time: Figure<Sample> = ({ callMilliseconds }) => callMilliseconds;
const busy: Figure<Sample> = ({ busyMilliseconds }) => busyMilliseconds;

const nameOf = (age: number): string =>
	age === 0 ? 'a new node' : `a node after ${show(age)} calls`;

/**
 * Measures the rows of marks of a workflow in n8n's SQLite database, while no execution is under way.
 *
 * @param older adds so many marks as older ones: what so many calls would have left
 */
async function bytesOfMarks(workflowId: string, older = 0): Promise<number> {
	const script = path.join(__dirname, 'agedRows.mjs');
	const database = path.join(USER_FOLDER, '.n8n', 'database.sqlite');
	const command = ['--no-warnings', script, database, workflowId, String(older)];
	// Without blocking: a connection that n8n closes in the meantime would be taken for open.
	const { stdout } = await promisify(execFile)(nodeBinary(), command);
	return Number(stdout);
}

/** Calls one after the other; gives the milliseconds of each, until its workflow has answered at the end. */
async function callInTurn(url: string, calls: number): Promise<number[]> {
	const milliseconds: number[] = [];
	for (const phone of newNumbers(calls)) {
		const begin = performance.now();
		const { status, data } = await post(url, { phone });
		milliseconds.push(performance.now() - begin);
		const answer = JSON.stringify(data);
		if (status !== 200 || !answer.includes('callId')) throw new Error(`not called: ${answer}`);
		await sleep(SAVED_AFTER_MS);
	}
	return milliseconds;
}

/** A node of this age: with a mark for each call. */
async function createAged(rig: Rig, age: number) {
	const { id, url } = await behindWebhook(rig.client, [serviceNode(rig, TO_POSTED)], {});
	await callInTurn(url, 1);
	await sleep(QUIET_AFTER_MS);
	await bytesOfMarks(id, age);
	// At its next call, n8n cuts off what is too much.
	await callInTurn(url, 1);
	await sleep(QUIET_AFTER_MS);
	return { url, bytes: await bytesOfMarks(id) };
}

/** A new node and old ones in one n8n, each in a workflow of its own, one call at a time. */
export async function measureAged(rig: Rig, isQuick: boolean): Promise<Report> {
	const tally = await createTally(rig.client);
	const runners: Record<string, () => Promise<Sample>> = {};
	let mostBytes = 0;
	for (const age of [0, ...AGES.map((old) => old.age)]) {
		const { url, bytes } = await createAged(rig, age);
		mostBytes = Math.max(mostBytes, bytes);
		runners[nameOf(age)] = async () => {
			await tally.begin();
			const callMilliseconds = medianOf(await callInTurn(url, CALLS));
			await sleep(QUIET_AFTER_MS + bytes * QUIET_PER_BYTE_MS);
			return { callMilliseconds, ...(await tally.end()) };
		};
	}
	const { samples, figures } = await measureTable({
		...{ title: `${CALLS} calls`, rounds: isQuick ? 1 : ROUNDS, runners },
		figures: {
			'one call, ms': time,
			'longest freeze, ms': ({ freezeMilliseconds }) => freezeMilliseconds,
			'of it busy, ms': busy,
		},
	});
	const [ofNew = [], ...ofOld] = Object.values(samples);
	return {
		targets: [
			...AGES.map(({ age, most }, index) =>
				spreadTarget(
					`One call, ${nameOf(age)}: at most ${most} times the time with a new one`,
					[['', ratioOf(ofOld[index] ?? [], ofNew, time)]],
					({ median }) => median <= most,
				),
			),
			{
				promise: "The same: at most 1 MB in n8n's database",
				measured: `${show(mostBytes / 1e6)} MB`,
				isMet: mostBytes <= 1e6,
			},
			spreadTarget(
				'The same: longest freeze of n8n by its own work in ms, at most 100',
				[['', spreadOf((ofOld.at(-1) ?? []).map(busy))]],
				({ max }) => max <= 100,
			),
		],
		figures,
	};
}
