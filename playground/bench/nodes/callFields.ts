import type { INodeProperties } from 'n8n-workflow';

/** The fields of a call as the two rivals of the benchmark show them. */
export function callField(
	name: string,
	displayName: string,
	extra: Partial<INodeProperties> = {},
): INodeProperties {
	return { displayName, name, type: 'string', default: '', required: true, ...extra };
}
