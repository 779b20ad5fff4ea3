import { menu } from '../nodes/AssistantService/resources';
import type { Field } from '../nodes/shared/declaration/field';
import { TIMEOUT, type Operation, type Resource } from '../nodes/shared/declaration/operation';
import { rowOf } from '../test/operations';
import { outputSchema } from './outputSchemas';

const HEADER = `# Operations

This page is made from the node's own data by \`npm run docs\`. Sections such as "S 4.4" are those of
[the service](service.md).

## Options of every operation
`;

/** A row of a table in Markdown. */
export const row = (...cells: string[]): string =>
	`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;

/** A table in Markdown. */
export const table = (headings: string[], rows: string[]): string =>
	[row(...headings), row(...headings.map(() => '---')), ...rows].join('\n');

/** The one table of the README: what the node can do. */
export function operationsTable(): string {
	const rows = menu.resources.map(({ name, operations }) =>
		row(name, operations.map((operation) => operation.name).join(', ')),
	);
	return table(['Resource', 'Operations'], rows);
}

const allOperations: readonly Operation[] = menu.resources.flatMap(({ operations }) => operations);

/** The options that every operation has; only their defaults may differ. */
const commonNames = new Set(
	allOperations
		.map((operation) => new Set(operation.options.map(({ property }) => property.name)))
		.reduce((common, names) => new Set([...common].filter((name) => names.has(name)))),
);

const isCommon = ({ property }: Field): boolean => commonNames.has(property.name);

/** The whole reference. */
export function operationsReference(): string {
	const [first] = allOperations;
	const common = first === undefined ? [] : first.options.filter(isCommon);
	return [HEADER, optionsTable(common), '', ...menu.resources.map(describeResource)].join('\n');
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
	const { name, description, value, request, specification, fields, repeatable } = operation;
	const { method, url } = request;
	return `### ${name} (\`${value}\`)

${description}.

\`${method} ${url}\` (S ${specification}). ${
		repeatable
			? 'Safe to repeat: it is tried again after a connection fault, 429 and 5xx.'
			: 'It reaches people or adds data: it is tried again only when the service certainly did nothing.'
	}

${table(['Parameter', 'Name', 'Required', 'Description'], fields.map(describeField))}

${describeOptions(operation)}${describeOutput(resource, operation)}
`.replace('..\n', '.\n');
}

/** An example of what comes out, and which of its properties may be `null`. */
function describeOutput(resource: Resource, operation: Operation): string {
	const path = `${resource.value}.${operation.value}`;
	const { output } = rowOf(path);
	const example = JSON.stringify(output.length === 1 ? output[0] : output, null, 2);
	const nullable = Object.entries(outputSchema(path).properties)
		.filter(([, { type }]) => type.includes('null'))
		.map(([name]) => `\`${name}\``);
	const note =
		nullable.length > 0 ? `\n\n\`null\` if the service does not say: ${nullable.join(', ')}` : '';
	return `Output, for example:\n\n\`\`\`json\n${example}\n\`\`\`${note}`;
}

/** What the operation has beyond the common options, and the common ones with another default. */
function describeOptions(operation: Operation): string {
	const own = operation.options.filter(
		(field) =>
			!isCommon(field) ||
			(field.property.name === 'timeout' && operation.timeout !== TIMEOUT.standard),
	);
	return own.length > 0 ? `${optionsTable(own)}\n\n` : '';
}

function describeField(field: Field): string {
	const { property } = field;
	const required = property.required === true ? 'yes' : '';
	return row(property.displayName, `\`${property.name}\``, required, describe(field));
}

function describeOption(field: Field): string {
	const { property } = field;
	const preset = property.default === '' ? '' : `\`${JSON.stringify(property.default)}\``;
	return row(property.displayName, `\`${property.name}\``, preset, describe(field));
}

/** The description, the values of a choice, and when the field is shown. */
function describe({ property, conditions = [] }: Field): string {
	const { description = '', options = [], type } = property;
	const values =
		type === 'options'
			? options.flatMap((option) => ('value' in option ? [`\`${String(option.value)}\``] : []))
			: [];
	const shown = describeConditions(conditions);
	return [
		description.replace(/\.$/, ''),
		values.length > 0 ? `One of ${values.join(', ')}` : '',
		shown !== '' ? `Shown when ${shown}` : '',
	]
		.filter((part) => part !== '')
		.join('. ');
}

/** For which values of other parameters one is shown; empty if it always is. */
export const describeConditions = (conditions: Field['conditions'] = []): string =>
	conditions
		.map(
			({ name, values }) =>
				`\`${name}\` is ${values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')}`,
		)
		.join(' and ');
