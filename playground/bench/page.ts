import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

export const DOCS = path.join(__dirname, '..', '..', 'docs');
const PAGE = path.join(DOCS, 'performance.md');

/** The parts of the page that are measured; the text around them is written by hand. */
export type Part = 'measured' | 'bursts measured' | 'trigger measured';

/** When and on what it was measured. */
export function measuredOn(): string {
	const processor = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
	return `Measured on ${new Date().toISOString().slice(0, 10)} on ${processor}.`;
}

/** Puts what was measured between the marks of its part of the page, and leaves the rest as it is. */
export async function writePart(part: Part, markdown: string): Promise<void> {
	const page = readFileSync(PAGE, 'utf8');
	const [start, end] = [`<!-- ${part}: start -->`, `<!-- ${part}: end -->`];
	const [from, to] = [page.indexOf(start), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`${PAGE} has no part "${part}"`);
	const text = `${page.slice(0, from)}${start}\n\n${markdown}\n\n${page.slice(to)}`;
	const options = { ...(await resolveConfig(PAGE)), filepath: PAGE };
	writeFileSync(PAGE, await format(text, options));
}
