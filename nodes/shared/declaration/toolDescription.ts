import type { INodeProperties } from 'n8n-workflow';

/** For the description of a tool that takes phone numbers. */
export const NUMBER_FORMAT =
	'A phone number begins with + and the country code, e.g. +4915112345678.';

const PROPERTY: INodeProperties = {
	displayName: 'Tool Description',
	name: 'toolDescription',
	type: 'string',
	typeOptions: { rows: 6 },
	default: '',
	required: true,
	displayOptions: { show: { '@tool': [true] } },
	placeholder: 'e.g. Calls a customer who has asked to be called back',
	description: 'What the AI agent reads about this tool: what it does, and when to use it',
};

/**
 * The field with what an AI agent reads of an operation. n8n adds a field of this name to each tool, with the action as its
 * text; where a node has its own, n8n takes that.
 */
export const describeTool = (toolDescription: string): INodeProperties => ({
	...PROPERTY,
	default: toolDescription,
});
