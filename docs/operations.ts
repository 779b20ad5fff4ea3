import type { INodePropertyOptions } from 'n8n-workflow';

import { menu } from '../nodes/AssistantService/resources';
import type { Field } from '../nodes/shared/declaration/field';
import type { Operation, Resource } from '../nodes/shared/declaration/operation';
import { rowOf } from '../test/operations';
import { END, outputSchema } from './outputSchemas';

const HEADING = `# Operations

What each operation of **Assistant Service** does, what you enter, and what comes out. _Msgapp_ is what the service calls the chat application in
which it sends messages. _Name_ is what a field is called in the JSON of a workflow. [Which operation for which job?](run-a-list.md#choose-the-operation)`;

const REQUESTS = `Each operation names its request. One that is _safe to repeat_ is tried again after a lost connection and after 5xx. All others are tried again
only if the service certainly did nothing. After 429, or 503 with _Retry-After_, every operation waits, at most _Max Wait_. More: [Can somebody be called twice?](called-twice.md)`;

const ORIGIN = "This page is made from the node's own data by `npm run docs`.";

const SHARED_PARAMETERS = 'Parameters of several operations';
const SHARED_OPTIONS = 'Options of several operations';
const RULES = 'Rules of contact';
/** Longer than any text that has a limit. */
const TOO_LONG = 'x'.repeat(10_000);
/** What this many operations have is described once. */
const SEVERAL = 3;

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

const isFirst = <T>(entry: T, index: number, all: readonly T[]): boolean =>
	all.indexOf(entry) === index;

/** Every rule of contact; an operation may lack some. */
const allRules: readonly Field[] = allOperations.flatMap(({ rules = [] }) => rules).filter(isFirst);

/** Fields with one name and one description are one to the reader. */
const identityOf = (field: Field): string => [field.property.name, describe(field)].join(' ');

/** The fields that several operations have, each once, in the order of their names. */
function sharedFields(fieldsOf: (operation: Operation) => readonly Field[]): Map<string, Field> {
	const all = allOperations.flatMap((operation) => fieldsOf(operation));
	const shared = all.filter(
		(field) => all.filter((other) => identityOf(other) === identityOf(field)).length >= SEVERAL,
	);
	const byName = shared.sort((one, other) =>
		one.property.displayName.localeCompare(other.property.displayName),
	);
	return new Map(byName.map((field) => [identityOf(field), field]));
}

const sharedParameters = sharedFields(({ fields }) => fields);
const sharedOptions = sharedFields(({ options }) => options);

/** The whole reference. */
export function operationsReference(): string {
	const options = [...sharedOptions.values()];
	return [
		HEADING,
		menu.resources.map(describeMenu).join('\n'),
		REQUESTS,
		`## ${SHARED_PARAMETERS}`,
		table(
			PARAMETER_COLUMNS,
			[...sharedParameters.values()].map((field) => fieldRow(field, describe(field))),
		),
		`## ${SHARED_OPTIONS}`,
		'Every operation has these:',
		optionsTable(options.filter(isCommon)),
		'Others have these:',
		optionsTable(
			options.filter((field) => !isCommon(field)),
			'Added with',
		),
		`## ${RULES}`,
		'The collection `contactRules` of the operations that reach one person ([how they work](contact-rules.md)):',
		optionsTable(allRules, 'Added with'),
		...menu.resources.map(describeResource),
		ORIGIN,
	].join('\n\n');
}

/** A resource with the names of its operations. */
const describeMenu = ({ name, operations }: Resource): string =>
	`- ${linkTo(name, name)}: ${operations.map((one) => one.name).join(', ')}`;

const optionsTable = (fields: readonly Field[], whatItHolds = 'Default'): string =>
	table(['Option', 'Name', whatItHolds, 'Description'], fields.map(describeOption));

const linkTo = (text: string, heading: string): string =>
	`[${text}](#${heading.toLowerCase().replaceAll(' ', '-')})`;

