import type { INode, INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import type { WorkflowDraft } from './restTypes';

/** A node of a workflow, of version 1 unless said otherwise. */
export function node(
	type: string,
	name: string,
	parameters: INodeParameters = {},
	extra: Partial<INode> = {},
): INode {
	const id = randomUUID();
	return { id, webhookId: id, name, type, typeVersion: 1, position: [0, 0], parameters, ...extra };
}

/** These nodes, each connected to the next one. */
export function chain(...nodes: INode[]): Pick<WorkflowDraft, 'nodes' | 'connections'> {
	const links = nodes.slice(1).map(({ name: to }, index) => ({
		from: nodes[index]?.name ?? '',
		main: [[{ node: to, type: 'main' as const, index: 0 }]],
	}));
	return {
		nodes,
		connections: Object.fromEntries(links.map(({ from, main }) => [from, { main }])),
	};
}

/** The node of this name. */
export function nodeOf({ name, nodes }: WorkflowDraft, nodeName: string): INode {
	const found = nodes.find((one) => one.name === nodeName);
	if (!found) throw new Error(`"${name}" has no node "${nodeName}"`);
	return found;
}
