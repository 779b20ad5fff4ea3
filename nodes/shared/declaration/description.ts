import type { INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from './operation';
import { checkOperation } from './operationCheck';
import { optionsField } from './options';

/**
 * Makes n8n's menu and fields of the resources: each operation's fields in its own order.
 *
 * @throws Error of {@link checkOperation} if an operation cannot send what it asks for
 */
export function describeResources(resources: readonly Resource[]): INodeProperties[] {
	for (const { operations } of resources) operations.forEach(checkOperation);
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: resources[0]?.value ?? '',
		},
		...resources.map(describeMenu),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => describeFields(resource, operation)),
		),
	];
}

function describeMenu(resource: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options: resource.operations.map(({ name, value, action, description, routing }) => ({
			name,
			value,
			action,
			description,
			routing,
		})),
		default: resource.operations[0]?.value ?? '',
	};
}

function describeFields(resource: Resource, operation: Operation): INodeProperties[] {
	const shown = { resource: [resource.value], operation: [operation.value] };
	return [...operation.fields, optionsField(operation)].map(({ property }) => ({
		...property,
		displayOptions: { show: { ...shown, ...property.displayOptions?.show } },
	}));
}
