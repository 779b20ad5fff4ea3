/** What is promised, what was measured, and whether that keeps the promise. */
export interface Target {
	promise: string;
	measured: string;
	isMet: boolean;
}

/** A number with its thousands apart. */
export const count = (value: number): string => value.toLocaleString('en');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table whose first column holds names, and the others figures. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
	return [
		row(columns),
		row(columns.map((_, index) => (index === 0 ? '---' : '---:'))),
		...rows.map(row),
	].join('\n');
}

/** The promises, each with what was measured. */
export function targetTable(targets: readonly Target[]): string {
	return [
		row(['Target', 'Measured', 'Met']),
		row(['---', '---', '---']),
		...targets.map(({ promise, measured, isMet }) =>
			row([promise, measured, isMet ? 'yes' : '**no**']),
		),
	].join('\n');
}
