import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import { optionsField, rulesField } from '../declaration/options';
import { Unreadable } from './reading';
import { isContainer, isDate, isObject } from '../values';

/** Gives the value of a parameter for the item of this place, expressions resolved. */
type Read = (name: string, index: number, property?: Field['property']) => unknown;

/**
 * Reads the parameters of the items.
 *
 * @param items the items of the node in their order, in an array that expressions cannot reach
 * @param isTool true if an agent runs the node: its model fills what it does not know with a word for nothing
 */
export function createParameterReader(
	context: IExecuteFunctions,
	operation: Operation,
	items: readonly INodeExecutionData[],
	isTool: boolean,
): (field: Field, index: number) => unknown {
	const read = createReader(context, items);
	const { parameters } = context.getNode();
	const readCollection = (collection: Field, entries: readonly Field[]) =>
		createCollectionReader(collection, parameters[collection.property.name], entries, read);
	const collections = new Map([
		[rulesField, readCollection(rulesField, operation.rules ?? [])],
		[optionsField, readCollection(optionsField, operation.options)],
	]);
	return (field, index) => {
		const { name, type, required } = field.property;
		const value = collections.get(field)?.(index) ?? read(name, index, field.property);
		const isOptional = required !== true && field !== rulesField;
		const isInJson = type === 'json' && typeof value !== 'string';
		return isTool && isOptional && !isInJson ? withoutNothing(value) : value;
	};
}

const NOTHING = /^\s*(?:null|undefined|n\/a|none)\s*$/i;

/** Leaves out each text that is a word for nothing. */
function withoutNothing(value: unknown): unknown {
	if (typeof value === 'string') return NOTHING.test(value) ? undefined : value;
	if (Array.isArray(value)) return value.map(withoutNothing);
	if (!isObject(value) || isDate(value) || value instanceof Unreadable) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, part]) => [name, withoutNothing(part)]),
	);
}

/**
 * Expressions can sort or shorten the items of the node in place, and what they read of an item comes from its place. So
 * the items are put in order again before each parameter is read.
 */
function createReader(context: IExecuteFunctions, items: readonly INodeExecutionData[]): Read {
	const input = context.getInputData();
	const restore = (): void => {
		for (const [place, item] of items.entries()) input[place] = item;
	};
	return (name, index, property) => {
		if (input[index] !== items[index]) restore();
		return context.getNodeParameter(name, index, property?.default, {
			extractValue: property?.type === 'resourceLocator',
		});
	};
}

/**
 * Settings that are the same for all items are read once: a list of numbers can be long, and n8n copies it
 * each time. What is sent is read anew for each item.
 */
function createCollectionReader(
	{ property: collection }: Field,
	entered: unknown,
	entries: readonly Field[],
	read: Read,
): (index: number) => unknown {
	// n8n saves a collection as an object. Anything else, such as an expression, is read as a whole.
	if (!isObject(entered)) return (index) => read(collection.name, index, collection);
	const readEntry = (name: string, index: number): unknown => {
		try {
			return read(`${collection.name}.${name}`, index);
		} catch (error) {
			return new Unreadable(error);
		}
	};
	const readAll = (fields: readonly Field[], index: number): Record<string, unknown> =>
		Object.fromEntries(fields.map(({ property: { name } }) => [name, readEntry(name, index)]));
	const given = entries.filter(({ property }) => property.name in entered);
	const isShared = ({ sentAs, property }: Field): boolean =>
		sentAs === undefined && isSameForAllItems(entered[property.name]);
	const shared = given.filter(isShared);
	const others = given.filter((field) => !isShared(field));
	let once: Record<string, unknown> | undefined;
	return (index) => {
		once ??= readAll(shared, index);
		return { ...once, ...readAll(others, index) };
	};
}

/** What gives the items of a whole node, whichever item it is evaluated for. */
const WHOLE_NODE =
	/\$(?:input|\(\s*(?:'[^'\\$]*'|"[^"\\$]*")\s*\))\s*\.\s*(?:all|first|last)\s*\(/g;

/** The names of what n8n gives of an item begin with `$`, which can also be escaped. */
const OF_ITEM = /\$|\\[ux]/;

/**
 * True if a parameter, as it was entered, has one value for all items of a run: it holds no expression, or one that
 * reads whole nodes only. Time and chance are the same for all items then.
 */
export function isSameForAllItems(entered: unknown): boolean {
	if (isContainer(entered)) return Object.values(entered).every(isSameForAllItems);
	if (typeof entered !== 'string' || !entered.startsWith('=')) return true;
	return !OF_ITEM.test(entered.replaceAll(WHOLE_NODE, ''));
}
