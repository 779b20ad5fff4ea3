import type { Field } from '../declaration/field';
import { readJson } from '../declaration/json';
import { optionsField } from '../declaration/options';
import { isBlank, isObject, listRows, toPlainText } from '../values';

const isExpression = (entered: unknown): boolean =>
	typeof entered === 'string' && entered.startsWith('=');

/**
 * Counts the fields that are left out of a request because their expression gives nothing, such as one that names a column
 * which is not there. Of a collection, each of its entries counts by itself.
 */
export class BlankFields {
	/** The rows in which a field is empty, by its name. */
	private readonly rows = new Map<string, number[]>();

	private items = 0;

	/**
	 * @param parameters of the node, as they were entered
	 * @param options that the operation has
	 */
	constructor(
		private readonly parameters: Readonly<Record<string, unknown>>,
		private readonly options: readonly Field[],
	) {}

	/**
	 * To be called for each item that can be sent.
	 *
	 * @param given the values that n8n gives for its fields
	 */
	noteItem(index: number, given: ReadonlyMap<Field, unknown>): void {
		this.items++;
		for (const [field, value] of given) {
			for (const name of this.blankIn(field, value)) {
				const rows = this.rows.get(name);
				if (rows) rows.push(index + 1);
				else this.rows.set(name, [index + 1]);
			}
		}
	}

	/**
	 * "Custom Field 2 is empty in 1 of 5 items (row 4).", a sentence for each such field.
	 *
	 * @param all how many items there are, with those that cannot be sent
	 * @param isLive true if only what is empty in a whole list is told
	 */
	describe(all: number, isLive: boolean): string {
		const valid = this.items === all ? '' : 'valid ';
		const items = `${this.items} ${valid}${this.items === 1 ? 'item' : 'items'}`;
		const told = [...this.rows].flatMap(([name, rows]) => {
			const isInAll = this.items > 1 && rows.length === this.items;
			if (isInAll) return [`${name} is empty in all ${items}`];
			const which = `${valid && 'the '}${items}${this.list(rows)}`;
			return isLive ? [] : [`${name} is empty in ${rows.length} of ${which}`];
		});
		return told.map((one) => `${one}.`).join(' ');
	}

	/** Which rows they are, unless all are. */
	private list(rows: readonly number[]): string {
		if (rows.length === this.items) return '';
		const noun = rows.length === 1 ? 'row' : 'rows';
		return ` (${noun} ${listRows(rows)})`;
	}

	/** The names of what is empty in the value of a field. */
	private blankIn(field: Field, value: unknown): string[] {
		const { name, displayName, type, options } = field.property;
		const entered = this.parameters[name];
		if (isExpression(entered)) {
			if (isBlank(value)) return [displayName];
			return type === 'json' ? blankInJson(displayName, value) : [];
		}
		if (!isObject(entered) || !isObject(value)) return [];
		const entries = field === optionsField ? this.options.map(({ property }) => property) : options;
		const blank = (entries ?? []).flatMap((entry) =>
			'type' in entry && isExpression(entered[entry.name]) && isBlank(value[entry.name])
				? [entry.displayName]
				: [],
		);
		return Array.isArray(entered.values) && Array.isArray(value.values)
			? [...blank, ...blankInRows(displayName, entered.values, value.values)]
			: blank;
	}
}

function blankInJson(displayName: string, value: unknown): string[] {
	const read = readJson(value);
	if (!('value' in read) || !isObject(read.value)) return [];
	return Object.entries(read.value).flatMap(([name, part]) =>
		isBlank(part) ? [`${displayName} "${name}"`] : [],
	);
}

function blankInRows(
	displayName: string,
	entered: readonly unknown[],
	values: readonly unknown[],
): string[] {
	return entered.flatMap((row, index) => {
		const value = values[index];
		if (!isObject(row) || !isObject(value)) return [];
		const isBlankCell = (name: string): boolean => isExpression(row[name]) && isBlank(value[name]);
		const entry = toPlainText(value.name) || String(index + 1);
		return Object.keys(row).some(isBlankCell) ? [`${displayName} "${entry}"`] : [];
	});
}
