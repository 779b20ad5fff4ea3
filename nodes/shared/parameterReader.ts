import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Field } from './declaration/field';
import type { Operation } from './declaration/operation';
import { optionsField } from './declaration/options';
import { isSameForAllItems } from './request/sameForAllItems';
import { isObject } from './values';

/** Gives the value of a parameter for the item of this place, expressions resolved. */
type Read = (name: string, index: number, property?: Field['property']) => unknown;

/**
 * Reads the parameters of the items.
 *
 * @param items the items of the node in their order, in an array that expressions cannot reach
 */
export function createParameterReader(
	context: IExecuteFunctions,
	operation: Operation,
	items: readonly INodeExecutionData[],
): (field: Field, index: number) => unknown {
	const read = createReader(context, items);
	const readOptions = createOptionsReader(context.getNode().parameters.options, operation, read);
	return (field, index) =>
		field === optionsField ? readOptions(index) : read(field.property.name, index, field.property);
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
 * Settings that are the same for all items are read once: the list of whom not to contact can be long, and n8n copies it
 * each time. What is sent is read anew for each item.
 */
function createOptionsReader(
	entered: unknown,
	{ options }: Operation,
	read: Read,
): (index: number) => unknown {
	const { property: collection } = optionsField;
	// n8n makes an object of it. Whatever else it is would be read as a whole.
	if (!isObject(entered)) return (index) => read(collection.name, index, collection);
	const readAll = (fields: readonly Field[], index: number): Record<string, unknown> =>
		Object.fromEntries(
			fields.map(({ property: { name } }) => [name, read(`${collection.name}.${name}`, index)]),
		);
	const given = options.filter(({ property }) => property.name in entered);
	const isShared = ({ place, property }: Field): boolean =>
		place === undefined && isSameForAllItems(entered[property.name]);
	const shared = given.filter(isShared);
	const others = given.filter((field) => !isShared(field));
	let once: Record<string, unknown> | undefined;
	return (index) => {
		once ??= readAll(shared, index);
		return { ...once, ...readAll(others, index) };
	};
}
