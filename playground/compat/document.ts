import type { OwnWorld } from '../e2e/ownWorld';

/** One thing that is looked at in every version: a row of the table. */
export interface Check {
	title: string;
	/** What releases before this one cannot do; the node allows for it, so the check passes there. */
	limit?: { before: string; text: string };
	/** Throws if the version fails. */
	run: (world: OwnWorld) => Promise<void>;
}

/** What became of the checks of one version, by their titles. */
interface Seen {
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
export function compatibilityPage(
	checks: readonly Check[],
	seen: readonly Seen[],
): string | undefined {
	if (seen.some(({ passed }) => checks.some(({ title }) => !passed.has(title)))) return undefined;
	const limits: string[] = [];
	const cells = ({ title, limit }: Check): string[] => {
		const isLimited = ({ version }: Seen) => limit && compareVersions(version, limit.before) < 0;
		if (limit && seen.some(isLimited))
			limits.push(`${limits.length + 1}. Before n8n ${limit.before}: ${limit.text}`);
		return seen.map((one) => {
			if (one.passed.get(title) !== true) return '**failed**';
			return isLimited(one) ? `ok, with limit ${limits.length}` : 'ok';
		});
	};
	const table = [
		['', ...seen.map(({ version }) => version)],
		['---', ...seen.map(() => '---')],
		...checks.map((check) => [check.title, ...cells(check)]),
	].map((row) => `| ${row.join(' | ')} |`);
	const notes = limits.length === 0 ? [] : ['Limits:', limits.join('\n')];
	const untried = seen.map(({ version }) => newer(version)).slice(-1);
	return `${[INTRODUCTION, table.join('\n'), ...notes, ...untried, HOW].join('\n\n')}\n`;
}
