import path from 'node:path';
import { ASSISTANT_ID } from '../../test/simulator/seed';
import type { RecordedRequest } from '../../test/simulator/simulator';
import { eventually } from '../eventually';
import { post } from '../post';
import type { SavedWorkflow, WorkflowDraft } from '../restTypes';
import { WEBHOOK_HEADER } from '../setup';
import { chain, node, nodeOf } from '../workflows';
import {
	activateCalls,
	activateSingleCalls,
	CALL_NODE,
	callsPlaced,
	countOf,
	holdAnswers,
	MARKED_AT_ONCE,
	people,
	postEach,
	reached,
} from './calls';
import { openOwnWorld } from './ownWorld';
import { createTrigger, useOpened } from './world';

const PEOPLE = people(200);
/** More than n8n would keep for an execution of one item. */
const MANY = people(1500);
/** What a later node asks for. */
const LATER = '/v1/later';
const USER_FOLDER = path.join(__dirname, '..', '.state', 'crash');

const world = useOpened(
	async () => await openOwnWorld(USER_FOLDER),
	async ({ stop }) => stop(),
);

beforeEach(() => {
	world().simulator.reset();
});

async function callPeople(pathOfWebhook: string, these = PEOPLE): Promise<void> {
	await post(`${world().client.baseUrl}${pathOfWebhook}`, { people: these });
}

/** Kills n8n without a word, and starts it again; gives the executions that it was at. */
async function crashAll({ id }: SavedWorkflow): Promise<string[]> {
	await world().crash();
	const ended = await world().client.allFinished(id);
	return ended.filter(({ status }) => status === 'crashed').map((execution) => execution.id);
}

/** The same where n8n was at one execution. */
async function crash(workflow: SavedWorkflow): Promise<string> {
	const [crashed, ...others] = await crashAll(workflow);
	expect(others).toEqual([]);
	return crashed ?? '';
}

/** n8n takes the last one that had begun in this order for the node at which it died. */
const lastNodeFirst = ({ nodes, ...rest }: WorkflowDraft): WorkflowDraft => ({
	...rest,
	nodes: [...nodes].reverse(),
});

/** Calls 40 people in each round, and goes on when the calls of some fail. */
function inLoop({ nodes, connections, ...rest }: WorkflowDraft): WorkflowDraft {
	const loop = node('n8n-nodes-base.splitInBatches', 'Loop', { batchSize: 40 }, { typeVersion: 3 });
	const calling = nodeOf({ ...rest, nodes, connections }, CALL_NODE);
	const { connections: toLoop } = chain(...nodes.slice(0, -1), loop);
	const { connections: toCalls } = chain(loop, calling, loop);
	const [calls = []] = toCalls.Loop?.main ?? [];
	return {
		...rest,
		nodes: [...nodes.slice(0, -1), loop, { ...calling, onError: 'continueRegularOutput' }],
		connections: { ...connections, ...toCalls, ...toLoop, Loop: { main: [[], calls] } },
	};
}

/** Kills n8n in the third round of such a loop. */
async function crashInLoop(): Promise<{ workflow: SavedWorkflow; crashed: string }> {
	const { client, simulator, credentials } = world();
	const { workflow, path } = await activateCalls(client, credentials, { change: inLoop });
	const goOn = holdAnswers(simulator, 100);
	await callPeople(path);
	await callsPlaced(simulator, 101);
	const crashed = await crash(workflow);
	goOn();
	return { workflow, crashed };
}

function expectLoopToHaveGoneOn(): void {
	const after = reached(world().simulator, PEOPLE);
	expect(countOf(after, 0) + countOf(after, 1)).toBe(PEOPLE.length);
	// Those of the third round may have been marked without being called.
	expect(countOf(after, 1)).toBeGreaterThan(160);
}

