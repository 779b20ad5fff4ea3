import type { OwnWorld } from '../e2e/ownWorld';

/** What some releases of n8n cannot do; the node allows for it, so the check passes there. */
export interface Limit {
	/** The first release without it. */
	before: string;
	text: string;
}

/** One thing that is looked at in every version. */
interface Row {
	title: string;
	limit?: Limit;
}

/** A row of the table, and how it is found out. */
export interface Check extends Row {
	/** Throws if the version fails. */
	run: (world: OwnWorld) => Promise<void>;
}

/** What became of the checks of one version, by their titles. */
export interface Seen {
	version: string;
	passed: ReadonlyMap<string, boolean>;
}

const INTRODUCTION = `# Compatibility

\`npm run test:compat\` writes this page. It installs the packed package in each of these releases of n8n, with a fresh database, and
tries the nodes against the simulated service.`;

/** What is known of the releases after the newest one of the table. */
const newer = (
	newest: string,
): string => `Releases after ${newest} were not tried. When a worker dies, its execution ends as
\`crashed\` from n8n 2.42 on, before as \`error\`. [Install](../install.md) says what n8n 3 needs.`;

const HOW = `## Run it yourself

The first run takes 3 to 6 minutes and about 2 GB for each release, later runs about two minutes. To add a release,
add a folder to \`playground/versions\` with a \`package.json\` and its lockfile.`;

/** Compares two versions by their numbers, the older one first. */
export const compareVersions = (one: string, other: string): number =>
	one.localeCompare(other, 'en', { numeric: true });

/**
 * The page with a table of checks and versions.
 *
 * @returns `undefined` unless every check was tried in every version
 */
export function compatibilityPage(rows: readonly Row[], seen: readonly Seen[]): string | undefined {
	if (seen.some(({ passed }) => rows.some(({ title }) => !passed.has(title)))) return undefined;
	const limited = rows.filter((row) => seen.some((one) => isLimited(row, one)));
	const cell = (row: Row, one: Seen): string => {
		if (one.passed.get(row.title) !== true) return '**failed**';
		return isLimited(row, one) ? `ok, with limit ${limited.indexOf(row) + 1}` : 'ok';
	};
	const table = [
		['', ...seen.map(({ version }) => version)],
		['---', ...seen.map(() => '---')],
		...rows.map((row) => [row.title, ...seen.map((one) => cell(row, one))]),
	].map((cells) => `| ${cells.join(' | ')} |`);
	const limits = limited.flatMap(({ limit }, index) =>
		limit ? [`${index + 1}. Before n8n ${limit.before}: ${limit.text}`] : [],
	);
	const notes = limits.length === 0 ? [] : ['Limits:', limits.join('\n')];
	const untried = seen.map(({ version }) => newer(version)).slice(-1);
	return `${[INTRODUCTION, table.join('\n'), ...notes, ...untried, HOW].join('\n\n')}\n`;
}

const isLimited = ({ title, limit }: Row, { version, passed }: Seen): boolean =>
	passed.get(title) === true && limit !== undefined && compareVersions(version, limit.before) < 0;
