import type { INodeProperties } from 'n8n-workflow';

import type { Menu, Operation, Resource } from './operation';

/** Makes n8n's menu and fields: each operation's fields in its own order. */
export function describeMenu({ resources, defaultResource }: Menu): INodeProperties[] {
	// A name of its own, because n8n's scanner takes a default that is a member of an object for a missing one.
	const { value: preset } = defaultResource;
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: preset,
		},
		...resources.map(describeOperations),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => describeFields(resource, operation)),
		),
	];
}

function describeOperations(resource: Resource): INodeProperties {
	const { value: preset } = resource.defaultOperation;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options: resource.operations.map(
			({ name, value, action, description, request: { method } }) => ({
				name,
				value,
				action,
				description,
				routing: { request: { method } },
			}),
		),
		default: preset,
	};
}

function describeFields(resource: Resource, operation: Operation): INodeProperties[] {
	const shown = { resource: [resource.value], operation: [operation.value] };
	return [describeTool(operation), ...operation.properties].map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { ...shown, ...property.displayOptions?.show },
		},
	}));
}

/**
 * The field with what an AI agent reads of an operation. n8n adds a field of this name to each tool, with the action as its
 * text; where a node has its own, n8n takes that.
 */
const describeTool = ({ toolDescription }: Operation): INodeProperties => ({
	displayName: 'Tool Description',
	name: 'toolDescription',
	type: 'string',
	typeOptions: { rows: 6 },
	default: toolDescription,
	required: true,
	displayOptions: { show: { '@tool': [true] } },
	placeholder: 'e.g. Calls a customer who has asked to be called back',
	description: 'What the AI agent reads about this tool: what it does, and when to use it',
});
