import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { outputOf } from '../executions';
import { node } from '../workflows';
import { CONTINUE, ownNode, START, type World } from './world';

/** A node under test, by what it has beside the credentials of the world. */
export interface Variant extends Partial<INode> {
	readonly parameters: INodeParameters;
}

/** Runs nodes in one execution, each on all of the items; gives what left each, by output. */
export async function runSideBySide(
	world: World,
	items: readonly object[],
	...variants: readonly Variant[]
): Promise<INodeExecutionData[][][]> {
	const nodes = variants.map(({ parameters, ...extra }, index) =>
		ownNode(world, 'assistantService', `Node ${index}`, parameters, { ...CONTINUE, ...extra }),
	);
	const { id } = await world.client.createWorkflow({
		name: 'Side by side',
		nodes: [node('n8n-nodes-base.manualTrigger', START), ...nodes],
		connections: {
			[START]: { main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))] },
		},
		pinData: { [START]: items.map((json) => ({ json: { ...json } })) },
	});
	const execution = await world.client.run(id, START);
	return nodes.map(({ name }) => outputOf(execution, name));
}

/** What leaves one node that runs on these items and continues on errors. */
export async function outputFor(
	world: World,
	items: readonly object[],
	parameters: INodeParameters,
): Promise<IDataObject[]> {
	const [[output = []] = []] = await runSideBySide(world, items, { parameters });
	return output.map(({ json }) => json);
}
