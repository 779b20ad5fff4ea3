import { LoadOptionsContext } from 'n8n-core';
import { Workflow, type INode } from 'n8n-workflow';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { planOf, WORKSPACE_ID } from '../shared/samples';
import { createTransport } from '../../nodes/shared/request/transport';
import { createAdditionalData, NODE_TYPE, nodeTypes } from './engine';

const BEATS = 40;
const BEAT = 25;

let server: Server | undefined;

afterAll(() => {
	server?.closeAllConnections();
	server?.close();
});

/** A service whose good answer comes byte by byte, so that no pause in it is long. */
async function startSlowService(): Promise<string> {
	server = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		let beats = 0;
		const timer = setInterval(() => {
			beats += 1;
			if (beats < BEATS) response.write(' ');
			else {
				clearInterval(timer);
				response.end('{"knowledgeBase":{"label":"x","paragraphs":[]}}');
			}
		}, BEAT);
		response.on('close', () => {
			clearInterval(timer);
		});
	});
	await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a request of a list search has a deadline, not only a limit between two bytes', async () => {
	const credential = {
		baseUrl: await startSlowService(),
		apiKey: 'a good key',
		workspaceId: WORKSPACE_ID,
	};
	const node: INode = {
		id: 'node',
		name: 'Assistant Service',
		type: NODE_TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { assistantServiceApi: { id: '1', name: 'Test' } },
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = createAdditionalData({ assistantServiceApi: credential });
	const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.paragraphKey');
	const transport = createTransport(context, credential);
	const { main } = planOf('knowledgeBase.get');

	const [ended, answered] = await Promise.all([
		transport({ ...main, timeout: (BEATS * BEAT) / 4 }),
		transport({ ...main, timeout: BEATS * BEAT * 10 }),
	]);

	expect(ended).toMatchObject({ failure: { kind: 'timeout', outcome: 'unknown' } });
	expect(answered).toMatchObject({ accepted: true });
});