describe('when n8n is killed', () => {
	it.each([
		['', undefined],
		[' of a node that is saved before its trigger', lastNodeFirst],
	])('in the middle of the calls%s, a retry calls the others, nobody twice', async (_, change) => {
		const { client, simulator, credentials } = world();
		const { workflow, path } = await activateCalls(client, credentials, { change });
		const goOn = holdAnswers(simulator, 60);
		await callPeople(path);
		await callsPlaced(simulator, 61);
		const crashed = await crash(workflow);
		const before = countOf(reached(simulator, PEOPLE), 1);
		goOn();

		const first = await client.retry(crashed);
		const afterFirst = reached(simulator, PEOPLE);
		const second = await client.retry(first.id);
		const again = await client.retry(crashed);

		expect(before).toBeLessThan(PEOPLE.length - MARKED_AT_ONCE);
		expect(countOf(afterFirst, 1)).toBeGreaterThanOrEqual(PEOPLE.length - MARKED_AT_ONCE);
		expect(countOf(afterFirst, 0) + countOf(afterFirst, 1)).toBe(PEOPLE.length);
		expect(reached(simulator, PEOPLE)).toEqual(afterFirst);
		expect([first, second, again].map(({ status }) => status)).toEqual(Array(3).fill('error'));
	});

	it('in the middle of a loop, a retry goes through its rounds and calls nobody twice', async () => {
		const { crashed } = await crashInLoop();

		const retried = await world().client.retry(crashed);

		expect(retried.status).toBe('success');
		expectLoopToHaveGoneOn();
	});

	it('in the middle of a loop, a retry with larger rounds calls nobody twice', async () => {
		const { client } = world();
		const { workflow, crashed } = await crashInLoop();
		const saved = await client.workflow(workflow.id);
		nodeOf(saved, 'Loop').parameters = { batchSize: 100 };
		await client.updateWorkflow(workflow.id, saved);

		const retried = await client.retry(crashed, true);

		expect(retried.status).toBe('success');
		expectLoopToHaveGoneOn();
	});

	it('in the middle of many calls, a retry calls nobody twice, although other executions came in between', async () => {
		const { client, simulator, credentials } = world();
		const { workflow, path } = await activateCalls(client, credentials);
		const goOn = holdAnswers(simulator, 1335);
		await callPeople(path, MANY);
		await callsPlaced(simulator, 1336);
		const crashed = await crash(workflow);
		goOn();
		await callPeople(path, people(1, 2));
		await client.allFinished(workflow.id);
		const before = reached(simulator, MANY);

		await client.retry(crashed);

		expect(countOf(before, 0)).toBeGreaterThan(MARKED_AT_ONCE);
		const after = reached(simulator, MANY);
		expect(countOf(after, 0) + countOf(after, 1)).toBe(MANY.length);
		expect(countOf(after, 1)).toBeGreaterThanOrEqual(MANY.length - MARKED_AT_ONCE);
	});

	it('in the middle of many executions of one call each, their retries call nobody twice', async () => {
		const { client, simulator, credentials } = world();
		const all = people(30);
		const { workflow, path } = await activateSingleCalls(client, credentials);
		const goOn = holdAnswers(simulator);
		await postEach(`${client.baseUrl}${path}`, all);
		await callsPlaced(simulator, all.length);
		const crashed = await crashAll(workflow);
		goOn();

		for (const id of crashed) await client.retry(id);

		expect(crashed).toHaveLength(all.length);
		expect(reached(simulator, all)).toEqual(all.map(() => 1));
	});

	it('retries that are to send again know the answers of each other', async () => {
		const { client, simulator, credentials } = world();
		const parameters = { options: { ifOutcomeUnknown: 'sendAgain' } };
		const { workflow, path } = await activateCalls(client, credentials, { parameters });
		const goOn = holdAnswers(simulator, 60);
		await callPeople(path);
		await callsPlaced(simulator, 61);
		const crashed = await crash(workflow);
		const before = reached(simulator, PEOPLE);
		goOn();

		const first = await client.retry(crashed);
		const second = await client.retry(crashed);

		expect([first, second].map(({ status }) => status)).toEqual(['success', 'success']);
		expect(reached(simulator, PEOPLE)).toEqual(before.map((times) => times + 1));
	});

	it('in chats behind the calls, a retry asks nobody again, although it hands them other items', async () => {
		const { client, simulator, credentials } = world();
		const onError = 'continueRegularOutput';
		const chat = node(
			'n8n-nodes-assistant-service.assistantService',
			'Chat',
			{
				resource: 'chat',
				operation: 'start',
				assistantId: ASSISTANT_ID,
				userIdentifier: "={{ $('People').item.json.phone }}",
				question: 'What shall I bring?',
			},
			{ credentials: { ...credentials }, onError },
		);
		const change = (draft: WorkflowDraft): WorkflowDraft => {
			nodeOf(draft, CALL_NODE).onError = onError;
			return draft;
		};
		const { workflow, path } = await activateCalls(client, credentials, { then: [chat], change });
		const goOn = holdAnswers(simulator, 40, 'chat');
		await callPeople(path);
		await callsPlaced(simulator, 41, 'chat');
		const crashed = await crash(workflow);
		goOn();

		const retried = await client.retry(crashed);

		expect(retried.status).toBe('success');
		expect(reached(simulator, PEOPLE)).toEqual(PEOPLE.map(() => 1));
		const asked = simulator.processed('chat').map(({ body }) => body);
		expect(asked.length).toBeGreaterThanOrEqual(PEOPLE.length - MARKED_AT_ONCE);
		expect(new Set(asked.map((body) => JSON.stringify(body))).size).toBe(asked.length);
	});

	it('whom the node has contacted is known afterwards', async () => {
		const { client, simulator, credentials } = world();
		const parameters = { contactRules: { notAgainWithin: 24 } };
		const { workflow, path } = await activateCalls(client, credentials, { parameters });
		const contacted = PEOPLE.slice(0, 20);
		await callPeople(path, contacted);
		await callsPlaced(simulator, contacted.length);
		await client.allFinished(workflow.id);

		await world().crash();
		await client.waitForWebhook(path);
		await callPeople(path, PEOPLE.slice(0, 40));
		await client.allFinished(workflow.id);

		expect(reached(simulator, PEOPLE.slice(0, 40))).toEqual(Array(40).fill(1));
	});

	it('the trigger knows the events from before', async () => {
		const { client, secret } = world();
		const { workflowId, url } = await createTrigger(world(), {});
		const deliver = async (callId: string) =>
			(await post(url, { callId }, { headers: { [WEBHOOK_HEADER]: secret } })).data;
		const sent = ['call-1', 'call-2', 'call-3', 'call-4'];
		for (const callId of sent) expect(await deliver(callId)).toEqual({ received: true });

		await world().crash();

		await client.waitForWebhook(new URL(url).pathname);
		for (const callId of sent) expect(await deliver(callId)).toEqual({ repeat: true });
		expect(await client.executions(workflowId)).toHaveLength(sent.length);
	});

	it('in a later node, a retry calls nobody', async () => {
		const { client, simulator, credentials } = world();
		const later = node(
			'n8n-nodes-base.httpRequest',
			'Later',
			{ url: `${simulator.baseUrl}${LATER}` },
			{ typeVersion: 4.2, executeOnce: true },
		);
		const isLater = ({ path }: RecordedRequest) => path === LATER;
		simulator.addFault({ kind: 'hang', when: isLater, times: 1 });
		const { workflow, path } = await activateCalls(client, credentials, { then: [later] });
		await callPeople(path);
		await eventually('the later node', () =>
			Promise.resolve(simulator.requests.find(isLater) && true),
		);
		const crashed = await crash(workflow);

		const retried = await client.retry(crashed);

		expect(retried.status).toBe('error');
		expect(reached(simulator, PEOPLE)).toEqual(PEOPLE.map(() => 1));

		// The same people in a new execution are meant.
		await callPeople(path);
		await callsPlaced(simulator, 2 * PEOPLE.length);
		expect(reached(simulator, PEOPLE)).toEqual(PEOPLE.map(() => 2));
	});
});
