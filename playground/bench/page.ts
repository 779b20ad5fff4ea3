import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

export const DOCS = path.join(__dirname, '..', '..', 'docs');
const PAGES = {
	targets: path.join(DOCS, 'performance.md'),
	figures: path.join(DOCS, 'figures.md'),
};

/** The parts of the pages that are measured; the text around them is written by hand. */
export type Part = 'measured' | 'bursts measured' | 'aged measured' | 'trigger measured';

/** What was measured, as Markdown: what was promised beside what came out, and all figures. */
export interface Report {
	targets: string;
	figures: string;
}

/** When and on what it was measured. */
export function measuredOn(): string {
	const processor = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
	return `Measured on ${new Date().toISOString().slice(0, 10)} on ${processor}.`;
}

/** The whole report, for the terminal. */
export const reportText = ({ targets, figures }: Report): string => `\n${targets}\n\n${figures}\n`;

/** Puts the report between the marks of its part of both pages, and leaves the rest as it is. */
export async function writePart(part: Part, report: Report): Promise<void> {
	await writeBetweenMarks(PAGES.targets, part, report.targets);
	await writeBetweenMarks(PAGES.figures, part, report.figures);
}

async function writeBetweenMarks(file: string, part: Part, markdown: string): Promise<void> {
	const page = readFileSync(file, 'utf8');
	const [start, end] = [`<!-- ${part}: start -->`, `<!-- ${part}: end -->`];
	const [from, to] = [page.indexOf(start), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`${file} has no part "${part}"`);
	const text = `${page.slice(0, from)}${start}\n\n${markdown}\n\n${page.slice(to)}`;
	const options = { ...(await resolveConfig(file)), filepath: file };
	writeFileSync(file, await format(text, options));
}
