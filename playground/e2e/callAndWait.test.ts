import type { IDataObject } from 'n8n-workflow';
import { startSimulator, type Simulator } from '../../test/simulator/simulator';
import { startOtherServer, type OtherServer } from '../../test/otherServer';
import { eventually } from '../eventually';
import { itemsOf, outputOf } from '../executions';
import type { N8nClient } from '../rest';
import type { SavedExecution, SavedWorkflow, WorkflowDraft } from '../restTypes';
import { readExample, saveCredentials, WEBHOOK_HEADER, webhookPath } from '../setup';
import { node, nodeOf } from '../workflows';
import { openDataTables, type DataTables } from './dataTables';
import { runAsSubWorkflow } from './exampleWorkflows';
import { fromSetup, useWorld } from './world';

const CALL_AND_WAIT = readExample('call-and-wait.json');
const RESUME = readExample('resume-waiting-call.json');
const TABLE = 'Waiting calls';
/** What an execution asks for before it waits. */
const PAUSE = '/v1/pause';

const world = useWorld();
let client: N8nClient;
let tables: DataTables;
let resume: SavedWorkflow;

/** The example with a wait that is over soon. */
function impatient(draft: WorkflowDraft): WorkflowDraft {
	const changed = structuredClone(draft);
	const limit = { resumeAmount: 1, resumeUnit: 'seconds' };
	Object.assign(nodeOf(changed, 'Wait for the End').parameters, limit);
	return changed;
}

/** Comes late to its wait, when the service has answered once more; it is resumed by way of another server. */
function late(draft: WorkflowDraft, service: Simulator, way: OtherServer): WorkflowDraft {
	const { nodes, connections, ...others } = structuredClone(draft);
	const pause = node(
		'n8n-nodes-base.httpRequest',
		'Pause',
		{
			url: `${service.baseUrl}${PAUSE}`,
			options: { response: { response: { neverError: true } } },
		},
		{ typeVersion: 4.2 },
	);
	const { columns } = nodeOf({ ...others, nodes, connections }, 'Remember Call').parameters;
	const path = "$execution.resumeUrl.split('/webhook-waiting')[1]";
	const resumeUrl = `=${way.baseUrl}/webhook-waiting{{ ${path} }}`;
	Object.assign((columns as { value: IDataObject }).value, { resumeUrl });
	const toWait = connections['Remember Call'] ?? {};
	const toPause = { main: [[{ node: pause.name, type: 'main' as const, index: 0 }]] };
	return {
		...others,
		nodes: [...nodes, pause],
		connections: { ...connections, 'Remember Call': toPause, [pause.name]: toWait },
	};
}

function deliverTo(simulator: Simulator): void {
	const url = `${client.baseUrl}${webhookPath(nodeOf(resume, 'Call Ended'))}`;
	simulator.setWebhooks([{ url, headers: { [WEBHOOK_HEADER]: world().secret } }]);
}

beforeAll(async () => {
	({ client } = world());
	tables = await openDataTables(client.baseUrl);
	// What a running execution has done so far is looked at.
	resume = await client.createWorkflow({
		...RESUME,
		settings: { ...RESUME.settings, saveExecutionProgress: true },
	});
	await client.activate(resume);
	await client.waitForWebhook(webhookPath(nodeOf(resume, 'Call Ended')));
	deliverTo(world().simulator);
});

const itemOf = (execution: SavedExecution, nodeName: string): IDataObject | undefined =>
	itemsOf(execution, nodeName)[0];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

interface WaitingCall {
	executionId: string;
	callId: string;
	name: string;
}

/** Imports this workflow and calls its two contacts; the ids of their executions. */
async function callContacts(draft: WorkflowDraft): Promise<string[]> {
	const callAndWait = await client.createWorkflow(draft);
	await client.activate(callAndWait);
	const started = await client.run(callAndWait.id, 'Start');
	expect(started.status).toBe('success');
	return await eventually('an execution per contact', async () => {
		const all = await client.executions(callAndWait.id);
		const ids = all.map(({ id }) => id).filter((id) => id !== started.id);
		return ids.length === 2 ? ids.reverse() : undefined;
	});
}

async function waitingCall(executionId: string): Promise<WaitingCall> {
	return await eventually(`execution ${executionId} to wait`, async () => {
		const execution = await client.execution(executionId);
		return execution.status === 'waiting'
			? {
					executionId,
					callId: textOf(itemOf(execution, 'Place Call')?.callId),
					name: textOf(itemOf(execution, 'When Started for a Contact')?.name),
				}
			: undefined;
	});
}

/** The executions that events have started since this one, with their data so far. */
async function resumeExecutions(since: string): Promise<SavedExecution[]> {
	const all = await client.executions(resume.id);
	const newer = all.filter(({ id }) => Number(id) > Number(since));
	return await Promise.all(newer.map(({ id }) => client.execution(id)));
}

const lookUpsOf = ({ data }: SavedExecution): number =>
	data.resultData.runData['Find Waiting Call']?.length ?? 0;

async function rememberedCalls() {
	const table = await tables.find(TABLE);
	return ((await table?.rows()) ?? []).map(({ callId }) => callId);
}

