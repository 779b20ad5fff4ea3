import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import type { N8nClient } from '../rest';
import type { SavedExecution, SavedWorkflow } from '../restTypes';
import { EXAMPLES_ASK_FOR, readExample, saveCheckOnlyCredential } from '../setup';
import type { DataTable } from './dataTables';
import { exampleBook, textOf } from './contactBook';
import { ADA, GRACE, hearEvents, runAsSubWorkflow, runExample } from './exampleWorkflows';
import { START, useWorld } from './world';

const CALL_AND_WAIT = 'call-and-wait.json';

const world = useWorld();
let client: N8nClient;
let book: DataTable;
let resume: SavedWorkflow;

beforeAll(async () => {
	({ client } = world());
	book = await exampleBook(client);
	resume = await hearEvents(world(), readExample('resume-waiting-call.json'));
});

beforeEach(async () => {
	await book.clear();
});

/** Has the example call both people; the ids of their executions. */
async function callBoth(): Promise<string[]> {
	const callAndWait = await client.createWorkflow(readExample(CALL_AND_WAIT));
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

const callIdOf = (execution: SavedExecution): string =>
	textOf(itemsOf(execution, 'Place Call')[0]?.callId);

/** The call of an execution that waits for its end. */
async function waitingCall(executionId: string): Promise<{ executionId: string; callId: string }> {
	return await eventually(`execution ${executionId} to wait`, async () => {
		const execution = await client.execution(executionId);
		const callId = callIdOf(execution);
		return execution.status === 'waiting' ? { executionId, callId } : undefined;
	});
}

describe('the example "Call and wait"', () => {
	it('resumes exactly the execution of the call that ended', async () => {
		const before = await client.lastExecutionId();
		const [ada, grace] = await Promise.all((await callBoth()).map(waitingCall));
		if (!ada || !grace) throw new Error('not both wait');

		await world().simulator.endCall(ada.callId, { summary: 'Ada comes on Monday.' });
		const ended = await client.finished(ada.executionId);
		const resumed = await client.finishedAfter(before, resume.id, 1);
		const other = await client.execution(grace.executionId);

		expect(ended.status).toBe('success');
		expect(itemsOf(ended, 'Continue')).toEqual([
			{ ended: true, summary: 'Ada comes on Monday.', callId: ada.callId, phone: ADA },
		]);
		expect(resumed.map(({ status }) => status)).toEqual(['success']);
		expect(other.status).toBe('waiting');

		await world().simulator.endCall(grace.callId);
		expect((await client.finished(grace.executionId)).status).toBe('success');
	});

	it('goes on when nobody has heard of the end in time, and a later end fails where it is seen', async () => {
		const before = await client.lastExecutionId();
		const execution = await runExample(client, CALL_AND_WAIT, {
			'Wait for the End': { resumeAmount: 1, resumeUnit: 'seconds' },
		});

		expect(execution.status).toBe('success');
		const callId = callIdOf(execution);
		expect(itemsOf(execution, 'Continue')).toEqual([
			{ ended: false, summary: '', callId, phone: ADA },
		]);

		await world().simulator.endCall(callId);
		const [resumed] = await client.finishedAfter(before, resume.id, 1);
		expect(resumed?.status).toBe('error');
		// Somebody may wait only after the end: it is tried for 20 seconds, as the note of the example says.
		const [tried] = resumed?.data.resultData.runData['Resume Execution'] ?? [];
		expect(tried?.executionTime).toBeGreaterThanOrEqual(20_000);
	});

	it('in the mode Check Only, goes on without a summary when n8n looks what has waited long enough', async () => {
		await saveCheckOnlyCredential(client, world().simulator);
		const draft = readExample(CALL_AND_WAIT, EXAMPLES_ASK_FOR);
		const execution = await client.run((await client.createWorkflow(draft)).id, START);

		expect(execution.status).toBe('success');
		expect(itemsOf(execution, 'Continue')).toMatchObject([{ ended: false, summary: '' }]);
		expect(await book.rows()).toEqual([]);
	});
});
