import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** What n8n has to know of a node of the benchmark, e.g. `benchEnd` for "End". */
export const benchNode = (
	title: string,
	description: string,
	more: Partial<INodeTypeDescription> = {},
): INodeTypeDescription => ({
	displayName: `Bench ${title}`,
	name: `bench${title}`,
	group: ['transform'],
	version: 1,
	description,
	defaults: { name: `Bench ${title}` },
	inputs: ['main'],
	outputs: ['main'],
	properties: [],
	...more,
});

/** A field of a node of the benchmark. */
export const textField = (
	name: string,
	displayName: string,
	more: Partial<INodeProperties> = {},
): INodeProperties => ({ displayName, name, type: 'string', default: '', required: true, ...more });
