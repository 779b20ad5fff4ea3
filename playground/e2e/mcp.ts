import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { IConnections } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually';
import { node } from '../workflows';
import { TOOL, toolNode } from './agent';
import type { World } from './world';

const RETRIES = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };

/** Activates an MCP server with the node as its tool, which n8n tries twice; gives what calls a phone number by it. */
export async function openTool(world: World): Promise<(toNumber: string) => Promise<string>> {
	const { client } = world;
	const path = `agents-${randomUUID()}`;
	const trigger = '@n8n/n8n-nodes-langchain.mcpTrigger';
	const server = node(trigger, 'MCP Server', { path }, { typeVersion: 2 });
	const toServer: IConnections[string] = {
		ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]],
	};
	const workflow = await client.createWorkflow({
		name: 'Agents',
		nodes: [server, toolNode(world, { settings: RETRIES })],
		connections: { [TOOL]: toServer },
	});
	await client.activate(workflow);
	const url = new URL(`${client.baseUrl}/mcp/${path}`);
	await eventually('the MCP server', async () =>
		withClient(url, () => Promise.resolve(true)).catch(() => undefined),
	);
	return async (toNumber) => {
		const { content } = await withClient(url, async (mcp) =>
			mcp.callTool({ name: TOOL, arguments: { toNumber } }),
		);
		return content.map(({ text }) => text ?? '').join('\n');
	};
}

async function withClient<T>(url: URL, use: (client: Client) => Promise<T>): Promise<T> {
	const client = new Client({ name: 'test', version: '1' });
	try {
		await client.connect(new StreamableHTTPClientTransport(url));
		return await use(client);
	} finally {
		await client.close();
	}
}
