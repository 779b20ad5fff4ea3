import { ExecuteContext } from 'n8n-core';
import { createEmptyRunExecutionData, type INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { AssistantService } from '../../nodes/AssistantService/AssistantService.node';
import { OPERATION_ROWS, rowOf } from '../operations';
import { withNewIds } from '../operations/expected';
import { pathOf } from '../operations/row';
import { useBookWorld } from './contactBook';
import {
	addNodeType,
	createAdditionalData,
	createNode,
	NODE_TYPE,
	type NodeSetup,
	runNode,
	workflowOf,
} from './engine';
import { credentialFor, numbers, placeCall } from './world';

const { simulator, calls, rows } = useBookWorld();

/** The tool that n8n makes of the node. */
const TOOL_TYPE = `${NODE_TYPE}Tool`;
addNodeType(TOOL_TYPE, new AssistantService());

/**
 * Runs the node once as n8n's own Agents do (2.41, `ephemeral-node-executor.js`): in no execution, in
 * a workflow without an ID, as a node with a new one. A model's arguments would be in the input item.
 */
async function runForAgent(parameters: INodeParameters, credential = credentialFor(simulator())) {
	const node = createNode('Target Node', TOOL_TYPE, { id: randomUUID(), parameters });
	const items = [{ json: {} }];
	const inputData = { main: [items] };
	const context = new ExecuteContext(
		workflowOf([node]),
		node,
		createAdditionalData(credential, { executionId: undefined }),
		'internal',
		createEmptyRunExecutionData(),
		0,
		items,
		inputData,
		{ node, data: inputData, source: null },
		[],
	);
	const [output = []] = await new AssistantService().execute.call(context);
	return output.map((item) => item.json);
}

const parametersOf = (path: string) => {
	const { resource, operation, parameters } = rowOf(path);
	return { resource, operation, ...parameters };
};

test.each(OPERATION_ROWS.filter(({ waits }) => !waits))(
	'$resource $operation works, and is sent each time it is used',
	async (row) => {
		const run = async () => await runForAgent(parametersOf(pathOf(row)));

		expect(await run()).toEqual(row.output.map(withNewIds));
		await run();
		expect(simulator().requests).toMatchObject([{ path: row.path }, { path: row.path }]);
	},
);

test('Place and Wait sends nothing', async () => {
	const { credential } = calls([]);
	const run = runForAgent(parametersOf('call.placeAndWait'), credential);

	await expect(run).rejects.toThrow(/^Nothing was sent: .*"Place and Wait".* Report this\.$/);
	expect(simulator().requests).toEqual([]);
	expect(rows()).toEqual([]);
});

/** As the AI Agent from version 3 has it run by n8n's engine. */
const tool = (more: Partial<NodeSetup> = {}): NodeSetup => ({
	credential: credentialFor(simulator()),
	parameters: placeCall,
	items: numbers(1),
	...more,
	settings: { rewireOutputLogTo: 'ai_tool', onError: 'stopWorkflow', ...more.settings },
});

test('an agent does not wait longer than 30 seconds by default', async () => {
	simulator().addFault({ kind: 'rateLimited', retryAfter: '31' });

	const { error } = await runNode(tool());

	expect(error?.context.details).toMatchObject({ kind: 'rateLimited', outcome: 'refused' });
	expect(error?.message).toMatch(
		/wants to be asked again at \d\S+, in \d+ s\. Do not repeat this tool call before then\.$/,
	);
	expect(error?.description).toMatch(/Try again then/);
	expect(error?.context.details).not.toHaveProperty('advice');
	expect(simulator().requests).toHaveLength(1);
});

test('n8n hides an error output from agents, so nothing is sent with one', async () => {
	const { error } = await runNode(tool({ settings: { onError: 'continueErrorOutput' } }));

	expect(error?.message ?? '').toMatch(
		/^Nothing was sent: .* Do not repeat this tool call: .* Report this\.$/,
	);
	expect(simulator().requests).toEqual([]);
});

test.each([
	['checkOnly', {}, 'the credential only checks'],
	['live', { checkOnly: true }, 'the option "Check Only" is on'],
])('an agent reads why nothing was sent: %s, %j', async (mode, options, why) => {
	const credential = { ...credentialFor(simulator()), mode };

	const { items } = await runNode(tool({ credential, parameters: { ...placeCall, options } }));

	const message = expect.stringContaining(`sent: ${why}. Do not repeat this tool call`) as unknown;
	expect(items[0]?.json).toMatchObject({ result: 'checked', message });
	expect(simulator().requests).toEqual([]);
});
