import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { World } from '../e2e/world';
import { readExample } from '../setup';
import { openWorkflow, type InEditor } from './editor';
import { picture } from './pictures';

const EXAMPLES = readdirSync(path.join(__dirname, '..', '..', 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => path.basename(file, '.json'));
/** Nodes and notes, the names below the nodes, the lines between them, and where a line can begin. */
const DRAWN = [
	'.vue-flow__node',
	'.vue-flow__node [class*="_description_"]',
	'.vue-flow__edge-path',
	'[data-test-id="canvas-handle-plus"]',
].join(',');

/** The workflows to import. */
export function describeExamples(world: () => World, inEditor: InEditor): void {
	for (const name of EXAMPLES) {
		inEditor(`the example ${name} stands on the canvas with all its nodes`, async (page) => {
			const workflow = await world().client.createWorkflow(readExample(`${name}.json`));
			await page.setViewportSize({ width: 1150, height: 1000 });
			await openWorkflow(page, workflow);
			expect(await page.getByText('Install this node').count()).toBe(0);
			await page.getByTestId('zoom-to-fit').click();
			await picture(page, `examples/${name}`, page.locator(DRAWN), { margin: 24 });
		});
	}
}
