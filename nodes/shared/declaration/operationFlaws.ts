import type { Field, Place } from './field';
import { hasBody, type Declaration, type Operation } from './operation';

/**
 * Says in a sentence what is wrong with an operation as data; `undefined` if nothing is. It finds a field that stands there
 * twice or is not used, a field that depends on one that does not stand before it, a property that is sent nowhere, a part
 * of the path without a field, a reference to a field that is not there, and a recipient without `rules`.
 *
 * @param declared the options beyond those that every operation has, and the rules, as their author wrote them
 */
export function findFlaw(
	operation: Operation,
	{ options = [], rules }: Pick<Declaration, 'options' | 'rules'>,
): string | undefined {
	for (const flaws of [dependencies, places, references, uses]) {
		const [flaw] = flaws(operation, options);
		if (flaw !== undefined) return flaw;
	}
	return ruleFlaw(operation, rules);
}

/** A copied operation without its rules would reach people on a do-not-contact list. */
function ruleFlaw({ recipient }: Operation, rules: Declaration['rules']): string | undefined {
	if (recipient !== undefined && rules === undefined)
		return `no rules of contact hold back the recipient ${recipient}: give the operation \`rules\`, or \`rules: 'none'\` if none can apply`;
	if (recipient === undefined && rules !== undefined && rules !== 'none')
		return 'there are rules of contact, but no recipient';
	return undefined;
}

const partsOf = ({ path }: Operation): string[] => path.filter((_, index) => index % 2 === 1);

const nameOf = ({ property }: Field): string => property.name;

const has = (fields: readonly Field[], name: string): boolean =>
	fields.some((field) => nameOf(field) === name);

const placesOf = (fields: readonly Field[]): Place[] => fields.flatMap(({ place }) => place ?? []);

const besidesOf = ({ fallback }: Operation): Operation[] => (fallback ? [fallback.operation] : []);

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
	const { fields, options } = operation;
	const parts = partsOf(operation);
	const isLost = (place: Place): boolean =>
		place.in === 'path' ? !parts.includes(place.name) : place.in === 'body' && !hasBody(operation);
	const all = placesOf([...fields, ...options]);
	const filled = all.filter((place) => place.in === 'path').map(({ name }) => name);
	return [
		...all.filter(isLost).map(({ name }) => `${name} is sent nowhere`),
		...parts.filter((name) => !filled.includes(name)).map((name) => `nothing fills {${name}}`),
	];
}

/**
 * What `fallback` and `recipient` refer to and is not there. Options that every operation has are sent with each
 * request, so only the operation's own are looked at.
 */
function references(operation: Operation, ownOptions: readonly Field[]): string[] {
	const { fields, fallback, recipient } = operation;
	const lost = besidesOf(operation).flatMap((beside) => [
		...beside.fields
			.filter((field) => !has(fields, nameOf(field)))
			.map((field) => `only ${beside.name} asks for ${nameOf(field)}`),
		...placesOf(ownOptions)
			.filter(
				({ name }) =>
					!placesOf([...beside.fields, ...beside.options]).some((place) => place.name === name),
			)
			.map(({ name }) => `${beside.name} does not send ${name}`),
	]);
	const isReached =
		recipient === undefined || placesOf(fields).some(({ name }) => name === recipient);
	return [
		...lost,
		...(isReached ? [] : [`the recipient ${recipient} is not sent`]),
		...(fallback && !has(fields, fallback.field) ? [`there is no field ${fallback.field}`] : []),
	];
}

/** Fields that are there twice, and fields that are neither sent nor decide what is shown or sent. */
function uses(operation: Operation, ownOptions: readonly Field[]): string[] {
	const { fields, options, fallback } = operation;
	const all = [...fields, ...options];
	const deciding = all.flatMap(({ conditions = [] }) => conditions.map(({ name }) => name));
	const asked = besidesOf(operation).flatMap((beside) => beside.fields.map(nameOf));
	const used = new Set([...deciding, ...asked, fallback?.field]);
	const twice = [fields, options].flatMap((group) =>
		group.filter((field, index) => has(group.slice(0, index), nameOf(field))),
	);
	const alwaysSent = options.filter(({ isAlwaysSent }) => isAlwaysSent);
	return [
		...alwaysSent
			.slice(1)
			.map((field) => `${nameOf(field)} cannot be always sent: another option is`),
		...twice.map((field) => `${nameOf(field)} is asked for twice`),
		...[...fields, ...ownOptions]
			.filter((field) => field.place === undefined && !used.has(nameOf(field)))
			.map((field) => `${nameOf(field)} is asked for and not used`),
	];
}
