import type { INodeParameters } from 'n8n-workflow';

import type { Field } from '../declaration/field';
import { readJson } from '../declaration/json';
import { isBlank, isContainer, isObject, listRows } from '../values';

/** What is left out of the requests because its expression gives nothing: its name, and in which rows. */
export type BlankFields = Map<string, number[]>;

/**
 * Notes what of an item is blank although an expression was entered for it, such as one that names a column which is not there.
 *
 * @param row counted from 1
 * @param given the values that n8n gives for the fields
 */
export function noteBlanks(
	blanks: BlankFields,
	row: number,
	given: ReadonlyMap<Field, unknown>,
	parameters: INodeParameters,
): void {
	for (const [{ property }, value] of given) {
		for (const place of blanksIn(parameters[property.name], value, property.type === 'json')) {
			const where = place.length > 0 ? ` (${place.join(', ')})` : '';
			const name = property.displayName + where;
			const rows = blanks.get(name);
			if (rows) rows.push(row);
			else blanks.set(name, [row]);
		}
	}
}

/** Says what is blank: "Custom Fields (customField2) is empty in rows 2, 4." */
export const describeBlanks = (blanks: BlankFields): string =>
	[...blanks]
		.map(
			([name, rows]) => `${name} is empty in row${rows.length > 1 ? 's' : ''} ${listRows(rows)}.`,
		)
		.join(' ');

/** Finds the places of what is blank in a value, none of which is the value itself. */
function blanksIn(entered: unknown, value: unknown, isJson = false): string[][] {
	if (typeof entered === 'string' && entered.startsWith('='))
		return isBlank(value) ? [[]] : isJson ? blanksInJson(value) : [];
	if (!isContainer(entered) || !isContainer(value)) return [];
	const values = new Map(Object.entries(value));
	return Object.entries(entered).flatMap(([name, part]) => {
		const place = Array.isArray(entered) ? `entry ${Number(name) + 1}` : name;
		return blanksIn(part, values.get(name)).map((inner) => [place, ...inner]);
	});
}

function blanksInJson(value: unknown): string[][] {
	const read = readJson(value);
	if (!('value' in read) || !isObject(read.value)) return [];
	return Object.entries(read.value).flatMap(([name, part]) => (isBlank(part) ? [[name]] : []));
}
