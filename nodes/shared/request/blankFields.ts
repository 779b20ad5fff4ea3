import type { Field } from '../declaration/field';
import { isBlank, isObject, toPlainText } from '../values';

const isExpression = (entered: unknown): boolean =>
	typeof entered === 'string' && entered.startsWith('=');

/**
 * Counts the fields that are left out of a request because their expression gives nothing, such as one that names a column
 * which is not there. Of a collection, each of its entries counts by itself.
 */
export class BlankFields {
	private readonly counts = new Map<string, number>();

	/** @param parameters of the node, as they were entered */
	constructor(private readonly parameters: Readonly<Record<string, unknown>>) {}

	/** To be called with the value that n8n gives for a field of an item. */
	note(field: Field, value: unknown): void {
		const { property } = field;
		const entered = this.parameters[property.name];
		if (isExpression(entered) && isBlank(value)) this.add(property.displayName);
		if (!isObject(entered) || !isObject(value)) return;
		for (const option of property.options ?? []) {
			if ('type' in option && isExpression(entered[option.name]) && isBlank(value[option.name]))
				this.add(option.displayName);
		}
		if (Array.isArray(entered.values) && Array.isArray(value.values)) {
			this.noteRows(property.displayName, entered.values, value.values);
		}
	}

	/** "Custom Field 2 is empty in 5 of 5 items.", a sentence for each such field. */
	describe(items: number): string {
		return [...this.counts]
			.map(([name, count]) => `${name} is empty in ${count} of ${items} items.`)
			.join(' ');
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
			if (Object.keys(row).some(isBlankCell)) this.add(`${displayName} ${entry}`);
		}
	}

	private add(name: string): void {
		this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}
}
