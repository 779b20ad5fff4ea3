import axios from 'axios';
import type { INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import { eventually } from '../eventually';
import { openWorld, type World } from './world';

const PATH = `agents-${randomUUID()}`;
const TOOL = 'Place_a_phone_call';

let world: World;

/** n8n's MCP server with the node as its only tool: what an AI agent sees. */
beforeAll(async () => {
	world = await openWorld();
	const base = { id: randomUUID(), typeVersion: 1, position: [0, 0] as [number, number] };
	const server: INode = {
		...base,
		name: 'MCP Server',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		parameters: { path: PATH },
		webhookId: randomUUID(),
	};
	const tool: INode = {
		...base,
		id: randomUUID(),
		name: TOOL,
		type: 'n8n-nodes-assistant-service.assistantServiceTool',
		parameters: {
			toolDescription: 'Calls a phone number',
			resource: 'call',
			operation: 'place',
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			toNumber: "={{ $fromAI('toNumber', 'the number to call', 'string') }}",
		},
		credentials: { ...world.credentials },
		retryOnFail: true,
		maxTries: 2,
		waitBetweenTries: 10,
	};
	const workflow = await world.client.createWorkflow({
		name: 'Agents',
		nodes: [server, tool],
		connections: { [TOOL]: { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] } },
	});
	await world.client.activate(workflow);
	await eventually('the MCP server', async () => {
		const { status } = await post('initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		return status === 200 ? true : undefined;
	});
});

afterAll(async () => {
	await world.simulator.stop();
});

let session: string | undefined;

/** One message of the protocol, over HTTP; the answer is a stream with one event. */
async function post(method: string, params: object) {
	const { status, data, headers } = await axios.post<string>(
		`${world.client.baseUrl}/mcp/${PATH}`,
		{ jsonrpc: '2.0', id: 1, method, params },
		{
			headers: {
				accept: 'application/json, text/event-stream',
				...(session && { 'mcp-session-id': session }),
			},
			responseType: 'text',
			validateStatus: () => true,
		},
	);
	session ??= headers['mcp-session-id'] as string | undefined;
	return { status, text: data };
}

describe('the node as a tool of an AI agent', () => {
	it('is listed with the values that the agent has to give', async () => {
		const { text } = await post('tools/list', {});

		expect(text).toContain(`"name":"${TOOL}"`);
		expect(text).toContain('the number to call');
	});

	it('calls once for each use, and answers with the call', async () => {
		const before = world.simulator.processed('placeCall').length;

		const { text } = await post('tools/call', {
			name: TOOL,
			arguments: { toNumber: '0049 (151) 123 45 67' },
		});

		expect(text).toContain('callId');
		const calls = world.simulator.processed('placeCall').slice(before);
		expect(calls.map(({ body }) => body)).toMatchObject([{ toNumber: '+491511234567' }]);
	});

	it('does not call again whom it may have called, although n8n tries the tool again', async () => {
		const toNumber = '+15550104444';
		world.simulator.addFault({
			kind: 'resetAfter',
			when: ({ rawBody }) => rawBody.includes(toNumber),
		});

		const { text } = await post('tools/call', { name: TOOL, arguments: { toNumber } });

		expect(text).toContain('may have taken effect');
		const calls = world.simulator.requests.filter(({ rawBody }) => rawBody.includes(toNumber));
		expect(calls).toHaveLength(1);
	});

	it('tells the agent what was wrong and what to do', async () => {
		const { text } = await post('tools/call', { name: TOOL, arguments: { toNumber: 'Ada' } });

		expect(text).toContain('To Number: expected a phone number');
		expect(text).toContain('Nothing was sent');
	});
});
