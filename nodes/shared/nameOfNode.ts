import type { IExecuteFunctions } from 'n8n-workflow';

/** Names a node among all those of an n8n. */
export const nameOfNode = (context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode'>): string =>
	`${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
