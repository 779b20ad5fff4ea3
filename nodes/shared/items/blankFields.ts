import type { INodeParameters } from 'n8n-workflow';

import type { Field } from '../declaration/field';
import { readJson } from '../declaration/json';
import { groupBy, isBlank, isContainer, isObject, listRows } from '../values';

/** Names what of an item is blank despite an expression, e.g. of a column that is not there. */
export const blanksOf = (values: ReadonlyMap<Field, unknown>, parameters: INodeParameters) =>
	Array.from(values).flatMap(([{ property }, value]) =>
		blanksIn(parameters[property.name], value, property.type === 'json').map(
			(place) => property.displayName + (place.length > 0 ? ` (${place.join(', ')})` : ''),
		),
	);

/** Says what is blank, in rows counted from 1: "Custom Fields (customField2) is empty in row 2." */
export const describeBlanks = (blanks: readonly { name: string; row: number }[]): string =>
	[...groupBy(blanks, ({ name }) => name)]
		.map(([name, group]) => `${name} is empty in ${listRows(group.map(({ row }) => row))}.`)
		.join(' ');

/** Finds the places of what is blank in a value, none of which is the value itself. */
function blanksIn(entered: unknown, value: unknown, isJson = false): string[][] {
	if (typeof entered === 'string' && entered.startsWith('=')) {
		if (isBlank(value)) return [[]];
		const read = isJson ? readJson(value) : undefined;
		const parts = read?.kind === 'read' && isObject(read.value) ? read.value : {};
		return Object.keys(parts).flatMap((name) => (isBlank(parts[name]) ? [[name]] : []));
	}
	if (!isContainer(entered) || !isContainer(value)) return [];
	const values = new Map(Object.entries(value));
	return Object.entries(entered).flatMap(([name, part]) => {
		const place = Array.isArray(entered) ? `entry ${Number(name) + 1}` : name;
		return blanksIn(part, values.get(name)).map((inner) => [place, ...inner]);
	});
}
