import axios from 'axios';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startSimulator, type Simulator } from '../../test/simulator/simulator';
import { startN8n, type RunningN8n } from '../n8n';
import { freePort } from '../processes';
import { N8nClient } from '../rest';
import type { SavedWorkflow } from '../restTypes';
import { OWNER, saveCredentials, WEBHOOK_HEADER, WEBHOOK_SECRET, webhookPath } from '../setup';
import { activateCalls, callsPlaced, countOf, node, people, reached } from './calls';

const PEOPLE = people(200);
/** As many as the node notes at a time: they may be in doubt although nobody called them. */
const NOTED_AT_ONCE = 50;
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
	simulator = await startSimulator({ latencyMs: 100 });
	await boot();
}, BOOTED_WITHIN_MS);

beforeEach(() => {
	simulator.reset();
});

afterAll(async () => {
	await n8n.stop();
	await simulator.stop();
});

async function callPeople(path: string): Promise<void> {
	await axios.post(`${n8n.baseUrl}${path}`, { people: PEOPLE }, { proxy: false });
}

/** Kills n8n without a word, and starts it again; gives the execution that it was at. */
async function crash({ id }: SavedWorkflow): Promise<string> {
	await n8n.kill();
	await boot();
	const [newest] = await client.executions(id);
	const { status } = await client.finished(newest?.id ?? '');
	expect(status).toBe('crashed');
	return newest?.id ?? '';
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

			expect(before).toBeLessThan(PEOPLE.length - NOTED_AT_ONCE);
			expect(countOf(afterFirst, 1)).toBeGreaterThanOrEqual(PEOPLE.length - NOTED_AT_ONCE);
			expect(countOf(afterFirst, 0) + countOf(afterFirst, 1)).toBe(PEOPLE.length);
			expect(reached(simulator, PEOPLE)).toEqual(afterFirst);
			expect([first, second, again].map(({ status }) => status)).toEqual(Array(3).fill('error'));
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
