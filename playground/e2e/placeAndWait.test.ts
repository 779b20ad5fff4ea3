import type { IDataObject } from 'n8n-workflow';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import { nodeBinary } from '../n8n';
import { post } from '../post';
import type { SavedWorkflow, WorkflowDraft } from '../restTypes';
import { apiCredentialData } from '../setup';
import { chain, node, nodeOf } from '../workflows';
import { callOf, createAgent } from './agent';
import {
	activateCalls,
	CALL_NODE,
	callsPlaced,
	holdAnswers,
	people,
	PLACE_CALL,
	reached,
	type CallsOptions,
	type Person,
} from './calls';
import { openBookOf, rowsOf, textOf, type OpenedBook } from './contactBook';
import { hearEvents, runAsSubWorkflow, SUB_WORKFLOW } from './exampleWorkflows';
import { inTurn, startModelServer, toolAnswers } from './modelServer';
import { openOwnWorld, type OwnWorld } from './ownWorld';
import { jsonOf, ownNode, runOneNode, triggerNode, useOpened } from './world';

const USER_FOLDER = path.join(__dirname, '..', '.state', 'placeAndWait');

const own = useOpened(async () => await openOwnWorld(USER_FOLDER));
let book: OpenedBook<OwnWorld>;
let next = 40;

/** Waits for a call that does not end. */
let tooLong: { readonly person: Person; readonly execution: string };

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Lets the time be over soon, in n8n's database. */
const passTime = (): void => {
	const script = path.join(__dirname, 'passTime.mjs');
	const command = ['--no-warnings', script, USER_FOLDER, tooLong.execution, '5'];
	execFileSync(nodeBinary(), command);
};

beforeAll(async () => {
	book = await openBookOf(own(), apiCredentialData(own().simulator, own().secret));
	await hearEvents(book.world, { name: 'Calls end', ...chain(triggerNode(book.world)) });
	const [person] = somebodyNew(1) as [Person];
	const { workflow, call } = await activate({ waitAtMost: 1 });
	await call([person]);
	tooLong = { person, execution: await waitingOf(workflow) };
});

const somebodyNew = (count: number): Person[] => people(count, next++);

/** An active workflow that calls people and waits until their calls have ended. */
async function activate(
	parameters: CallsOptions['parameters'] = {},
	change?: CallsOptions['change'],
) {
	const { client, credentials } = book.world;
	const waiting = { operation: 'placeAndWait', ...parameters };
	const options = { parameters: waiting, ...(change && { change }) };
	const { workflow, path: pathOfWebhook } = await activateCalls(client, credentials, options);
	return {
		workflow,
		call: async (these: Person[]) => {
			await post(`${client.baseUrl}${pathOfWebhook}`, { people: these });
		},
	};
}

/** The first execution of a workflow that waits, when it does. */
const waitingOf = async ({ id }: SavedWorkflow): Promise<string> =>
	await eventually(`an execution of ${id} to wait`, async () => {
		const all = await own().client.executions(id);
		return all.find(({ status }) => status === 'waiting')?.id;
	});

/** The ID of the call of a person, when the book has it. */
const callIdOf = async ({ phone }: Person): Promise<string> =>
	await eventually(`the call of ${phone}`, async () => {
		const rows = await rowsOf(book);
		const row = rows.find((one) => one.phone === phone && one.outcome === 'accepted');
		return row && textOf(row.contactId);
	});

const endCallOf = async (person: Person): Promise<void> => {
	await own().simulator.endCall(await callIdOf(person), { summary: `of ${person.phone}` });
};

const endOf = ({ phone }: Person) =>
	expect.objectContaining({ toNumber: phone, ended: true, summary: `of ${phone}` }) as IDataObject;

/** Calls one person in each round. */
function inLoop({ nodes, connections, ...rest }: WorkflowDraft): WorkflowDraft {
	const loop = node('n8n-nodes-base.splitInBatches', 'Loop', {}, { typeVersion: 3 });
	const done = node('n8n-nodes-base.noOp', 'Done');
	const calling = nodeOf({ ...rest, nodes, connections }, CALL_NODE);
	const { connections: toLoop } = chain(...nodes.slice(0, -1), loop);
	const { connections: toCalls } = chain(loop, calling, loop);
	const [calls = []] = toCalls.Loop?.main ?? [];
	const toDone = [{ node: done.name, type: 'main' as const, index: 0 }];
	return {
		...rest,
		nodes: [...nodes, loop, done],
		connections: { ...connections, ...toCalls, ...toLoop, Loop: { main: [toDone, calls] } },
	};
}

/** Calls everybody by two branches, which meet in the node. */
function inBranches(draft: WorkflowDraft): WorkflowDraft {
	const { connections } = draft;
	const branches = ['One', 'Other'].map((name) => node('n8n-nodes-base.noOp', name));
	const to = (...names: string[]) => ({
		main: [names.map((name) => ({ node: name, type: 'main' as const, index: 0 }))],
	});
	return {
		...draft,
		nodes: [...draft.nodes, ...branches],
		connections: {
			...connections,
			People: to('One', 'Other'),
			One: to(CALL_NODE),
			Other: to(CALL_NODE),
		},
	};
}