function describeResource(resource: Resource): string {
	return [
		`## ${resource.name}`,
		...resource.operations.map((one) => describeOperation(resource, one)),
	].join('\n\n');
}

function describeOperation(resource: Resource, operation: Operation): string {
	const { name, description, value, request, fields, repeatable } = operation;
	const { method, url } = request;
	return `### ${name} (\`${value}\`)

${description}.

\`${method} ${url}\`. ${repeatable ? 'Safe to repeat.' : 'Reaches people or adds data.'}

${table(PARAMETER_COLUMNS, fields.map(describeField))}

${describeOptions(operation)}${describeOutput(resource, operation)}`.replace('..\n', '.\n');
}

/** The columns that only a rule of contact fills. */
const OF_RULES = new Set(['reason', 'notBefore']);

/** An example of what comes out, at the end of a wait, and which of its properties may be `null`. */
function describeOutput(resource: Resource, operation: Operation): string {
	const path = `${resource.value}.${operation.value}`;
	const end = operation.waits ? END : {};
	const output = rowOf(path).output.map((json) => ({ ...json, ...end }));
	const example = JSON.stringify(output.length === 1 ? output[0] : output, null, 2);
	const nullable = Object.entries(outputSchema(path).properties)
		.filter(([name, { type }]) => type.includes('null') && !OF_RULES.has(name))
		.map(([name]) => name);
	const notes = [
		nullNote(
			'if the service does not say',
			nullable.filter((name) => !(name in end)),
		),
		nullNote(
			'of a call whose end is not known',
			nullable.filter((name) => name in end),
		),
		operation.waits
			? '`ended` is `false` if the time was over before. _Simplify_ has no effect. [More](wait-for-calls.md)'
			: '',
	].filter(Boolean);
	return [`Output, for example:\n\n\`\`\`json\n${example}\n\`\`\``, ...notes].join('\n\n');
}

const nullNote = (when: string, names: readonly string[]): string =>
	names.length === 0 ? '' : `\`null\` ${when}: ${names.map((name) => `\`${name}\``).join(', ')}`;

/** What the operation has beyond the options of every operation; one of those only if its default is another one. */
function describeOptions(operation: Operation): string {
	const beyond = operation.options.filter((field) => !isCommon(field));
	const shared = beyond.filter((field) => sharedOptions.has(identityOf(field)));
	const timeouts = operation.timeout === undefined ? [] : operation.options.filter(isTimeout);
	const own = [...beyond.filter((field) => !shared.includes(field)), ...timeouts];
	const names = shared.map(({ property }) => `_${property.displayName}_`);
	return [
		...(operation.rules
			? [`${linkTo('Rules of contact', RULES)}: ${namesOfRules(operation.rules)}.`]
			: []),
		...(shared.length > 0 ? [`${linkTo('Options', SHARED_OPTIONS)}: ${names.join(', ')}.`] : []),
		...(own.length > 0 ? [optionsTable(own)] : []),
		'',
	].join('\n\n');
}

/** Says which rules an operation has. */
function namesOfRules(rules: readonly Field[]): string {
	const lacking = allRules.filter((rule) => !rules.includes(rule));
	const names = lacking.map(({ property }) => `_${property.displayName}_`);
	return names.length === 0 ? 'all' : `all but ${names.join(' and ')}`;
}

const isTimeout = ({ property }: Field): boolean => property.name === 'timeout';

const PARAMETER_COLUMNS = ['Parameter', 'Name', 'Default', 'Description'];

/** A row of a parameter: its default, or that it has to be entered. */
function fieldRow(field: Field, description: string): string {
	const { displayName, name, required } = field.property;
	const preset = required === true ? 'required' : presetOf(field);
	return row(displayName, `\`${name}\``, preset, description);
}

function describeField(field: Field): string {
	const isShared = sharedParameters.has(identityOf(field));
	return fieldRow(field, isShared ? linkTo('see above', SHARED_PARAMETERS) : describe(field));
}

