import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../nodes/AssistantService/resources';
import {
	TIMEOUT,
	type Field,
	type Operation,
	type Resource,
} from '../nodes/shared/declaration/operation';
import { optionFields } from '../nodes/shared/declaration/options';
import { rowOf } from '../test/operations';

const HEADER = `# Operations

This page is made from the node's own data by \`npm run docs\`. Sections such as "S 4.4" are those of the
service's specification.

## Options of every operation
`;

const row = (...cells: string[]): string =>
	`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;

const table = (headings: string[], rows: string[]): string =>
	[row(...headings), row(...headings.map(() => '---')), ...rows].join('\n');

/** The fields that an item has which an operation puts out. */
function outputFields(resource: Resource, operation: Operation): string {
	const [item = {}] = rowOf(`${resource.value}.${operation.value}`).output;
	return Object.keys(item)
		.map((name) => `\`${name}\``)
		.join(', ');
}

/** The one table of the README: what the node can do. */
export function operationsTable(): string {
	const rows = resources.flatMap((resource) =>
		resource.operations.map((operation) =>
			row(resource.name, operation.name, operation.description, outputFields(resource, operation)),
		),
	);
	return table(['Resource', 'Operation', 'What it does', 'Output'], rows);
}

const allOperations: readonly Operation[] = resources.flatMap(({ operations }) => operations);

/** The options that every operation has; only their defaults may differ. */
const commonNames = new Set(
	allOperations
		.map((operation) => new Set(optionFields(operation).map(({ property }) => property.name)))
		.reduce((common, names) => new Set([...common].filter((name) => names.has(name)))),
);

const isCommon = ({ property }: Field): boolean => commonNames.has(property.name);

/** The whole reference. */
export function operationsReference(): string {
	const [first] = allOperations;
	const common = first === undefined ? [] : optionFields(first).filter(isCommon);
	return [HEADER, optionsTable(common), '', ...resources.map(describeResource)].join('\n');
}

const optionsTable = (fields: readonly Field[]): string =>
	table(['Option', 'Name', 'Default', 'Description'], fields.map(describeOption));

function describeResource(resource: Resource): string {
	return [
		`## ${resource.name}\n`,
		...resource.operations.map((one) => describeOperation(resource, one)),
	].join('\n');
}

function describeOperation(resource: Resource, operation: Operation): string {
	const { name, description, value, routing, specification, fields, repeatable } = operation;
	const { method, url } = routing.request;
	return `### ${name} (\`${value}\`)

${description}.

\`${method} ${url}\` (S ${specification}). ${
		repeatable
			? 'Safe to repeat: it is tried again after a connection fault, 429 and 5xx.'
			: 'It reaches people or adds data: it is tried again only when the service certainly did nothing.'
	}

${table(['Parameter', 'Name', 'Required', 'Description'], fields.map(describeField))}

${describeOptions(operation)}Output: ${outputFields(resource, operation)}
`.replace('..\n', '.\n');
}

/** What the operation has beyond the common options, and the common ones with another default. */
function describeOptions(operation: Operation): string {
	const own = optionFields(operation).filter(
		(field) =>
			!isCommon(field) ||
			(field.property.name === 'timeout' && operation.timeout !== TIMEOUT.standard),
	);
	return own.length > 0 ? `${optionsTable(own)}\n\n` : '';
}

function describeField({ property }: Field): string {
	const required = property.required === true ? 'yes' : '';
	return row(property.displayName, `\`${property.name}\``, required, describe(property));
}

function describeOption({ property }: Field): string {
	const preset = property.default === '' ? '' : `\`${JSON.stringify(property.default)}\``;
	return row(property.displayName, `\`${property.name}\``, preset, describe(property));
}

/** The description, the values of a choice, and when the field is shown. */
function describe({
	description = '',
	options = [],
	type,
	displayOptions,
}: INodeProperties): string {
	const values =
		type === 'options'
			? options.flatMap((option) => ('value' in option ? [`\`${String(option.value)}\``] : []))
			: [];
	const conditions = Object.entries(displayOptions?.show ?? {}).map(
		([name, allowed = []]) =>
			`\`${name.replace('/', '')}\` is ${(Array.isArray(allowed) ? allowed : []).map((value) => `\`${JSON.stringify(value)}\``).join(' or ')}`,
	);
	return [
		description.replace(/\.$/, ''),
		values.length > 0 ? `One of ${values.join(', ')}` : '',
		conditions.length > 0 ? `Shown when ${conditions.join(' and ')}` : '',
	]
		.filter((part) => part !== '')
		.join('. ');
}
