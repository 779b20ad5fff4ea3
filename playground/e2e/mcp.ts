import axios from 'axios';
import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually';
import { node } from '../workflows';
import { TOOL, toolNode } from './agent';
import type { World } from './world';

/** The node as the only tool of n8n's MCP server, as an AI agent sees it; answers are the server's, as text. */
export interface McpTool {
	/** What the server says about its tools. */
	list: () => Promise<string>;
	/** Uses the tool to call a phone number. */
	call: (toNumber: string) => Promise<string>;
}

/** One message to an MCP server; the answer is a stream with one event. */
type Ask = (method: string, params: object) => Promise<{ status: number; text: string }>;

const RETRIES = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };

/** Activates an MCP server with the node as its tool, which n8n tries twice, and opens a session. */
export async function openTool(world: World): Promise<McpTool> {
	const { client } = world;
	const path = `agents-${randomUUID()}`;
	const server = node(
		'@n8n/n8n-nodes-langchain.mcpTrigger',
		'MCP Server',
		{ path },
		{ typeVersion: 2 },
	);
	const workflow = await client.createWorkflow({
		name: 'Agents',
		nodes: [server, toolNode(world, { settings: RETRIES })],
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
	return {
		list: async () => (await ask('tools/list', {})).text,
		call: async (toNumber) =>
			(await ask('tools/call', { name: TOOL, arguments: { toNumber } })).text,
	};
}

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
