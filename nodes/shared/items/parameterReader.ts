import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import { optionsField } from '../declaration/options';
import { addedRules } from '../rules/contactRules';
import { problemOf } from '../declaration/readValue';
import { isContainer, isDate, isObject } from '../values';

/**
 * Reads the parameters of the items. Expressions can sort or shorten the node's items in place, and
 * they read an item by its place. So the items are put in order again before each parameter, option
 * and rule is read. Options and rules that are the same for all items are read once: a list of
 * numbers can be long, and n8n copies it each time. What is sent is read anew for each item.
 *
 * @param items the items of the node in their order, in an array that expressions cannot reach
 * @param isTool true if an agent runs the node: its model enters words for nothing, e.g. `N/A`
 */
export function createParameterReader(
	context: IExecuteFunctions,
	operation: Operation,
	items: readonly INodeExecutionData[],
	isTool: boolean,
): (field: Field, index: number) => unknown {
	const { parameters } = context.getNode();
	const input = context.getInputData();
	const read = (name: string, index: number, property?: Field['property']): unknown => {
		if (input[index] !== items[index])
			for (const [place, item] of items.entries()) input[place] = item;
		return context.getNodeParameter(name, index, property?.default, {
			extractValue: property?.type === 'resourceLocator',
		});
	};
	const once = new Map<Field, unknown>();
	const readEntry = (entry: Field, name: string, entered: unknown, index: number): unknown => {
		if (once.has(entry)) return once.get(entry);
		let value: unknown;
		try {
			value = read(name, index);
		} catch (error) {
			// The other entries can be read.
			value = new Error(problemOf(error));
		}
		if (entry.sentAs === undefined && isSameForAllItems(entered)) once.set(entry, value);
		return value;
	};
	const readField = (field: Field, index: number): unknown => {
		const { name } = field.property;
		const entered: unknown = parameters[name];
		const entries = field === addedRules ? operation.rules : operation.options;
		const isCollection = field === addedRules || field === optionsField;
		// n8n saves a collection as an object. Anything else, e.g. an expression, is read as a whole.
		if (!isCollection || !isObject(entered)) return read(name, index, field.property);
		const values: Record<string, unknown> = {};
		for (const entry of entries ?? []) {
			const entryName = entry.property.name;
			if (entryName in entered)
				values[entryName] = readEntry(entry, `${name}.${entryName}`, entered[entryName], index);
		}
		return values;
	};
	return (field, index) => {
		const { type, required } = field.property;
		const value = readField(field, index);
		const isOptional = required !== true && field !== addedRules;
		const isInJson = type === 'json' && typeof value !== 'string';
		return isTool && isOptional && !isInJson ? withoutNothing(value) : value;
	};
}

const WORD_FOR_NOTHING = /^\s*(?:null|undefined|n\/a|none)\s*$/i;

function withoutNothing(value: unknown): unknown {
	if (typeof value === 'string') return WORD_FOR_NOTHING.test(value) ? undefined : value;
	if (Array.isArray(value)) return value.map(withoutNothing);
	if (!isObject(value) || isDate(value) || value instanceof Error) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, part]) => [name, withoutNothing(part)]),
	);
}

/** What gives the items of a whole node, whichever item it is evaluated for. */
const WHOLE_NODE =
	/\$(?:input|\(\s*(?:'[^'\\$]*'|"[^"\\$]*")\s*\))\s*\.\s*(?:all|first|last)\s*\(/g;

/** The names of what n8n gives of an item begin with `$`, which can also be escaped. */
const OF_ITEM = /\$|\\[ux]/;

/**
 * Says whether a parameter, as entered, has one value for all items of a run: it holds no
 * expression, or one that reads whole nodes only. Time and chance are the same for all items then.
 */
export function isSameForAllItems(entered: unknown): boolean {
	if (isContainer(entered)) return Object.values(entered).every(isSameForAllItems);
	if (typeof entered !== 'string' || !entered.startsWith('=')) return true;
	return !OF_ITEM.test(entered.replaceAll(WHOLE_NODE, ''));
}
