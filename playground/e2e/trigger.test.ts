import type { INode, INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import { post } from '../post';
import type { SavedWorkflow } from '../restTypes';
import { apiCredentialData, testWebhookPath, webhookPath } from '../setup';
import { RECEIVED, REPEAT, sendEvent } from './events';
import { TRIGGER, triggerNode, useWorld } from './world';

const EVENT = {
	callId: 'call-1',
	callStartTime: '2026-01-02T03:04:05.000Z',
	summary: 'An appointment on Monday.',
	transcript: 'Assistant: Hello.',
	appointment: 'Monday at 9:00',
};
const { appointment, ...NAMED } = EVENT;
const SIMPLIFIED = {
	...NAMED,
	variables: { appointment },
	eventKey: expect.stringMatching(/./) as unknown,
	receivedAt: expect.stringMatching(/./) as unknown,
};
const REFUSED = expect.objectContaining({ status: 401 }) as unknown;
const NOT_THERE = expect.objectContaining({ status: 404 }) as unknown;

const world = useWorld();

const trigger = (options: INodeParameters = {}): INode =>
	triggerNode(world(), { authentication: 'secret', options });

const event = () => ({ ...EVENT, callId: randomUUID() });

const urlOf = (path: string) => `${world().client.baseUrl}${path}`;

const send = async (path: string, body: object = event(), secret = world().secret) =>
	await sendEvent({ secret }, urlOf(path), body);

async function create(node: INode): Promise<SavedWorkflow> {
	return await world().client.createWorkflow({ name: 'Trigger', nodes: [node], connections: {} });
}

/** n8n takes triggers in and out in the background. */
async function settled(id: string, status: string): Promise<void> {
	await eventually(`workflow ${id} to be ${status}`, async () => {
		const publication = await world().client.publication(id);
		return publication.status === status ? true : undefined;
	});
}

async function activate(workflow: SavedWorkflow): Promise<SavedWorkflow> {
	await world().client.activate(workflow);
	await settled(workflow.id, 'published');
	return workflow;
}

async function deactivate({ id }: SavedWorkflow): Promise<void> {
	await world().client.deactivate(id);
	await settled(id, 'not_published');
}

/** Saves a workflow with another node in the place of its own, and activates it. */
async function replace({ id }: SavedWorkflow, node: INode): Promise<void> {
	await activate(await world().client.updateWorkflow(id, { nodes: [node] }));
}

/** What the executions of a workflow got from its trigger, oldest first, when there are exactly so many. */
async function outputs({ id }: SavedWorkflow, count: number) {
	const executions = await world().client.finishedAfter('0', id, count);
	expect(executions).toHaveLength(count);
	return executions.flatMap((execution) => itemsOf(execution, TRIGGER));
}

describe('the production URL', () => {
	it('takes an event with the secret in the header or in the query, and executes a repeat no second time', async () => {
		const node = trigger();
		const workflow = await activate(await create(node));
		const inQuery = { params: { secret: world().secret } };
		const other = { ...EVENT, callId: 'call-2' };

		expect(await send(webhookPath(node), EVENT)).toEqual(RECEIVED);
		await outputs(workflow, 1);
		expect(await send(webhookPath(node), EVENT)).toEqual(REPEAT);
		expect(await post(urlOf(webhookPath(node)), other, inQuery)).toEqual(RECEIVED);
		expect(await outputs(workflow, 2)).toEqual([SIMPLIFIED, { ...SIMPLIFIED, callId: 'call-2' }]);
	});

	it('asks for the secret of another credential as soon as it is activated with it', async () => {
		const node = trigger();
		const workflow = await activate(await create(node));
		expect(await send(webhookPath(node))).toEqual(RECEIVED);
		const type = 'assistantServiceApi';
		const data = apiCredentialData(world().simulator, 'another-webhook-secret');
		const credential = await world().client.saveCredential(type, 'Another account', data);
		await replace(workflow, { ...node, credentials: { [type]: credential } });
		expect(await send(webhookPath(node))).toEqual(REFUSED);
		expect(await send(webhookPath(node), event(), data.webhookSecret)).toEqual(RECEIVED);
		await outputs(workflow, 2);
	});

	it('knows a repeat after the workflow was inactive, and after it was saved anew', async () => {
		const node = trigger();
		const workflow = await activate(await create(node));
		expect(await send(webhookPath(node), EVENT)).toEqual(RECEIVED);
		await deactivate(workflow);
		await activate(workflow);
		expect(await send(webhookPath(node), EVENT)).toEqual(REPEAT);
		const renamed = { ...node, name: 'Renamed', webhookId: randomUUID() };
		await replace(workflow, renamed);
		expect(await send(webhookPath(renamed), EVENT)).toEqual(REPEAT);
		expect(await outputs(workflow, 1)).toEqual([SIMPLIFIED]);
	});

	it('is not served while an option cannot be used: an IP allowlist', async () => {
		const node = trigger({ ipAllowlist: '127.0.0.1, 300.1.1.1' });
		const workflow = await create(node);
		await world().client.activate(workflow);
		// n8n 2.41 tries five times within 15 seconds first, and leaves its flag `active` set.
		await settled(workflow.id, 'failed');
		const { triggers } = await world().client.publication(workflow.id);
		const reason = 'IP Allowlist: "300.1.1.1" is not an IP address or range';
		expect(triggers.map(({ errorMessage }) => errorMessage)).toEqual([
			expect.stringContaining(reason),
		]);
		expect(await send(webhookPath(node))).toEqual(NOT_THERE);
		const { parameters } = trigger({ ipAllowlist: '127.0.0.1' });
		await replace(workflow, { ...node, parameters });
		expect(await send(webhookPath(node))).toEqual(RECEIVED);
		await outputs(workflow, 1);
	});
});

it('the test URL takes one event after "Execute workflow", and none before', async () => {
	const node = trigger();
	const workflow = await create(node);
	expect(await send(testWebhookPath(node))).toEqual(NOT_THERE);
	await world().client.listen(workflow.id, node.name);
	expect(await send(testWebhookPath(node), event(), 'wrong')).toEqual(REFUSED);
	expect(await send(testWebhookPath(node), EVENT)).toEqual(RECEIVED);
	expect(await send(testWebhookPath(node))).toEqual(NOT_THERE);
	expect(await outputs(workflow, 1)).toEqual([SIMPLIFIED]);
	expect(await send(webhookPath(node))).toEqual(NOT_THERE);
});
