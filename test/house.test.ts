import path from 'node:path';

import { filesIn, groupsIn, read } from './repository';

/** The sources of what is published, by their paths from the root. */
const SOURCES = ['credentials', 'nodes'].flatMap((folder) => filesIn(folder, '.ts'));

const MOST_LINES = 11_650;

const LONGEST = 250;

const linesOf = (file: string): number => read(file).trimEnd().split('\n').length;

test(`all sources have at most ${MOST_LINES} lines`, () => {
	const lines = SOURCES.map(linesOf).reduce((sum, length) => sum + length, 0);

	expect(lines).toBeGreaterThan(0);
	expect(lines).toBeLessThanOrEqual(MOST_LINES);
});

test(`no file has more than ${LONGEST} lines`, () => {
	expect(SOURCES.filter((file) => linesOf(file) > LONGEST)).toEqual([]);
});

/** The sources that one imports, in any way, for values or types; what is none of them as it is written. */
const importsOf = (file: string): string[] =>
	Array.from(read(file).matchAll(/(?<=from |import |import\()'(\.[^']*)'/g), ([, target = '']) => {
		const module = path.join(path.dirname(file), target);
		const candidates = [`${module}.ts`, path.join(module, 'index.ts')];
		return candidates.find((candidate) => SOURCES.includes(candidate)) ?? module;
	});

/** The first way along the imports that comes back to where it was, or nothing; `left` has been looked through. */
function findCycle(file: string, way: readonly string[], left: Set<string>): string[] {
	if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
	if (left.has(file)) return [];
	const cycles = importsOf(file).map((target) => findCycle(target, [...way, file], left));
	left.add(file);
	return cycles.find((cycle) => cycle.length > 0) ?? [];
}

test('no file imports itself by way of others', () => {
	const left = new Set<string>();

	const imported = SOURCES.flatMap(importsOf);

	expect(imported.length).toBeGreaterThan(500);
	expect(imported.filter((target) => !SOURCES.includes(target))).toEqual([]);
	expect(SOURCES.map((file) => findCycle(file, [], left)).filter(({ length }) => length)).toEqual(
		[],
	);
});

test('every folder of the shared code has its place among the layers', () => {
	const layers = groupsIn(read('eslint.config.mjs'), /^\t'(\w+)',$/gm).flat();
	const folders = groupsIn(SOURCES.join('\n'), /^nodes\/shared\/(\w+)\//gm).flat();

	expect([...layers].sort()).toEqual([...new Set(folders)].sort());
});
