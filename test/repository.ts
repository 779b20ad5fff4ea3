import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '..');

export const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** The files below a folder whose names end like this, by their paths from the root. */
export const filesIn = (folder: string, ending = ''): string[] =>
	readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith(ending))
		.map(({ parentPath, name }) => path.relative(ROOT, path.join(parentPath, name)));

/** The groups of all matches in a text; those that matched nothing are empty. */
export const groupsIn = (text: string, pattern: RegExp): string[][] =>
	Array.from(text.matchAll(pattern), ([, ...groups]: (string | undefined)[]) =>
		groups.map((group = '') => group),
	);
