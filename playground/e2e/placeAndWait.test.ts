import type { IDataObject } from 'n8n-workflow';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { HOUR } from '../../nodes/shared/time/clock';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import { nodeBinary } from '../n8n';
import { post } from '../post';
import type { SavedExecution, SavedWorkflow } from '../restTypes';
import { chain, node } from '../workflows';
import { callOf, createAgent } from './agent';
import {
	activateCalls,
	CALL_NODE,
	inLoop,
	people,
	PLACE_CALL,
	reached,
	type CallsOptions,
	type Person,
} from './calls';
import { openBook, rowsOf, textOf, type OpenedBook } from './contactBook';
import { hearEvents, runAsSubWorkflow, SUB_WORKFLOW } from './exampleWorkflows';
import { inTurn, startModelServer, toolAnswers } from './modelServer';
import { openOwnWorld, type OwnWorld } from './ownWorld';
import { NODE, ownNode, runOneNode, triggerNode, useOpened } from './world';

const USER_FOLDER = path.join(__dirname, '..', '.state', 'placeAndWait');

const own = useOpened(async () => await openOwnWorld(USER_FOLDER));
const model = useOpened(startModelServer);
let book: OpenedBook<OwnWorld>;
let next = 40;

/** Waits for a call that does not end. */
let tooLong: { readonly person: Person; readonly execution: string };

const MINUTE_MS = 60_000;

/** Lets the time be over soon, in n8n's database. */
const passTime = (): void => {
	const script = path.join(__dirname, 'passTime.mjs');
	const command = ['--no-warnings', script, USER_FOLDER, tooLong.execution, '5'];
	execFileSync(nodeBinary(), command);
};

beforeAll(async () => {
	book = await openBook(own());
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

/** Lets calls end by themselves while this is done. */
async function whileCallsEnd<T>(work: () => Promise<T>): Promise<T> {
	own().simulator.setCallDuration(1_500);
	try {
		return await work();
	} finally {
		own().simulator.setCallDuration(undefined);
	}
}

const PLACE_AND_WAIT = { ...PLACE_CALL, operation: 'placeAndWait' };

const byHand = async (these: Person[]): Promise<SavedExecution> =>
	await runOneNode(book.world, PLACE_AND_WAIT, these);

/** The workflow that has called it waits as well. */
async function inSubWorkflow(these: Person[]): Promise<SavedExecution> {
	const { client } = own();
	const inputs = { inputSource: 'passthrough' };
	const sub = await client.createWorkflow({
		name: 'Waits',
		...chain(
			node('n8n-nodes-base.executeWorkflowTrigger', 'Start', inputs, { typeVersion: 1.1 }),
			ownNode(book.world, 'assistantService', CALL_NODE, PLACE_AND_WAIT),
		),
	});
	await client.activate(sub);
	return await runAsSubWorkflow(client, sub, these);
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
		expect(goesOnIn).toBeGreaterThan(HOUR);
		expect(goesOnIn).toBeLessThan(HOUR + 5 * MINUTE_MS);
		await crash(passTime);
		expect((await client.execution(waiting)).status).toBe('waiting');
		await endCallOf(ada);

		const ended = await client.finished(waiting);
		expect(itemsOf(ended, CALL_NODE)).toEqual([endOf(ada), endOf(bob)]);
	});

	it('in a loop waits in each run of the node, also for the people of the run before', async () => {
		const { client, simulator } = own();
		const these = somebodyNew(2);
		const { workflow, call } = await activate({}, inLoop(2));
		const execution = await whileCallsEnd(async () => {
			await call([...these, ...these]);
			return await client.finished(await waitingOf(workflow));
		});

		expect(execution.status).toBe('success');
		const runs = execution.data.resultData.runData[CALL_NODE] ?? [];
		const ends = runs.map(({ data }) => data?.main?.[0]?.map(({ json }) => json.ended));
		expect(ends).toEqual([Array(2).fill(true), Array(2).fill(true)]);
		expect(reached(simulator, these)).toEqual([2, 2]);
	});

	it.each([
		['in a manual run', byHand, NODE],
		['in a sub-workflow', inSubWorkflow, SUB_WORKFLOW],
	])('%s waits', async (_, run, name) => {
		const these = somebodyNew(2);
		const ended = await whileCallsEnd(async () => await run(these));

		expect(itemsOf(ended, name)).toMatchObject(these.map(() => ({ ended: true })));
		expect(reached(own().simulator, these)).toEqual([1, 1]);
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
		const [ada, bob] = somebodyNew(2) as [Person, Person];
		const parameters = { operation: 'placeAndWait' };
		const agent = await createAgent({ ...book.world, model: model() }, { parameters });
		const answers = await whileCallsEnd(async () => {
			// n8n answers when the execution begins to wait.
			await agent.converse(inTurn([callOf(ada), callOf(bob)]));
			return await eventually('both calls to end', () => {
				const read = toolAnswers(model().requests.at(-1)?.messages ?? []);
				return Promise.resolve(read.length === 2 ? read : undefined);
			});
		});

		for (const answer of answers) expect(answer).toContain('"ended":true');
		expect(reached(own().simulator, [ada, bob])).toEqual([1, 1]);
	});

	it('goes on minutes after its time, if n8n was killed meanwhile', async () => {
		const { execution, person } = tooLong;
		const over = await own().client.finished(execution);
		expect(itemsOf(over, CALL_NODE)).toMatchObject([{ toNumber: person.phone, ended: null }]);
	});
});
