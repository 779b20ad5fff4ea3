import type { Field } from '../../../nodes/shared/declaration/field';
import type { Operation } from '../../../nodes/shared/declaration/operation';
import { optionsOf } from '../../../nodes/shared/declaration/options';

/**
 * Says in sentences what is wrong with an operation as data: a field that stands there twice or is not used, a field that
 * depends on one that does not stand before it, a property that is sent nowhere, a part of the path without a field, a
 * reference to a field that is not there, and a recipient without rules of contact.
 */
export const flawsOf = (operation: Operation): string[] =>
	[dependencies, places, references, uses, rules].flatMap((flaws) => flaws(operation));

const nameOf = ({ property }: Field): string => property.name;

const has = (fields: readonly Field[], name: string): boolean =>
	fields.some((field) => nameOf(field) === name);

const namesSent = (fields: readonly Field[]): string[] =>
	fields.flatMap(({ sentAs }) => sentAs ?? []);

/** The options that operations have without declaring them. */
const COMMON = optionsOf({
	repeatable: false,
	timeout: 0,
	rules: [],
}).map(nameOf);

/** n8n decides by the fields above whether a field is shown, and so does the reading of an item. */
function dependencies({ fields, options }: Operation): string[] {
	const missing = ({ conditions = [], ...field }: Field, above: readonly Field[]): string[] =>
		conditions
			.filter(({ name }) => !has(above, name))
			.map(({ name }) => `${nameOf(field)} depends on ${name}, which does not stand before it`);
	return [
		...fields.flatMap((field, index) => missing(field, fields.slice(0, index))),
		...options.flatMap((option) => missing(option, fields)),
	];
}

function places(operation: Operation): string[] {
	const { fields, options, path, request } = operation;
	const parts = path.filter((_, index) => index % 2 === 1);
	const hasBody = !['GET', 'DELETE'].includes(request.method);
	const all = namesSent([...fields, ...options]);
	return [
		...all
			.filter((name) => !parts.includes(name) && !hasBody)
			.map((name) => `${name} is sent nowhere`),
		...parts.filter((name) => !all.includes(name)).map((name) => `nothing fills {${name}}`),
	];
}

/** What `fallback`, `recipient` and `writesFor` refer to and is not there. */
function references(operation: Operation): string[] {
	const { fields, options, fallback, recipient, writesFor = [] } = operation;
	const places = namesSent([...fields, ...options]);
	const lost = [...(recipient === undefined ? [] : [recipient]), ...writesFor]
		.filter((name) => !places.includes(name))
		.map((name) => `the recipient ${name} is not sent`);
	if (fallback === undefined) return lost;
	const { field, value, operation: other } = fallback;
	const asks = fields.some((one) => nameOf(one) === field && one.schema.safeParse(value).success);
	const sent = namesSent([...other.fields, ...other.options]);
	return [
		...lost,
		...other.fields
			.filter((one) => !has(fields, nameOf(one)))
			.map((one) => `only ${other.name} asks for ${nameOf(one)}`),
		...namesSent(options)
			.filter((name) => !sent.includes(name))
			.map((name) => `${other.name} does not send ${name}`),
		...(asks ? [] : [`there is no field ${field} with the value ${value}`]),
	];
}

/** Fields that are there twice, and fields that are neither sent nor decide what is shown or sent. */
function uses({ fields, options, fallback, waits }: Operation): string[] {
	const all = [...fields, ...options];
	const deciding = all.flatMap(({ conditions = [] }) => conditions.map(({ name }) => name));
	const used = new Set([
		...COMMON,
		...deciding,
		...(waits ? ['waitAtMost'] : []),
		...(fallback ? [fallback.field, ...fallback.operation.fields.map(nameOf)] : []),
	]);
	const twice = [fields, options].flatMap((group) =>
		group.filter((field, index) => has(group.slice(0, index), nameOf(field))),
	);
	const alwaysSent = options.filter(({ isAlwaysSent }) => isAlwaysSent);
	return [
		...alwaysSent
			.slice(1)
			.map((field) => `${nameOf(field)} cannot be always sent: another option is`),
		...twice.map((field) => `${nameOf(field)} is asked for twice`),
		...all
			.filter((field) => field.sentAs === undefined && !used.has(nameOf(field)))
			.map((field) => `${nameOf(field)} is asked for and not used`),
	];
}

/** A copied operation without its rules would reach people on a do-not-contact list. */
function rules({ recipient, rules: given }: Operation): string[] {
	if ((recipient === undefined) === (given === undefined)) return [];
	return [
		recipient === undefined
			? 'there are rules of contact, but no recipient'
			: `no rules of contact hold back the recipient ${recipient}`,
	];
}
