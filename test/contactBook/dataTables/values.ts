import { validateFieldType, type ValidationResult } from 'n8n-workflow';

export type ColumnType = 'string' | 'number' | 'boolean' | 'date';

/** What a column of a row holds, as the API answers it: a date as ISO text in UTC, nothing as null. */
export type Cell = string | number | boolean | null;

export interface Row {
	readonly id: number;
	readonly createdAt: string;
	readonly updatedAt: string;
	readonly [column: string]: Cell;
}

/** The types of columns by their names. */
export type Types = ReadonlyMap<string, ColumnType>;

/** The columns that every table has. */
export const SYSTEM_TYPES: Types = new Map([
	['id', 'number'],
	['createdAt', 'date'],
	['updatedAt', 'date'],
]);

export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** What n8n's service of Data Tables says of values that it does not take. */
const invalid = (what: string): Refusal =>
	new Refusal(400, `Validation error with data table request: ${what}`);

/** What n8n answers to everything that its database does not take. */
export const databaseError = (): Refusal => new Refusal(500, 'Internal server error');

/** The value as n8n keeps it, leniently: "7" is a number, 1 is true, 5 in a text column is "5". */
export function cellFor(types: Types, name: string, value: Cell): Cell {
	const type = types.get(name);
	if (type === undefined) throw invalid(`unknown column name '${name}'`);
	if (value === null) return null;
	const mismatch = `value '${String(value)}' does not match column type '${type}': `;
	const read = (result: ValidationResult): unknown => {
		if (!result.valid) throw invalid(`${mismatch}${result.errorMessage}`);
		return result.newValue;
	};
	switch (type) {
		case 'string':
			return typeof value === 'boolean' ? String(Number(value)) : String(value);
		case 'number':
			return Number(read(validateFieldType(name, value, 'number')));
		case 'boolean':
			return read(validateFieldType(name, value, 'boolean')) === true;
		case 'date':
			// Luxon's date, whose text is ISO 8601 with its zone.
			return new Date(String(read(validateFieldType(name, value, 'dateTime')))).toISOString();
	}
}
