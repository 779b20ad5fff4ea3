import type { INodeProperties } from 'n8n-workflow';

import type { Field } from './field';
import type { Operation } from './operation';
import { optionsField, rulesField } from './options';

const IN_TOOL = { '@tool': [true] };

type Routing = NonNullable<INodeProperties['routing']>;

/** What an operation sends, and in which fields and options. */
type Described = Pick<Operation, 'path' | 'fields' | 'rules' | 'options' | 'notice'>;

/**
 * The parameters of an operation in n8n's vocabulary: its fields, and the collections of its rules and options.
 *
 * The `url` stands in the routing of the collection, because n8n's router resolves expressions in options only for the
 * collection itself, as `$value`. An option that is always sent stands there too, because the router skips options that
 * were not added.
 */
export function describeParameters(operation: Described): INodeProperties[] {
	const { fields, rules, options, notice } = operation;
	const alwaysSent = options
		.filter(({ isAlwaysSent }) => isAlwaysSent)
		.map((option) => describeSending({ ...option, expression: valueOf(option, '$value') }));
	return [
		...(notice === undefined ? [] : [describeNotice(notice)]),
		...fields.map((field) => describeField(field, describeSending(field))),
		...(rules ? [{ ...rulesField.property, options: rules.flatMap(describeOption) }] : []),
		{
			...optionsField.property,
			options: options.flatMap(describeOption),
			routing: { request: { url: urlOf(operation) }, ...alwaysSent[0] },
		},
	];
}

const describeNotice = (displayName: string): INodeProperties => ({
	displayName,
	name: 'notice',
	type: 'notice',
	default: '',
});

/** An option with another default in a tool stands there twice: n8n shows the one that fits. */
function describeOption(option: Field): INodeProperties[] {
	const routing = option.isAlwaysSent ? {} : describeSending(option);
	const described = describeField(option, routing, '/');
	const { toolDefault } = option;
	if (toolDefault === undefined) return [described];
	const { displayOptions = {} } = described;
	return [
		// First, because older editors add an option with the default of the first of its name.
		{ ...described, displayOptions: { ...displayOptions, hide: IN_TOOL } },
		{
			...described,
			default: toolDefault,
			displayOptions: { ...displayOptions, show: { ...displayOptions.show, ...IN_TOOL } },
		},
	];
}

/** @param root what n8n puts before the name of a field outside of the collection */
function describeField(
	{ property, conditions = [], isHiddenInTool = false }: Field,
	routing: Routing,
	root = '',
): INodeProperties {
	const show = Object.fromEntries(conditions.map(({ name, values }) => [root + name, [...values]]));
	const displayOptions = {
		...(conditions.length > 0 && { show }),
		...(isHiddenInTool && { hide: IN_TOOL }),
	};
	return {
		...property,
		...(Object.keys(displayOptions).length > 0 && { displayOptions }),
		...(Object.keys(routing).length > 0 && { routing }),
	};
}

/** Nothing for a part of the path: the `url` reads it. */
function describeSending({ place, expression }: Field): Routing {
	if (place === undefined || place.in === 'path') return {};
	const value = expression === undefined ? {} : { value: `={{ ${expression} }}` };
	return { send: { type: place.in, property: place.name, ...value } };
}

/** The path as an expression over the options; each of its parts is one encoded segment. */
function urlOf({ path, fields, options }: Described): string {
	const values = [
		...fields.map((field) => ({ field, value: valueOf(field, '$parameter') })),
		...options.map((field) => ({ field, value: valueOf(field, '$value') })),
	].filter(({ field }) => field.place?.in === 'path');
	const url = path.map((part, index) => {
		if (index % 2 === 0) return part;
		const filling = values.find(({ field }) => field.place?.name === part);
		return `{{ encodeURIComponent(${filling?.value ?? ''}) }}`;
	});
	return `=${url.join('')}`;
}

/** The value of a field in an expression that sees the fields as `parent`. */
const valueOf = ({ property, expression = '$value' }: Field, parent: string): string =>
	expression.replaceAll('$value', () => `${parent}.${property.name}`);
