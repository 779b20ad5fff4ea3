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

	private row = 0;

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
		this.row = index + 1;
		for (const [field, value] of given) this.note(field, value);
	}

	/**
	 * "Custom Field 2 is empty in 1 of 5 items (row 4).", a sentence for each such field.
	 *
	 * @param all how many items there are, with those that cannot be sent
	 */
	describe(all: number): string {
		const noun = this.items === 1 ? 'item' : 'items';
		const items = this.items === all ? `${all} ${noun}` : `the ${this.items} valid ${noun}`;
		return [...this.rows]
			.map(([name, rows]) => `${name} is empty in ${rows.length} of ${items}${this.list(rows)}.`)
			.join(' ');
	}

	/** Which rows they are, unless all are. */
	private list(rows: readonly number[]): string {
		if (rows.length === this.items) return '';
		const noun = rows.length === 1 ? 'row' : 'rows';
		return ` (${noun} ${listRows(rows)})`;
	}

	private note(field: Field, value: unknown): void {
		const { property } = field;
		const entered = this.parameters[property.name];
		if (isExpression(entered)) {
			if (isBlank(value)) this.add(property.displayName);
			else if (property.type === 'json') this.noteJson(property.displayName, value);
		}
		if (!isObject(entered) || !isObject(value)) return;
		const entries =
			field === optionsField ? this.options.map((option) => option.property) : property.options;
		for (const entry of entries ?? []) {
			if ('type' in entry && isExpression(entered[entry.name]) && isBlank(value[entry.name]))
				this.add(entry.displayName);
		}
		if (Array.isArray(entered.values) && Array.isArray(value.values)) {
			this.noteRows(property.displayName, entered.values, value.values);
		}
	}

	private noteJson(displayName: string, value: unknown): void {
		const read = readJson(value);
		if (!('value' in read) || !isObject(read.value)) return;
		for (const [name, part] of Object.entries(read.value)) {
			if (isBlank(part)) this.add(`${displayName} "${name}"`);
		}
	}

	private noteRows(
		displayName: string,
		entered: readonly unknown[],
		values: readonly unknown[],
	): void {
		for (const [index, row] of entered.entries()) {
			const value = values[index];
			if (!isObject(row) || !isObject(value)) continue;
			const isBlankCell = (name: string): boolean =>
				isExpression(row[name]) && isBlank(value[name]);
			const entry = toPlainText(value.name) || String(index + 1);
			if (Object.keys(row).some(isBlankCell)) this.add(`${displayName} "${entry}"`);
		}
	}

	private add(name: string): void {
		const rows = this.rows.get(name);
		if (rows) rows.push(this.row);
		else this.rows.set(name, [this.row]);
	}
}
