import type { INodeParameters } from 'n8n-workflow';

import type { Field } from '../declaration/field';
import { readJson } from '../declaration/json';
import { isBlank, isContainer, isObject, listRows } from '../values';

/** What requests leave out because its expression gives nothing: its name, and in which rows. */
export type BlankFields = Map<string, number[]>;

/**
 * Notes what of an item is blank despite an expression, e.g. one for a column that is not there.
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
			const name = property.displayName + (place.length > 0 ? ` (${place.join(', ')})` : '');
			const rows = blanks.get(name) ?? [];
			rows.push(row);
			blanks.set(name, rows);
		}
	}
}

/** Says what is blank: "Custom Fields (customField2) is empty in rows 2, 4." */
export const describeBlanks = (blanks: BlankFields): string =>
	Array.from(blanks, ([name, rows]) => `${name} is empty in ${listRows(rows)}.`).join(' ');

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
