import axios from 'axios';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startSimulator, type Simulator } from '../../test/simulator/simulator';
import { startN8n, type RunningN8n } from '../n8n';
import { freePort } from '../processes';
import { N8nClient } from '../rest';
import type { SavedWorkflow } from '../restTypes';
import { OWNER, saveCredentials, WEBHOOK_HEADER, WEBHOOK_SECRET, webhookPath } from '../setup';
import {
	activateCalls,
	activateSingleCalls,
	callsPlaced,
	countOf,
	node,
	people,
	postAtOnce,
	reached,
} from './calls';

const PEOPLE = people(200);
/** More than n8n would keep for an execution of one item. */
const MANY = people(1500);
/** As many as the node marks at a time: they may be in doubt although nobody called them. */
const MARKED_AT_ONCE = 50;
const USER_FOLDER = path.join(__dirname, '..', '.state', 'crash');
const BOOTED_WITHIN_MS = 300_000;

let n8n: RunningN8n;
let client: N8nClient;
let simulator: Simulator;

async function boot(): Promise<void> {
	n8n = await startN8n(USER_FOLDER, await freePort());
	await n8n.ready();
	client = await N8nClient.signIn(n8n.baseUrl, OWNER);
}

beforeAll(async () => {
	rmSync(USER_FOLDER, { recursive: true, force: true });
	simulator = await startSimulator();
	await boot();
}, BOOTED_WITHIN_MS);

beforeEach(() => {
	simulator.reset();
	simulator.setTraffic({ latencyMs: 100 });
});

afterAll(async () => {
	await n8n.stop();
	await simulator.stop();
});

async function callPeople(path: string, these = PEOPLE): Promise<void> {
	await axios.post(`${n8n.baseUrl}${path}`, { people: these }, { proxy: false });
}

/** Kills n8n without a word, and starts it again; gives the executions that it was at. */
async function crashAll({ id }: SavedWorkflow): Promise<string[]> {
	await n8n.kill();
	await boot();
	const ended = await client.allFinished(id);
	return ended.filter(({ status }) => status === 'crashed').map((execution) => execution.id);
}

/** The same where n8n was at one execution. */
async function crash(workflow: SavedWorkflow): Promise<string> {
	const [crashed, ...others] = await crashAll(workflow);
	expect(others).toEqual([]);
	return crashed ?? '';
}

describe('when n8n is killed', () => {
	it(
		'in the middle of its calls, a retry calls the others and nobody twice',
		async () => {
			const { workflow, path } = await activateCalls(
				client,
				await saveCredentials(client, simulator),
			);
			await callPeople(path);
			await callsPlaced(simulator, 60);
			const crashed = await crash(workflow);
			const before = countOf(reached(simulator, PEOPLE), 1);

			const first = await client.retry(crashed);
			const afterFirst = reached(simulator, PEOPLE);
			const second = await client.retry(first.id);
			const again = await client.retry(crashed);

			expect(before).toBeLessThan(PEOPLE.length - MARKED_AT_ONCE);
			expect(countOf(afterFirst, 1)).toBeGreaterThanOrEqual(PEOPLE.length - MARKED_AT_ONCE);
			expect(countOf(afterFirst, 0) + countOf(afterFirst, 1)).toBe(PEOPLE.length);
			expect(reached(simulator, PEOPLE)).toEqual(afterFirst);
			expect([first, second, again].map(({ status }) => status)).toEqual(Array(3).fill('error'));
		},
		BOOTED_WITHIN_MS,
	);

	it(
		'in the middle of many calls, a retry calls nobody twice, although other executions came in between',
		async () => {
			const { workflow, path } = await activateCalls(
				client,
				await saveCredentials(client, simulator),
			);
			simulator.setTraffic({ latencyMs: 20 });
			await callPeople(path, MANY);
			await callsPlaced(simulator, 1335);
			const crashed = await crash(workflow);
			const [later] = people(1, 2);
			if (later) await callPeople(path, [later]);
			await client.allFinished(workflow.id);
			const before = reached(simulator, MANY);

			await client.retry(crashed);

			expect(countOf(before, 0)).toBeGreaterThan(MARKED_AT_ONCE);
			const after = reached(simulator, MANY);
			expect(countOf(after, 0) + countOf(after, 1)).toBe(MANY.length);
			expect(countOf(after, 1)).toBeGreaterThanOrEqual(MANY.length - MARKED_AT_ONCE);
		},
		BOOTED_WITHIN_MS,
	);

	it(
		'in the middle of many executions of one call each, their retries call nobody twice',
		async () => {
			const all = people(30);
			const { workflow, path } = await activateSingleCalls(
				client,
				await saveCredentials(client, simulator),
			);
			// Longer than it takes to start them.
			simulator.setTraffic({ latencyMs: 5000 });
			await postAtOnce([`${n8n.baseUrl}${path}`], all);
			await callsPlaced(simulator, 20);
			const crashed = await crashAll(workflow);
			simulator.setTraffic({ latencyMs: 0 });

			for (const id of crashed) await client.retry(id);

			expect(crashed.length).toBeGreaterThan(10);
			expect(Math.max(...reached(simulator, all))).toBe(1);
		},
		BOOTED_WITHIN_MS,
	);

	it(
		'the trigger knows the events from before',
		async () => {
			const { assistantServiceWebhookApi } = await saveCredentials(client, simulator);
			const trigger = node(
				'n8n-nodes-assistant-service.assistantServiceTrigger',
				'Call Ended',
				{},
				{ credentials: { assistantServiceWebhookApi } },
			);
			const nodes = [trigger];
			const workflow = await client.createWorkflow({ name: 'Calls', nodes, connections: {} });
			await client.activate(workflow);
			await client.waitForWebhook(webhookPath(trigger));
			const deliver = async (callId: string): Promise<unknown> => {
				const url = `${n8n.baseUrl}${webhookPath(trigger)}`;
				const headers = { [WEBHOOK_HEADER]: WEBHOOK_SECRET };
				return (await axios.post<unknown>(url, { callId }, { headers, proxy: false })).data;
			};
			const sent = ['call-1', 'call-2', 'call-3', 'call-4'];
			for (const callId of sent) expect(await deliver(callId)).toEqual({ received: true });

			await n8n.kill();
			await boot();

			for (const callId of sent) expect(await deliver(callId)).toEqual({ repeat: true });
			expect(await client.executions(workflow.id)).toHaveLength(sent.length);
		},
		BOOTED_WITHIN_MS,
	);

	it(
		'in a later node, a retry calls nobody',
		async () => {
			const pause = node('n8n-nodes-base.wait', 'Pause', { amount: 30, unit: 'seconds' });
			const { workflow, path } = await activateCalls(
				client,
				await saveCredentials(client, simulator),
				n8n.baseUrl,
				[{ ...pause, typeVersion: 1.1 }],
			);
			await callPeople(path);
			await callsPlaced(simulator, PEOPLE.length);
			const crashed = await crash(workflow);

			const retried = await client.retry(crashed);

			expect(retried.status).toBe('error');
			expect(reached(simulator, PEOPLE)).toEqual(PEOPLE.map(() => 1));

			// The same people in a new execution are meant.
			await callPeople(path);
			await callsPlaced(simulator, 2 * PEOPLE.length);
			expect(reached(simulator, PEOPLE)).toEqual(PEOPLE.map(() => 2));
		},
		BOOTED_WITHIN_MS,
	);
});
