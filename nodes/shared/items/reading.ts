import { faultOf, type Fault } from '../answer/valueFault';
import type { Field } from '../declaration/field';
import { problemOf, readValue } from '../declaration/readValue';
import { isBlank, isObject } from '../values';

/** Gives the value of a parameter for one item, expressions resolved. */
export type ParameterReader = (field: Field) => unknown;

/** Checked values by the names of their fields; those of fields that are not shown are absent. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** What was read, and what is wrong with it. */
export interface Reading {
	readonly values: FieldValues;
	/** The values as n8n gave them, before they were cleaned. */
	readonly entered: FieldValues;
	readonly faults: readonly Fault[];
}

/**
 * Reads the fields that are shown, in their order, each of them once.
 *
 * @param settings the values that decide what is shown; by default those of the fields themselves
 * @param prefix of the names of the fields in what is wrong
 */
export function readFields(
	fields: readonly Field[],
	read: ParameterReader,
	settings?: FieldValues,
	prefix = '',
): Reading {
	const values: Record<string, unknown> = {};
	const entered: Record<string, unknown> = {};
	const faults: Fault[] = [];
	for (const field of fields) {
		if (!isShown(field, settings ?? values)) continue;
		const { name, displayName } = field.property;
		try {
			const value = read(field);
			if (value instanceof Error) throw value;
			entered[name] = value;
			const checked = readValue(displayName, field.schema, fromMenu(field, value), true);
			values[name] = checked.value;
			for (const fault of checked.faults) faults.push({ ...fault, field: prefix + name });
		} catch (error) {
			faults.push(faultOf(problemOf(error), { field: prefix + name, name: displayName }));
		}
	}
	return { values, entered, faults };
}

/** Finds a menu's entry also by its name, in any case: users and agents write what they read. */
function fromMenu({ property: { type, options = [] } }: Field, entered: unknown): unknown {
	if (type !== 'options' || typeof entered !== 'string') return entered;
	const entries = options.filter((option) => 'value' in option);
	if (entries.some(({ value }) => value === entered)) return entered;
	const written = entered.trim().toLowerCase();
	const isMeant = (text: unknown): boolean => String(text).toLowerCase() === written;
	return entries.find(({ name, value }) => isMeant(name) || isMeant(value))?.value ?? entered;
}

const isShown = ({ conditions = [] }: Field, settings: FieldValues): boolean =>
	conditions.every(({ name, values }) => values.some((value) => value === settings[name]));

/**
 * Reads the entries of a collection that are shown. One that was not added has its preset; without
 * presets, it is not read. One that was added and is blank is a problem, unless it may be blank
 * (rule 8): what users rely on must not vanish. What is no collection is a problem, and has no
 * entries. What is wrong is named as n8n does, e.g. "options.timeout".
 */
export function readCollection(
	collection: Field,
	entries: readonly Field[],
	readParameter: ParameterReader,
	settings: FieldValues,
	presetOf?: ParameterReader,
): Reading {
	const { name } = collection.property;
	const { values, faults } = readFields([collection], readParameter);
	const collected = values[name];
	const added = isObject(collected) ? collected : {};
	const isAdded = ({ property }: Field): boolean => property.name in added;
	const readEntry = (entry: Field): unknown => {
		const value = added[entry.property.name];
		if (presetOf && !isAdded(entry)) return presetOf(entry);
		if (isBlank(value) && entry.mayBeBlank !== true) throw new Error(BLANK);
		const lacking = entry.needs?.find((needed) => !(needed in added));
		if (lacking !== undefined && value !== false) throw new Error(needsRule(lacking, entries));
		return value;
	};
	const read = presetOf ? entries : entries.filter(isAdded);
	const reading = readFields(read, readEntry, settings, `${name}.`);
	return { ...reading, faults: [...faults, ...reading.faults] };
}

export const needsRule = (lacking: string, rules: readonly Field[]): string => {
	const rule = rules.find(({ property }) => property.name === lacking);
	return `it needs the rule "${rule?.property.displayName ?? lacking}". Add that rule, or remove this one`;
};

export const BLANK = 'it was added, but its value is empty. Correct or remove it';