const describeOption = (field: Field): string =>
	row(field.property.displayName, `\`${field.property.name}\``, presetOf(field), describe(field));

/** The default of a field as the panel shows it; empty if nothing is entered. */
function presetOf(field: Field): string {
	const { default: preset } = field.property;
	if (preset === '' || typeof preset === 'object') return '';
	const ofTool =
		field.toolDefault === undefined ? '' : `, in a tool \`${JSON.stringify(field.toolDefault)}\``;
	return `${choiceOf(field, preset) ?? `\`${String(preset)}\``}${ofTool}`;
}

/** The entries of a menu. */
function choicesOf({ property: { options = [], type } }: Field): INodePropertyOptions[] {
	return type === 'options' ? options.filter((one) => 'value' in one) : [];
}

/** The entry of a menu with this value; `undefined` if there is none. */
function choiceOf(field: Field, value: unknown): string | undefined {
	const choice = choicesOf(field).find((entry) => entry.value === value);
	return choice && `_${choice.name}_`;
}

/** What the check of a field says of a value. */
function saidOf({ schema }: Field, value: unknown): string {
	return schema.safeParse(value).error?.issues[0]?.message ?? '';
}

/** The limits of a number or of the length of a text, as the check of the field says them; empty if it has none. */
function limitsOf(field: Field): string {
	if (/^(?:from|to)Number$/.test(field.property.name)) {
		const lengths = Array.from(TOO_LONG.slice(0, 100), (_, index) => index + 1);
		const digits = lengths.filter((length) => saidOf(field, `+${'1'.repeat(length)}`) === '');
		return `${digits[0]} to ${digits.at(-1)} digits`;
	}
	const bounds = /a (whole )?number from (\S+) to (\S+)/.exec(saidOf(field, 'none'));
	if (bounds === null) {
		const [longest = ''] =
			/at most \d+ characters|36 characters/.exec(saidOf(field, TOO_LONG)) ?? [];
		return longest.replace(/^a/, 'A');
	}
	const [, whole = '', least = '', most = ''] = bounds;
	const hasLeast = field.schema.safeParse(least).success;
	const hasMost = Number(most) < Number.MAX_SAFE_INTEGER;
	const from = hasLeast
		? hasMost
			? `from ${least} to ${most}`
			: `of ${least} or more`
		: `above ${least}`;
	return `A ${whole}number ${from}${hasLeast || !hasMost ? '' : `, at most ${most}`}`;
}

/** The description, the entries of a menu, and when the field is shown. */
function describe(field: Field): string {
	const { description = '' } = field.property;
	const choices = choicesOf(field).map(({ name }) => `_${name}_`);
	const shown = (field.conditions ?? []).map((condition) => shownFor(field, condition));
	return [
		description.replace(/\.$/, ''),
		choices.length > 0 ? `One of ${choices.join(', ')}` : limitsOf(field),
		shown.length > 0 ? `Shown when ${shown.join(' and ')}` : '',
	]
		.filter((part) => part !== '')
		.join('. ');
}

type Condition = NonNullable<Field['conditions']>[number];

/** For which entries of another menu of its operation a field is shown. */
function shownFor(field: Field, { name, values }: Condition): string {
	const { fields, options } =
		allOperations.find((one) => [...one.fields, ...one.options].includes(field)) ?? {};
	const other = [...(fields ?? []), ...(options ?? [])].find(
		({ property }) => property.name === name,
	);
	if (other === undefined) throw new Error(`${field.property.name} is shown by no ${name}`);
	const choices = values.map((value) => choiceOf(other, value) ?? value);
	return `_${other.property.displayName}_ is ${choices.join(' or ')}`;
}

/** For which values of other parameters one is shown; empty if it always is. */
export function describeConditions(conditions: Field['conditions'] = []): string {
	return conditions
		.map(
			({ name, values }) =>
				`\`${name}\` is ${values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')}`,
		)
		.join(' and ');
}
