import axios from 'axios';
import type { INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import { eventually } from '../eventually';
import type { N8nClient } from '../rest';
import type { Credentials } from '../setup';
import { node } from './calls';

/** One message to an MCP server; the answer is a stream with one event, here as text. */
type Ask = (method: string, params: object) => Promise<{ status: number; text: string }>;

const TOOL = 'Place_a_phone_call';

function connect(url: string): Ask {
	let session: string | undefined;
	return async (method, params) => {
		const { status, data, headers } = await axios.post<string>(
			url,
			{ jsonrpc: '2.0', id: 1, method, params },
			{
				headers: {
					accept: 'application/json, text/event-stream',
					...(session && { 'mcp-session-id': session }),
				},
				responseType: 'text',
				proxy: false,
				validateStatus: () => true,
			},
		);
		session ??= headers['mcp-session-id'] as string | undefined;
		return { status, text: data };
	};
}

/** n8n's MCP server with the node as its only tool; gives what calls a phone number through it. */
export async function openTool(
	client: N8nClient,
	credentials: Credentials,
): Promise<(toNumber: string) => Promise<string>> {
	const path = `agents-${randomUUID()}`;
	const server: INode = node(
		'@n8n/n8n-nodes-langchain.mcpTrigger',
		'MCP Server',
		{ path },
		{ typeVersion: 2 },
	);
	const tool = node(
		'n8n-nodes-assistant-service.assistantServiceTool',
		TOOL,
		{
			toolDescription: 'Calls a phone number',
			resource: 'call',
			operation: 'place',
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			toNumber: "={{ $fromAI('toNumber', 'the number to call', 'string') }}",
		},
		{ credentials: { ...credentials }, retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
	);
	const workflow = await client.createWorkflow({
		name: 'Agents',
		nodes: [server, tool],
		connections: { [TOOL]: { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] } },
	});
	await client.activate(workflow);
	const ask = connect(`${client.baseUrl}/mcp/${path}`);
	await eventually('the MCP server', async () => {
		const { status } = await ask('initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		return status === 200 ? true : undefined;
	});
	return async (toNumber) =>
		(await ask('tools/call', { name: TOOL, arguments: { toNumber } })).text;
}
