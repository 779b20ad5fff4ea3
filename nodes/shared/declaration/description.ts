import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';
import type { Operation, Resource } from './operation';
import { optionsField, rulesField, workspaceId } from './options';

type Routing = NonNullable<INodeProperties['routing']>;

const IN_TOOL = { '@tool': [true] };

/** Makes n8n's menu and fields: each operation's fields in its own order. */
export function describeMenu(
	resources: readonly Resource[],
	// A name of its own: n8n's scanner takes a default that is an object's member for a missing one.
	{ value: preset }: Resource,
): INodeProperties[] {
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
		options: resource.operations.map(({ name, value, action, description, request }) => {
			const routing = { request: { method: request.method } };
			return { name, value, action, description, routing };
		}),
		default: preset,
	};
}

function describeFields(resource: Resource, operation: Operation): INodeProperties[] {
	const shown = { resource: [resource.value], operation: [operation.value] };
	const { toolDescription } = operation;
	// n8n adds a field of this name to each tool, with the action as its text, unless it has one.
	const tool: INodeProperties = {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 6 },
		default: toolDescription,
		required: true,
		displayOptions: { show: IN_TOOL },
		placeholder: 'e.g. Calls a customer who has asked to be called back',
		description: 'What the AI agent reads about this tool: what it does, and when to use it',
	};
	return [tool, ...describeParameters(operation)].map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { ...shown, ...property.displayOptions?.show },
		},
	}));
}

/**
 * Describes fields, rules and options. The `url` stands in the routing of the options, as n8n's
 * router resolves expressions in options only for the collection itself, as `$value`. So does the
 * workspace, which is always sent: the router skips options that were not added.
 */
function describeParameters(operation: Operation): INodeProperties[] {
	const { path, fields, rules, options, notice } = operation;
	const workspace = { ...workspaceId, expression: valueOf(workspaceId, '$value') };
	const describeEntries = (entries: readonly Field[]): INodeProperties[] =>
		entries.flatMap((entry) => describeOption(entry, path));
	return [
		...(notice === undefined
			? []
			: [{ displayName: notice, name: 'notice', type: 'notice' as const, default: '' }]),
		...fields.map((field) => describeField(field, path)),
		...(rules ? [{ ...rulesField.property, options: describeEntries(rules) }] : []),
		{
			...optionsField.property,
			options: describeEntries(options),
			routing: { request: { url: urlOf(operation) }, ...describeSending(workspace, path) },
		},
	];
}

/** An option with another default in a tool stands there twice: n8n shows the one that fits. */
function describeOption(option: Field, path: Operation['path']): INodeProperties[] {
	const described = describeField(option, path, '/');
	const { toolDefault } = option;
	if (toolDefault === undefined) return [described];
	return [
		// First, because older editors add an option with the default of the first of its name.
		{ ...described, displayOptions: { hide: IN_TOOL } },
		{ ...described, default: toolDefault, displayOptions: { show: IN_TOOL } },
	];
}

/** @param root what n8n puts before the name of a field outside of the collection */
function describeField(field: Field, path: Operation['path'], root = ''): INodeProperties {
	const { property, conditions = [], isHiddenInTool } = field;
	const routing = field === workspaceId ? {} : describeSending(field, path);
	const show = Object.fromEntries(conditions.map(({ name, values }) => [root + name, [...values]]));
	const hide = isHiddenInTool ? IN_TOOL : {};
	return { ...property, displayOptions: { show, hide }, routing };
}

/** Nothing for a part of the path: the `url` reads it. */
function describeSending({ sentAs, expression }: Field, path: Operation['path']): Routing {
	if (sentAs === undefined || path.includes(sentAs)) return {};
	const value = expression === undefined ? {} : { value: `={{ ${expression} }}` };
	return { send: { type: 'body', property: sentAs, ...value } };
}

/** The path as an expression over the options; each of its parts is one encoded segment. */
function urlOf({ path, fields, options }: Operation): string {
	const values = new Map([
		...fields.map((field) => [field.sentAs, valueOf(field, '$parameter')] as const),
		...options.map((field) => [field.sentAs, valueOf(field, '$value')] as const),
	]);
	const urlParts = path.map((part, index) =>
		index % 2 === 0 ? part : `{{ encodeURIComponent(${values.get(part) ?? ''}) }}`,
	);
	return `=${urlParts.join('')}`;
}

/** The value of a field in an expression that sees the fields as `parent`. */
const valueOf = ({ property, expression = '$value' }: Field, parent: string): string =>
	expression.replaceAll('$value', () => `${parent}.${property.name}`);
