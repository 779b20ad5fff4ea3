import type { IDataObject } from 'n8n-workflow';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import type { N8nClient } from '../rest';
import type { SavedExecution, SavedWorkflow, WorkflowDraft } from '../restTypes';
import { readExample } from '../setup';
import { nodeOf } from '../workflows';
import type { DataTable } from './dataTables';
import { exampleBook, textOf } from './contactBook';
import { ADA, GRACE, hearEvents, runAsSubWorkflow } from './exampleWorkflows';
import { START, useWorld } from './world';

const CALL_AND_WAIT = readExample('call-and-wait.json');
const RESUME = readExample('resume-waiting-call.json');

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

/** Has this workflow call both people; the ids of their executions. */
async function callBoth(draft: WorkflowDraft): Promise<string[]> {
	const callAndWait = await client.createWorkflow(draft);
	await client.activate(callAndWait);
	for (const person of [
		{ name: 'Ada', phone: ADA },
		{ name: 'Grace', phone: GRACE },
	]) {
		const options = { waitForSubWorkflow: false };
		const caller = await runAsSubWorkflow(client, callAndWait, [person], options);
		expect(caller.status).toBe('success');
	}
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
		// Somebody may wait only after the end: it is tried for 20 seconds, as the note of the example says.
		const [tried] = resumed?.data.resultData.runData['Resume Execution'] ?? [];
		expect(tried?.executionTime).toBeGreaterThanOrEqual(20_000);
	});
});
