import type { IDataObject } from 'n8n-workflow';
import { startOtherServer, type OtherServer } from '../../test/otherServer';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import type { N8nClient } from '../rest';
import type { SavedExecution, SavedWorkflow, WorkflowDraft } from '../restTypes';
import { readExample } from '../setup';
import { node, nodeOf } from '../workflows';
import type { DataTable } from './dataTables';
import { exampleBook, textOf } from './contactBook';
import { ADA, GRACE, hearEvents, SUB_WORKFLOW } from './exampleWorkflows';
import { START, useWorld } from './world';

const CALL_AND_WAIT = readExample('call-and-wait.json');
const RESUME = readExample('resume-waiting-call.json');
/** What an execution asks for before it waits. */
const PAUSE = '/v1/pause';

const world = useWorld();
let client: N8nClient;
let book: DataTable;
let resume: SavedWorkflow;

/** The example with a wait that is over soon. */
function impatient(): WorkflowDraft {
	const changed = structuredClone(CALL_AND_WAIT);
	const limit = { resumeAmount: 1, resumeUnit: 'seconds' };
	Object.assign(nodeOf(changed, 'Wait for the End').parameters, limit);
	return changed;
}

/** Comes late to its wait, when the service has answered once more; it is resumed by way of another server. */
function late(way: OtherServer): WorkflowDraft {
	const draft = structuredClone(CALL_AND_WAIT);
	const pause = node(
		'n8n-nodes-base.httpRequest',
		'Pause',
		{
			url: `${world().simulator.baseUrl}${PAUSE}`,
			options: { response: { response: { neverError: true } } },
		},
		{ typeVersion: 4.2 },
	);
	const path = "$execution.resumeUrl.split('/webhook-waiting')[1]";
	const resumeUrl = `=${way.baseUrl}/webhook-waiting{{ ${path} }}`;
	Object.assign(nodeOf(draft, 'Place Call').parameters.options ?? {}, { resumeUrl });
	const toWait = draft.connections['Place Call'] ?? {};
	const toPause = { main: [[{ node: pause.name, type: 'main' as const, index: 0 }]] };
	return {
		...draft,
		nodes: [...draft.nodes, pause],
		connections: { ...draft.connections, 'Place Call': toPause, [pause.name]: toWait },
	};
}

beforeAll(async () => {
	({ client } = world());
	book = await exampleBook(client);
	resume = await hearEvents(world(), RESUME);
});

beforeEach(async () => {
	await book.clear();
});

const itemOf = (execution: SavedExecution, nodeName: string): IDataObject | undefined =>
	itemsOf(execution, nodeName)[0];

/** Another workflow that starts the sub-workflow for one of its items after the other, and waits for none. */
function callerOf({ id }: SavedWorkflow, items: IDataObject[]): WorkflowDraft {
	const value = { name: '={{ $json.name }}', phone: '={{ $json.phone }}' };
	const nodes = [
		node('n8n-nodes-base.manualTrigger', START),
		node('n8n-nodes-base.splitInBatches', 'Loop', { options: {} }, { typeVersion: 3 }),
		node(
			'n8n-nodes-base.executeWorkflow',
			SUB_WORKFLOW,
			{
				workflowId: { __rl: true, mode: 'id', value: id },
				workflowInputs: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
				options: { waitForSubWorkflow: false },
			},
			{ typeVersion: 1.2 },
		),
	];
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	const connections = {
		[START]: { main: [to('Loop')] },
		Loop: { main: [[], to(SUB_WORKFLOW)] },
		[SUB_WORKFLOW]: { main: [to('Loop')] },
	};
	const pinData = { [START]: items.map((json) => ({ json })) };
	return { name: 'Caller', nodes, connections, pinData };
}

/** Has this workflow call both people; the ids of their executions. */
async function callBoth(draft: WorkflowDraft): Promise<string[]> {
	const callAndWait = await client.createWorkflow(draft);
	await client.activate(callAndWait);
	const people = [
		{ name: 'Ada', phone: ADA },
		{ name: 'Grace', phone: GRACE },
	];
	const caller = await client.createWorkflow(callerOf(callAndWait, people));
	expect((await client.run(caller.id, START)).status).toBe('success');
	return await eventually('an execution per contact', async () => {
		const all = await client.executions(callAndWait.id);
		const ids = all.map(({ id }) => id).sort((one, other) => Number(one) - Number(other));
		return ids.length === 2 ? ids : undefined;
	});
}

/** The call of an execution that waits for its end. */
async function waitingCall(executionId: string): Promise<{ executionId: string; callId: string }> {
	return await eventually(`execution ${executionId} to wait`, async () => {
		const execution = await client.execution(executionId);
		const callId = textOf(itemOf(execution, 'Place Call')?.callId);
		return execution.status === 'waiting' ? { executionId, callId } : undefined;
	});
}

describe('the example "Call and wait"', () => {
	it('resumes exactly the execution of the call that ended', async () => {
		const before = await client.lastExecutionId();
		const [ada, grace] = await Promise.all((await callBoth(CALL_AND_WAIT)).map(waitingCall));
		if (!ada || !grace) throw new Error('not both wait');

		await world().simulator.endCall(ada.callId, { summary: 'Ada comes on Monday.' });
		const ended = await client.finished(ada.executionId);
		const resumed = await client.finishedAfter(before, resume.id, 1);
		const other = await client.execution(grace.executionId);

		expect(ended.status).toBe('success');
		expect(itemOf(ended, 'Continue')).toEqual({
			ended: true,
			summary: 'Ada comes on Monday.',
			callId: ada.callId,
			phone: ADA,
		});
		expect(resumed.map(({ status }) => status)).toEqual(['success']);
		expect(other.status).toBe('waiting');

		await world().simulator.endCall(grace.callId);
		expect((await client.finished(grace.executionId)).status).toBe('success');
	});

	it('goes on when nobody has heard of the end in time, and a later end fails where it is seen', async () => {
		const before = await client.lastExecutionId();
		const { id } = await client.createWorkflow(impatient());
		const execution = await client.run(id, START);

		expect(execution.status).toBe('success');
		const callId = textOf(itemOf(execution, 'Place Call')?.callId);
		const phone = ADA;
		expect(itemOf(execution, 'Continue')).toEqual({ ended: false, summary: '', callId, phone });

		await world().simulator.endCall(callId);
		const [resumed] = await client.finishedAfter(before, resume.id, 1);
		expect(resumed?.status).toBe('error');
	});

	it('does not lose a call that ends before anybody waits for it', async () => {
		const before = await client.lastExecutionId();
		const way = await startOtherServer((response, { url }) => {
			response.writeHead(307, { location: `${client.baseUrl}${url}` }).end();
		});
		const triedAgain = eventually('a second try to resume the execution', () =>
			Promise.resolve(way.requests.length >= 2 || undefined),
		);
		world().simulator.addFault({
			kind: 'delay',
			until: triedAgain,
			when: ({ path }) => path === PAUSE,
		});
		const { id } = await client.createWorkflow(late(way));
		const executionId = await client.start(id, START);
		const [row] = await eventually('the row of the call', async () => {
			const rows = await book.rows();
			return rows[0]?.outcome === 'accepted' ? rows : undefined;
		});
		await world().simulator.endCall(textOf(row?.contactId));
		const execution = await client.finished(executionId);
		await way.stop();

		expect(itemOf(execution, 'Continue')).toMatchObject({ ended: true });
		const [resumed] = await client.finishedAfter(before, resume.id, 1);
		expect(resumed?.status).toBe('success');
	});
});