describe('an execution that waits for calls', () => {
	it('survives SIGKILL, and goes on when the last call has ended', async () => {
		const { client, crash } = own();
		const [ada, bob] = somebodyNew(2) as [Person, Person];
		const { workflow, call } = await activate();
		await call([ada, bob]);
		const waiting = await waitingOf(workflow);
		await endCallOf(bob);

		const { data } = await client.execution(tooLong.execution);
		const goesOnIn = Date.parse(String(data.waitTill)) - Date.now();
		expect(goesOnIn).toBeGreaterThan(HOUR_MS);
		expect(goesOnIn).toBeLessThan(HOUR_MS + 5 * MINUTE_MS);
		await crash(passTime);
		expect((await client.execution(waiting)).status).toBe('waiting');
		await endCallOf(ada);

		const ended = await client.finished(waiting);
		expect(itemsOf(ended, CALL_NODE)).toEqual([endOf(ada), endOf(bob)]);
	});

	it('of which n8n was killed while placing is retried, and waits for those who were called before', async () => {
		const { client, simulator, crash } = own();
		const [ada, bob] = somebodyNew(2) as [Person, Person];
		const { workflow, call } = await activate({ options: { maxConcurrentRequests: 1 } });
		const goOn = holdAnswers(simulator, 1);
		await call([ada, bob]);
		await callsPlaced(simulator, 1);
		await callIdOf(ada);
		await crash();
		goOn();
		const [crashed] = await client.allFinished(workflow.id);
		expect(crashed?.status).toBe('crashed');
		const row = (await rowsOf(book)).find(({ phone }) => phone === bob.phone);
		expect(row?.outcome).toBe('claimed');

		const retried = client.retry(crashed?.id ?? '');
		expect((await retried).status).toBe('error');
		expect(reached(simulator, [ada])).toEqual([1]);
	});

	it.each([
		['a loop', inLoop, 1],
		['two branches', inBranches, 2],
	])('in %s waits in each run of the node', async (_, change, times) => {
		const { client, simulator } = own();
		const these = somebodyNew(2);
		const { workflow, call } = await activate({}, change);
		simulator.setCallDuration(1_500);
		await call(these);
		const waiting = await waitingOf(workflow);
		const [ended] = await client.allFinished(workflow.id);
		const runs = (await client.execution(waiting)).data.resultData.runData[CALL_NODE] ?? [];
		simulator.setCallDuration(undefined);

		expect(ended?.status).toBe('success');
		expect(runs).toHaveLength(2);
		const ends = runs.flatMap(({ data }) => (data?.main?.[0] ?? []).map(({ json }) => json.ended));
		expect(ends).toEqual(Array(2 * times).fill(true));
		expect(reached(simulator, these)).toEqual([times, times]);
	});

	it('in a manual run waits', async () => {
		const { simulator } = own();
		const these = somebodyNew(2);
		simulator.setCallDuration(1_500);
		const parameters = { ...PLACE_CALL, operation: 'placeAndWait' };
		const ended = await runOneNode(book.world, parameters, these);
		simulator.setCallDuration(undefined);

		expect(jsonOf(ended)).toMatchObject([these.map(() => ({ ended: true }))]);
		expect(reached(simulator, these)).toEqual([1, 1]);
	});

	it('in a sub-workflow waits, and so does the workflow that has called it', async () => {
		const { client, simulator } = own();
		const these = somebodyNew(2);
		const start = 'n8n-nodes-base.executeWorkflowTrigger';
		const inputs = { inputSource: 'passthrough' };
		const parameters = { ...PLACE_CALL, operation: 'placeAndWait' };
		const sub = await client.createWorkflow({
			name: 'Waits',
			...chain(
				node(start, 'Start', inputs, { typeVersion: 1.1 }),
				ownNode(book.world, 'assistantService', CALL_NODE, parameters),
			),
		});
		await client.activate(sub);
		simulator.setCallDuration(1_500);
		const ended = await runAsSubWorkflow(client, sub, these);
		simulator.setCallDuration(undefined);

		expect(itemsOf(ended, SUB_WORKFLOW)).toMatchObject(these.map(() => ({ ended: true })));
		expect(reached(simulator, these)).toEqual([1, 1]);
	});

	it('that was stopped calls nobody again in a retry', async () => {
		const { client, simulator } = own();
		const [ada] = somebodyNew(1) as [Person];
		const { workflow, call } = await activate();
		await call([ada]);
		const waiting = await waitingOf(workflow);
		await client.stop(waiting);

		const retried = await client.retry(waiting);

		expect(itemsOf(retried, CALL_NODE)).toMatchObject([{ toNumber: ada.phone, ended: null }]);
		expect(reached(simulator, [ada])).toEqual([1]);
	});

	it('as a tool of the AI Agent 3 waits for two calls that it was asked for at once', async () => {
		const model = await startModelServer();
		const { simulator } = own();
		const [ada, bob] = somebodyNew(2) as [Person, Person];
		simulator.setCallDuration(1_500);
		try {
			const parameters = { operation: 'placeAndWait' };
			const agent = await createAgent({ ...book.world, model }, { parameters });
			// n8n answers when the execution begins to wait.
			await agent.converse(inTurn([callOf(ada), callOf(bob)]));
			const answers = await eventually('both calls to end', () => {
				const read = toolAnswers(model.requests.at(-1)?.messages ?? []);
				return Promise.resolve(read.length === 2 ? read : undefined);
			});
			for (const answer of answers) expect(answer).toContain('"ended":true');
			expect(reached(simulator, [ada, bob])).toEqual([1, 1]);
		} finally {
			simulator.setCallDuration(undefined);
			await model.stop();
		}
	});

	it('goes on minutes after its time, if n8n was killed meanwhile', async () => {
		const { execution, person } = tooLong;
		const over = await own().client.finished(execution);
		expect(itemsOf(over, CALL_NODE)).toMatchObject([{ toNumber: person.phone, ended: null }]);
	});
});
