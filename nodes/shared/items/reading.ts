import type { ZodIssue, ZodIssueCode } from 'zod';

import type { Field } from '../declaration/field';
import type { ValueSchema } from '../declaration/schemas';
import { butNot, isBlank, isObject } from '../values';

/** Gives the value of a parameter for one item, expressions resolved. */
export type ParameterReader = (field: Field) => unknown;

/** Stands for an entry of a collection whose expression throws, so that the others can be read. */
export class Unreadable {
	constructor(readonly error: unknown) {}
}

/** Checked values by the names of their fields; those of fields that are not shown are absent. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** What was read, and what is wrong with it. */
export interface Reading {
	readonly values: FieldValues;
	/** The values as n8n gave them, before they were cleaned. */
	readonly given: FieldValues;
	/** The display name of each field, and what was expected. */
	readonly problems: readonly string[];
	/** The names of the fields that have problems. */
	readonly faulty: readonly string[];
}

/**
 * Reads the fields that are shown, in their order, each of them once.
 *
 * @param settings the values that decide what is shown; by default those of the fields themselves
 */
export function readFields(
	fields: readonly Field[],
	read: ParameterReader,
	settings?: FieldValues,
): Reading {
	const values: Record<string, unknown> = {};
	const given: Record<string, unknown> = {};
	const problems: string[] = [];
	const faulty: string[] = [];
	const deciding = settings ?? values;
	for (const field of fields) {
		if (!isShown(field, deciding)) continue;
		const before = problems.length;
		const { name, displayName } = field.property;
		try {
			const value = read(field);
			if (value instanceof Unreadable) throw value.error;
			given[name] = value;
			const checked = readValue(displayName, field.schema, fromMenu(field, value), field);
			values[name] = checked.value;
			problems.push(...checked.problems);
		} catch (error) {
			problems.push(`${displayName}: ${problemOf(error)}`);
		}
		if (problems.length > before) faulty.push(name);
	}
	return { values, given, problems, faulty };
}

/** What is wrong with a value that throws: an expression that fails, or what is nested too deeply for JavaScript. */
export function problemOf(error: unknown): string {
	if (error instanceof RangeError) return 'a value is nested too deeply';
	return error instanceof Error ? error.message : 'the value cannot be read';
}

/** An entry of a menu is also known by its name, in any case: people and agents write what they read. */
function fromMenu({ property: { type, options = [] } }: Field, given: unknown): unknown {
	if (type !== 'options' || typeof given !== 'string') return given;
	const entries = options.filter((option) => 'value' in option);
	if (entries.some(({ value }) => value === given)) return given;
	const written = given.trim().toLowerCase();
	const meant = entries.find(({ name, value }) =>
		[name, String(value)].some((text) => text.toLowerCase() === written),
	);
	return meant?.value ?? given;
}

const isShown = ({ conditions = [] }: Field, settings: FieldValues): boolean =>
	conditions.every(({ name, values }) => values.some((value) => value === settings[name]));

const NONE: readonly string[] = [];

/** A value that was cleaned and checked; with problems there is none. */
interface Checked<T = unknown> {
	readonly value?: T;
	readonly problems: readonly string[];
}

/** Issues whose messages say by themselves what is wrong with the value. */
const TELLING: ReadonlySet<string> = new Set<ZodIssueCode>(['custom', 'unrecognized_keys']);

/** Nothing of a value within a list: schemas leave out blank entries, so its place may be that of another. */
function shownValue(given: unknown, { code, path }: ZodIssue): string {
	const value = path.reduce<unknown>(
		(whole, part) => (isObject(whole) ? whole[part] : undefined),
		given,
	);
	return TELLING.has(code) || isBlank(value) ? '' : butNot(value);
}

/**
 * Cleans and checks one value.
 *
 * @param field whose value it is; without one, nothing of the value is shown, as it can be secret
 */
export function readValue<T>(
	displayName: string,
	schema: ValueSchema<T>,
	given: unknown,
	field?: Pick<Field, 'missing'>,
): Checked<T> {
	const result = schema.safeParse(given);
	if (result.success) return { value: result.data, problems: NONE };
	if (isBlank(given))
		return { problems: [displayName + (field?.missing ? `: ${field.missing}` : ' is empty')] };
	const problems = result.error.issues.map((issue) => {
		const place = issue.path.map((part) => (typeof part === 'number' ? `entry ${part + 1}` : part));
		const where = place.length > 0 ? ` (${place.join(', ')})` : '';
		return `${displayName}${where}: ${issue.message}${field ? shownValue(given, issue) : ''}`;
	});
	return { problems };
}
