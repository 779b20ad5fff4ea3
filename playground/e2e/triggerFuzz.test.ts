import axios from 'axios';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../eventually';
import { startN8n, type RunningN8n } from '../n8n';
import { freePort } from '../processes';
import { WEBHOOK_HEADER } from '../setup';
import { fuzzRequest, type FuzzRequest } from './fuzzRequests';
import { exchange, type RawAnswer } from './rawHttp';
import { createTrigger, openWorld, type World } from './world';

/** With FUZZ_SEED in the environment, the requests of an earlier run are made again. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 30));
/** So many are made at a time, because some are large. */
const BATCH = 500;
const CONCURRENCY = 16;
const WITHIN_MS = 900_000;
const PROBLEMS_SHOWN = 10;

/** The same in each run, so that a seed makes the same requests; in no other n8n. */
const SECRET = 'fuzz-0b7e4dc1a96f4f0c';
const USER_FOLDER = path.join(__dirname, '..', '.state', 'fuzz');
/** n8n's default builds a sandbox for each request, which takes longer than all the rest together. */
const SETTINGS = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** What n8n answers, with 500, when the node throws; it then executes the workflow all the same. */
const NODE_HAS_FAILED = 'Workflow Webhook Error: Workflow could not be started!';
/** What n8n answers, with 500, to a body whose compression cannot be undone. */
const BODY_UNREADABLE = 'There was a problem executing the workflow';

interface Sent {
	marker: string;
	request: FuzzRequest;
	answer: RawAnswer;
}

let n8n: RunningN8n;
let world: World;

/** An n8n of its own: what is left in it would disturb the other tests. */
beforeAll(async () => {
	rmSync(USER_FOLDER, { recursive: true, force: true });
	n8n = await startN8n(USER_FOLDER, await freePort(), { settings: SETTINGS });
	await n8n.ready();
	Object.assign(process.env, { E2E_N8N: n8n.baseUrl, E2E_WEBHOOK_SECRET: SECRET });
	world = await openWorld();
}, WITHIN_MS);

afterAll(async () => {
	await n8n.stop();
	await world.simulator.stop();
});

type Trigger = Awaited<ReturnType<typeof createTrigger>>;

async function openTrigger(
	output: string,
	{ typeVersion = 1.1, ...more }: { typeVersion?: number; callIdProperty?: string } = {},
): Promise<Trigger> {
	const parameters = { authentication: 'secret', options: { output, ...more } };
	return await createTrigger(world, parameters, { typeVersion });
}

/** Sends to the triggers by turns, until too much has gone wrong. */
async function sendAll(triggers: Trigger[]): Promise<Sent[]> {
	const paths = triggers.map(({ url }) => new URL(url).pathname);
	const port = Number(new URL(n8n.baseUrl).port);
	const requests = fuzzRequest(WEBHOOK_HEADER, SECRET);
	const sent: Sent[] = [];
	let problems = 0;
	for (let from = 0; from < REQUESTS; from += BATCH) {
		const size = Math.min(BATCH, REQUESTS - from);
		// A number stands for the same request whenever the seed is the same.
		const batch = fc.sample(requests, { seed: SEED + from, numRuns: size }).entries();
		const send = async () => {
			for (const [index, make] of batch) {
				if (problems >= PROBLEMS_SHOWN) return;
				const marker = `fuzz-${from + index}`;
				const request = make(paths[index % paths.length] ?? '', marker);
				const one = { marker, request, answer: await exchange(port, request) };
				sent.push(one);
				if (problemOf(one) !== undefined) problems++;
			}
		};
		await Promise.all(Array.from({ length: CONCURRENCY }, send));
	}
	return sent;
}

function messageOf(body: string): string {
	try {
		const { message } = JSON.parse(body) as { message?: unknown };
		return typeof message === 'string' ? message : '';
	} catch {
		return '';
	}
}

function expectedStatus({ verdict, isAuthenticated }: FuzzRequest): number | undefined {
	if (verdict === 'any') return undefined;
	// n8n reads JSON before it asks the node who sent it.
	if (verdict === 'unparsable') return 422;
	if (!isAuthenticated) return 401;
	return verdict === 'object' ? 200 : 400;
}

