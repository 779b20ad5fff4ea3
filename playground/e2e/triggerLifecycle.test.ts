import type { IDataObject, INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually';
import { post } from '../post';
import { outputOf } from '../executions';
import type { SavedWorkflow } from '../restTypes';
import { testWebhookPath, WEBHOOK_HEADER, webhookPath } from '../setup';
import { linesInLog, ownNode, useWorld } from './world';

const RECEIVED = { status: 200, data: { received: true } };
const REPEAT = { status: 200, data: { repeat: true } };
const REFUSED = expect.objectContaining({ status: 401 }) as unknown;
const NOT_THERE = expect.objectContaining({ status: 404 }) as unknown;

const world = useWorld();

function trigger(name = 'Call Ended', options: IDataObject = {}): INode {
	const parameters = { authentication: 'secret', options: { output: 'raw', ...options } };
	return ownNode(world(), 'assistantServiceTrigger', name, parameters, { typeVersion: 1.1 });
}

const event = (callId: string = randomUUID()) => ({ callId, summary: 'Settled.' });

async function send(path: string, body: IDataObject = event(), secret = world().secret) {
	const headers = { [WEBHOOK_HEADER]: secret };
	return await post(`${world().client.baseUrl}${path}`, body, { headers });
}

async function create(...nodes: INode[]): Promise<SavedWorkflow> {
	return await world().client.createWorkflow({ name: 'Lifecycle', nodes, connections: {} });
}

/** n8n takes triggers in and out in the background. */
async function settled(id: string, status: string): Promise<void> {
	await eventually(`workflow ${id} to be ${status}`, async () => {
		const publication = await world().client.publication(id);
		return publication.status === status ? true : undefined;
	});
}

async function activate(workflow: SavedWorkflow): Promise<void> {
	await world().client.activate(workflow);
	await settled(workflow.id, 'published');
}

async function deactivate({ id }: SavedWorkflow): Promise<void> {
	await world().client.deactivate(id);
	await settled(id, 'not_published');
}

async function createActive(...nodes: INode[]): Promise<SavedWorkflow> {
	const workflow = await create(...nodes);
	await activate(workflow);
	return workflow;
}

/** The output of a trigger in each execution of the workflow, oldest first, when there are exactly so many. */
async function outputs({ id }: SavedWorkflow, count: number, { name }: INode) {
	const executions = await world().client.finishedAfter('0', id, count);
	expect(executions).toHaveLength(count);
	return executions.map((execution) => outputOf(execution, name).flat()[0]?.json);
}

describe('the production URL', () => {
	it('takes events only while the workflow is active', async () => {
		const node = trigger();
		const workflow = await create(node);
		expect(await send(webhookPath(node))).toEqual(NOT_THERE);
		await activate(workflow);
		const during = event();
		expect(await send(webhookPath(node), during)).toEqual(RECEIVED);
		await deactivate(workflow);
		expect(await send(webhookPath(node))).toEqual(NOT_THERE);
		expect(await outputs(workflow, 1, node)).toEqual([during]);
	});

	it('asks for the secret of another credential as soon as it is activated with it', async () => {
		const before = trigger();
		const workflow = await createActive(before);
		expect(await send(webhookPath(before))).toEqual(RECEIVED);
		const type = 'assistantServiceWebhookApi';
		const data = { secret: 'another-webhook-secret', headerName: WEBHOOK_HEADER };
		const credential = await world().client.saveCredential(type, 'Another account', data);
		const after = { ...before, credentials: { [type]: credential } };
		await activate(await world().client.updateWorkflow(workflow.id, { nodes: [after] }));
		expect(await send(webhookPath(after))).toEqual(REFUSED);
		expect(await send(webhookPath(after), event(), data.secret)).toEqual(RECEIVED);
		await outputs(workflow, 2, after);
	});

	it('knows a repeat after the workflow was inactive, and after it was saved anew', async () => {
		const node = trigger();
		const workflow = await createActive(node);
		const known = event();
		expect(await send(webhookPath(node), known)).toEqual(RECEIVED);
		await deactivate(workflow);
		await activate(workflow);
		expect(await send(webhookPath(node), known)).toEqual(REPEAT);
		const renamed = { ...node, name: 'Renamed', webhookId: randomUUID() };
		await activate(await world().client.updateWorkflow(workflow.id, { nodes: [renamed] }));
		expect(await send(webhookPath(renamed), known)).toEqual(REPEAT);
		expect(await outputs(workflow, 1, node)).toEqual([known]);
	});
});

describe('the test URL', () => {
	it('takes one event after "Execute workflow", and none before; each refusal is in the log', async () => {
		const node = trigger();
		const workflow = await create(node);
		expect(await send(testWebhookPath(node))).toEqual(NOT_THERE);
		await world().client.listen(workflow.id, node.name);
		expect(await send(testWebhookPath(node), event(), 'wrong')).toEqual(REFUSED);
		expect(await send(testWebhookPath(node), event(), 'wrong')).toEqual(REFUSED);
		const first = event();
		expect(await send(testWebhookPath(node), first)).toEqual(RECEIVED);
		expect(await send(testWebhookPath(node))).toEqual(NOT_THERE);
		expect(await outputs(workflow, 1, node)).toEqual([first]);
		expect(await send(webhookPath(node))).toEqual(NOT_THERE);
		expect(linesInLog(`of workflow ${workflow.id} refused`)).toHaveLength(2);
	});
});

describe('an option that cannot be used', () => {
	const REASON = 'IP Allowlist: "300.1.1.1" is not an IP address or range';
	const unreadable = () => trigger('Call Ended', { ipAllowlist: '127.0.0.1, 300.1.1.1' });

	it('keeps the workflow from being activated until it is corrected: an IP allowlist', async () => {
		const node = unreadable();
		const workflow = await create(node);
		await world().client.activate(workflow);
		// n8n 2.41 tries five times within 15 seconds first, and leaves its flag `active` set.
		await settled(workflow.id, 'failed');
		const { triggers } = await world().client.publication(workflow.id);
		expect(triggers).toEqual([
			expect.objectContaining({ errorMessage: expect.stringContaining(REASON) as unknown }),
		]);
		expect(await send(webhookPath(node))).toEqual(NOT_THERE);
		const { parameters } = trigger('Call Ended', { ipAllowlist: '127.0.0.1' });
		await activate(
			await world().client.updateWorkflow(workflow.id, { nodes: [{ ...node, parameters }] }),
		);
		expect(await send(webhookPath(node))).toEqual(RECEIVED);
		await outputs(workflow, 1, node);
	});
});
