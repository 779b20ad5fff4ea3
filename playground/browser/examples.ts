import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { World } from '../e2e/world';
import { readExample } from '../setup';
import { openWorkflow, see, type InEditor } from './editor';
import { picture } from './pictures';

const EXAMPLES = readdirSync(path.join(__dirname, '..', '..', 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => path.basename(file, '.json'));
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

/** The workflows to import. */
export function describeExamples(world: () => World, inEditor: InEditor): void {
	for (const name of EXAMPLES) {
		inEditor(`the example ${name} stands on the canvas with all its nodes`, async (page) => {
			const draft = readExample(`${name}.json`);
			const { id } = await world().client.createWorkflow(draft);
			await page.setViewportSize({ width: 1150, height: 760 });
			await openWorkflow(page, id);
			const nodes = draft.nodes.filter(({ type }) => type !== STICKY_NOTE);
			await see(
				...nodes.map((one) =>
					page.locator(`[data-test-id="canvas-node"][data-node-name="${one.name}"]`),
				),
			);
			expect(await page.getByText('Install this node').count()).toBe(0);
			await page.getByTestId('zoom-to-fit').click();
			await picture(page, `examples/${name}`, page.locator('.vue-flow__node'), {
				margin: 72,
				without: ['canvas-controls', 'canvas-minimap', 'execute-workflow-button'],
			});
		});
	}
}
