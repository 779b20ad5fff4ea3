import type { Field } from '../declaration/field';
import { readJson } from '../declaration/json';
import { optionsField } from '../declaration/options';
import { isBlank, isObject, toPlainText } from '../values';

const isExpression = (entered: unknown): boolean =>
	typeof entered === 'string' && entered.startsWith('=');

/**
 * Counts the fields that are left out of a request because their expression gives nothing, such as one that names a column
 * which is not there. Of a collection, each of its entries counts by itself.
 */
export class BlankFields {
	private readonly counts = new Map<string, number>();

	private items = 0;

	/**
	 * @param parameters of the node, as they were entered
	 * @param options that the operation has
	 */
	constructor(
		private readonly parameters: Readonly<Record<string, unknown>>,
		private readonly options: readonly Field[],
	) {}

	/** To be called for each item that can be sent, with the values that n8n gives for its fields. */
	noteItem(given: ReadonlyMap<Field, unknown>): void {
		this.items++;
		for (const [field, value] of given) this.note(field, value);
	}

	/**
	 * "Custom Field 2 is empty in 5 of 5 items.", a sentence for each such field.
	 *
	 * @param all how many items there are, with those that cannot be sent
	 */
	describe(all: number): string {
		const noun = this.items === 1 ? 'item' : 'items';
		const items = this.items === all ? `${all} ${noun}` : `the ${this.items} valid ${noun}`;
		return [...this.counts]
			.map(([name, count]) => `${name} is empty in ${count} of ${items}.`)
			.join(' ');
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
		this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}
}
