import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import type { World } from '../e2e/world';
import { node } from '../workflows';
import {
	creatorItem,
	execute,
	field,
	fill,
	LOOKED_FOR,
	openWorkflow,
	parameterItem,
	see,
	type InEditor,
} from './editor';
import { picture } from './pictures';
import { description, parameterOf } from './texts';

const AGENT = '@n8n/n8n-nodes-langchain.agent';
/** The node as a tool of n8n's AI Agent. */
export function describeAgentTool(world: () => World, inEditor: InEditor): void {
	inEditor('an agent finds the node among its tools, and the model can fill it', async (page) => {
		const agent = node(AGENT, 'Agent', {}, { typeVersion: 3.1 });
		const draft = { name: 'Agent', nodes: [agent], connections: {} };
		await openWorkflow(page, await world().client.createWorkflow(draft));
		await page
			.locator('[data-test-id="canvas-node-input-handle"][data-connection-type="ai_tool"]')
			.getByTestId('canvas-handle-plus')
			.click();
		// What is typed before is looked for among all nodes.
		await see(page.getByTestId('node-creator').getByText('Tools', { exact: true }));
		await page.getByTestId('node-creator-search-bar').fill(LOOKED_FOR);
		await creatorItem(page, `${description.displayName} Tool`).click();

		await see(page.getByTestId('ndv'));
		const { default: told } = parameterOf('toolDescription', 'call');
		expect(await field(page, 'toolDescription').locator('textarea').inputValue()).toBe(told);
		await fill(page, 'assistantId', ASSISTANT_ID);
		await fill(page, 'fromNumber', FROM_NUMBER);
		await parameterItem(page, 'toNumber').getByTestId('from-ai-override-button').click();
		await see(page.getByTestId('fromAI-override-field'));
		expect(await field(page, 'toNumber').count()).toBe(0);
		await picture(page, 'agent-tool', page.getByTestId('node-parameters'), { maxHeight: 608 });

		await execute(page);
		await see(page.getByTestId('from-ai-parameters-modal-inputs').locator('input'));
		await page.keyboard.press('Escape');
	});
}
