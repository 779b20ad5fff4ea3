import type { INode } from 'n8n-workflow';
import { answerWith, useOtherServers } from '../../test/otherServer';
import { startSimulator } from '../../test/simulator/simulator';
import { runDemo } from '../demo';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import { N8nClient } from '../rest';
import type { SavedWorkflow } from '../restTypes';
import {
	BOOK_TABLE,
	OWNER,
	readExample,
	saveCredentials,
	WEBHOOK_SECRET,
	webhookPath,
} from '../setup';
import { createActive, nodeOf } from '../workflows';
import { RECEIVED, sendEvent } from './events';
import { fromSetup, n8nUrl, useOpened } from './world';

const serve = useOtherServers();
const opened = useOpened(async () => {
	const simulator = await startSimulator({
		apiKey: fromSetup('E2E_API_KEY'),
		callDurationMs: 200,
	});
	const client = await N8nClient.signIn(n8nUrl(), OWNER);
	const credentials = await saveCredentials(client, simulator);
	return { simulator, client, credentials, stop: async () => simulator.stop() };
});

describe('the example workflows', () => {
	it('call three contacts and hear of the end of each call', async () => {
		const { simulator, client, credentials } = opened();
		const { calls = [], events = [] } = (await runDemo(client, simulator, credentials)) ?? {};

		const placed = simulator.processed('placeCall');
		expect(placed.map(({ body }) => body)).toMatchObject([
			{ toNumber: '+15550102001', attributes: { customField1: 'Ada' } },
			{ toNumber: '+15550102002', attributes: { customField1: 'Grace' } },
			{ toNumber: '+15550102003', attributes: { customField1: 'Katherine' } },
		]);
		const idOf = (line: string) => line.split(' ')[0];
		expect(calls).toHaveLength(3);
		expect(events.map(idOf).sort()).toEqual(calls.map(idOf).sort());
		await eventually('the answer to each event', () =>
			Promise.resolve(simulator.deliveries.length === 3 || undefined),
		);
		expect(simulator.deliveries.map(({ status }) => status)).toEqual([200, 200, 200]);
		// To be tried by hand.
		const names = (await client.workflows()).map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['Five contacts', 'Call a list and report']));
	});

	const otherList = ({ name, parameters }: INode) =>
		name === 'Contacts' && { parameters: { ...parameters, jsonOutput: '{ "contacts": [] }' } };
	const otherCredential = ({ credentials }: INode) =>
		credentials && { credentials: { assistantServiceApi: { id: 'another', name: 'Live' } } };

	it.each([
		['another list', otherList],
		['another credential', otherCredential],
	])('are not executed unasked once a user has saved %s', async (_, change) => {
		const { simulator, client, credentials } = opened();
		await runDemo(client, simulator, credentials);
		const { webhooks } = simulator;
		simulator.reset();
		simulator.setWebhooks([]);
		const all = (await client.workflows()).filter(({ name }) => name === 'Place calls');
		const drafts = await Promise.all(all.map(async ({ id }) => await client.workflow(id)));
		for (const { id, nodes } of drafts) {
			const changed = nodes.map((node) => ({ ...node, ...change(node) }));
			await client.updateWorkflow(id, { nodes: changed });
		}

		const result = await runDemo(client, simulator, credentials);
		for (const { id, nodes } of drafts) await client.updateWorkflow(id, { nodes });

		expect(result).toBeUndefined();
		expect(simulator.requests).toEqual([]);
		expect(simulator.webhooks).toEqual(webhooks);
	});
});

/** n8n-io/n8n#6287. */
it('an example that n8n has read from a URL can be published, and takes an event', async () => {
	const { client } = opened();
	const example = readExample('end-of-call.json');
	const { baseUrl } = await serve(answerWith(200, JSON.stringify(example)));

	const draft = await client.workflowAt(`${baseUrl}/end-of-call.json`);
	const pathOf = (saved: SavedWorkflow) => webhookPath(nodeOf(saved, 'Call Ended'));
	const workflow = await createActive(client, { ...draft, name: 'From a URL' }, pathOf);
	const url = `${client.baseUrl}${pathOf(workflow)}`;
	const answer = await sendEvent({ secret: WEBHOOK_SECRET }, url, { callId: 'call-1' });

	expect(draft).toEqual(example);
	expect(answer).toEqual(RECEIVED);
	const executions = await client.finishedAfter('0', workflow.id, 1);
	const noted = executions.flatMap((execution) => itemsOf(execution, 'Note Result'));
	expect(noted).toMatchObject([{ callId: 'call-1' }]);
});

it('a start of the playground keeps the table that was entered for the contact book', async () => {
	const { simulator, client, credentials } = opened();
	const { assistantServiceApi: live } = credentials;
	const data = await client.credentialData(live);
	await client.saveCredential(live.type, live.name, { ...data, contactBookTable: 'People 2026' });

	await saveCredentials(client, simulator);

	const kept = await client.credentialData(live);
	expect(kept.contactBookTable).toBe('People 2026');
	await client.saveCredential(live.type, live.name, { ...kept, contactBookTable: BOOK_TABLE });
});