/** Calls Ada by the sub-workflow of the example, as another workflow does. */
async function callAda(): Promise<SavedExecution> {
	const callAndWait = await client.createWorkflow(CALL_AND_WAIT);
	await client.activate(callAndWait);
	return await runAsSubWorkflow(client, callAndWait, [{ name: 'Ada', phone: '+15550102001' }]);
}

describe('the example "Call and wait" without its Data Table', () => {
	beforeEach(async () => {
		await (await tables.find(TABLE))?.remove();
	});

	it('calls nobody as a sub-workflow, and says why', async () => {
		const execution = await callAda();

		expect(execution.status).toBe('error');
		expect(execution.data.resultData.error?.message).toContain(`"${TABLE}" not found`);
		expect(world().simulator.requests).toEqual([]);
	});

	it('calls nobody when the table lacks a column', async () => {
		await tables.create(TABLE, ['callId']);
		const subWorkflow = await callAda();
		const { id } = await client.createWorkflow(CALL_AND_WAIT);
		const whole = await client.run(id, 'Start');
		await (await tables.find(TABLE))?.remove();

		for (const { status, data } of [subWorkflow, whole]) {
			expect(status).toBe('error');
			expect(data.resultData.error?.message).toContain('resumeUrl');
		}
		expect(world().simulator.requests).toEqual([]);
	});
});

describe('the example "Call and wait"', () => {
	it('resumes exactly the execution of the call that ended', async () => {
		const before = await client.lastExecutionId();
		const [ada, grace] = await Promise.all((await callContacts(CALL_AND_WAIT)).map(waitingCall));
		if (!ada || !grace) throw new Error('not both wait');
		expect(await rememberedCalls()).toEqual(expect.arrayContaining([ada.callId, grace.callId]));

		const summary = `${ada.name} comes on Monday.`;
		await world().simulator.endCall(ada.callId, { summary });
		const ended = await client.finished(ada.executionId);
		const resumed = await client.finishedAfter(before, resume.id, 1);
		const other = await client.execution(grace.executionId);

		expect(ended.status).toBe('success');
		expect(itemOf(ended, 'Continue with Summary')).toEqual({
			callId: ada.callId,
			name: ada.name,
			summary,
		});
		expect(itemOf(ended, 'Continue without Summary')).toBeUndefined();
		expect(resumed.map(({ status }) => status)).toEqual(['success']);
		expect(other.status).toBe('waiting');
		expect(await rememberedCalls()).toEqual([grace.callId]);

		await world().simulator.endCall(grace.callId);
		expect((await client.finished(grace.executionId)).status).toBe('success');
		expect(await rememberedCalls()).toEqual([]);
	});

	it('goes on without a summary when nobody has heard of the end in time', async () => {
		const ids = await callContacts(impatient(CALL_AND_WAIT));
		const executions = await Promise.all(ids.map((id) => client.finished(id)));

		for (const execution of executions) {
			expect(execution.status).toBe('success');
			expect(itemOf(execution, 'Continue without Summary')).toEqual({
				callId: itemOf(execution, 'Place Call')?.callId,
				name: itemOf(execution, 'When Started for a Contact')?.name,
			});
			expect(itemOf(execution, 'Continue with Summary')).toBeUndefined();
		}
		expect(await rememberedCalls()).toEqual([]);
	});

	it('says that the workspace sends no call ID', async () => {
		const before = await client.lastExecutionId();
		await world().simulator.deliverWebhook({ summary: 'An event without the ID of its call.' });
		const [execution] = await client.finishedAfter(before, resume.id, 1);

		expect(execution?.status).toBe('error');
		expect(execution?.data.resultData.error?.message).toContain('no call ID');
	});

	it('does not lose a call that ends before anybody waits for it', async () => {
		const before = await client.lastExecutionId();
		const hasty = await startSimulator({ apiKey: fromSetup('E2E_API_KEY'), callDurationMs: 0 });
		const way = await startOtherServer((response, { url }) => {
			response.writeHead(307, { location: `${client.baseUrl}${url}` }).end();
		});
		const lookedUp = eventually('a look-up for each event', async () => {
			const runs = (await resumeExecutions(before)).map(lookUpsOf);
			return runs.filter((times) => times > 0).length === 2 || undefined;
		});
		const triedAgain = eventually('a second try to resume each execution', () => {
			const urls = way.requests.map(({ url }) => url);
			const again = urls.filter((url, index) => urls.indexOf(url) < index);
			return Promise.resolve(new Set(again).size === 2 || undefined);
		});
		hasty.addFault({ kind: 'delay', endpoint: 'placeCall', until: lookedUp });
		hasty.addFault({ kind: 'delay', until: triedAgain, when: ({ path }) => path === PAUSE });
		await saveCredentials(client, hasty, world().secret);
		deliverTo(hasty);
		const ids = await callContacts(late(CALL_AND_WAIT, hasty, way));
		const executions = await Promise.all(ids.map((id) => client.finished(id)));
		await hasty.stop();
		await way.stop();

		const names = executions.map((execution) => itemOf(execution, 'Continue with Summary')?.name);
		expect(names).toEqual(['Ada', 'Grace']);
		expect(await rememberedCalls()).toEqual([]);
		const resumed = await client.finishedAfter(before, resume.id, 2);
		for (const execution of resumed) {
			expect(outputOf(execution, 'Resume Execution')).not.toEqual([]);
			expect(lookUpsOf(execution)).toBeGreaterThan(1);
		}
	});
});