function problemOf({ request, answer: { status, body } }: Sent): string | undefined {
	const expected = expectedStatus(request);
	if (expected !== undefined && status !== expected) return `expected ${expected}`;
	if (status === -1) return 'no answer and no end';
	if (status === 200 && !request.isAuthenticated) return 'let in';
	return status >= 500 && !isOfN8n(request, messageOf(body)) ? 'a failure of the node' : undefined;
}

/** n8n 2.41 answers 500 to some methods, and to an unknown path when there is an `origin` header. */
function isOfN8n({ isForTrigger, isReadable }: FuzzRequest, message: string): boolean {
	if (!isForTrigger) return message !== NODE_HAS_FAILED;
	return !isReadable && message === BODY_UNREADABLE;
}

function show({ marker, request, answer }: Sent, problem: string): string {
	const start = request.bytes.subarray(0, 600).toString('latin1');
	return `FUZZ_SEED=${SEED} ${marker}: ${problem}, got ${answer.status} ${answer.body}\n${start}`;
}

/** None of these requests has this problem. */
function expectNone(sent: Sent[], find: (one: Sent) => string | undefined): void {
	const shown = sent.flatMap((one) => {
		const problem = find(one);
		return problem === undefined ? [] : [show(one, problem)];
	});
	expect(shown.slice(0, PROBLEMS_SHOWN)).toEqual([]);
}

const isAccepted = ({ answer }: Sent): boolean =>
	answer.status === 200 && answer.body === '{"received":true}';

/** The markers of the requests that have started an execution. */
async function executed({ workflowId, outputOf }: Trigger): Promise<unknown[]> {
	const summaries = await eventually(`the executions of ${workflowId} to end`, async () => {
		const all = await world.client.executions(workflowId);
		return all.every(({ status }) => !['new', 'running'].includes(status)) ? all : undefined;
	});
	const markers: unknown[] = [];
	for (const { id } of summaries) {
		const execution = await world.client.execution(id);
		const [json = {}] = outputOf(execution);
		const { marker } = { ...json, ...(json.variables as IDataObject | undefined) };
		markers.push(execution.status === 'success' ? marker : `${id}: ${execution.status}`);
	}
	return markers;
}

function report(sent: Sent[], startedAt: number): void {
	const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
	const counts: Record<string, number> = {};
	for (const { answer } of sent) counts[answer.status] = (counts[answer.status] ?? 0) + 1;
	process.stderr.write(
		`FUZZ_SEED=${SEED}: ${sent.length} requests in ${seconds} s, answered ${JSON.stringify(counts)}\n`,
	);
}

describe(`the running trigger, FUZZ_SEED=${SEED}`, () => {
	it(
		`stands ${REQUESTS} requests of all kinds, and executes exactly the good ones`,
		async () => {
			const triggers = [
				await openTrigger('simplified'),
				await openTrigger('simplified', { callIdProperty: '__proto__' }),
				await openTrigger('raw'),
				// n8n reads more of the bodies itself for version 1.
				await openTrigger('raw', { typeVersion: 1 }),
			];
			const startedAt = Date.now();
			const sent = await sendAll(triggers);
			report(sent, startedAt);
			expectNone(sent, problemOf);
			const accepted = sent.filter(isAccepted).map(({ marker }) => marker);
			expect(accepted.length).toBeGreaterThan(REQUESTS / 200);
			const markers = (await Promise.all(triggers.map(executed))).flat();
			const known = new Set(markers);
			expectNone(sent, (one) => {
				if (known.has(one.marker) === isAccepted(one)) return undefined;
				return isAccepted(one) ? 'not executed' : 'executed';
			});
			expect(markers.sort()).toEqual(accepted.sort());
		},
		WITHIN_MS,
	);

	it('leaves n8n alive, and the prototypes of its objects as they were', async () => {
		const { client } = world;
		expect(await client.served('healthz')).toEqual({ status: 'ok' });
		const trigger = await openTrigger('={{ ({}).polluted ? "simplified" : "raw" }}');
		const event = { callId: 'good', summary: 'A good one.' };
		const { status } = await axios.post(trigger.url, event, {
			headers: { [WEBHOOK_HEADER]: SECRET },
			proxy: false,
		});
		expect(status).toBe(200);
		const [execution] = await client.finishedAfter('0', trigger.workflowId, 1);
		expect(execution && trigger.outputOf(execution)).toEqual([event]);
	});
});
