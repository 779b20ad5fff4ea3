import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import packageJson from '../package.json';
import { filesIn, groupsIn, read, ROOT } from './repository';

const { version } = packageJson;
const REPOSITORY = 'somebody/nodes';
const PUBLISHER = [REPOSITORY, "Some 'Body'", 'somebody@mail.test'];
const folder = mkdtempSync(path.join(tmpdir(), 'release-'));

const PRINT_LINES =
	"import('./.github/publisher-lines.mjs').then(({ LINES }) => console.log(JSON.stringify(LINES)))";
/** The lines that the script sets. */
const LINES = JSON.parse(
	execFileSync(process.execPath, ['-e', PRINT_LINES], { cwd: ROOT, encoding: 'utf8' }),
) as { readonly file: string; readonly line: string }[];
const FILES = [...new Set(LINES.map(({ file }) => file))];

test('the lines that a publisher sets are those of the page', () => {
	const page = read('docs/contributing/releasing.md');
	const rows = groupsIn(page, /^\| `([\w./-]+)` +\| `?(.+?)`? +\|/gm);

	expect(rows).toEqual(LINES.map(({ file, line }) => [file, line]));
});

test('they are all places of the package that stand for a publisher', () => {
	const shipped = ['nodes', 'credentials', 'examples', 'icons'].flatMap((place) => filesIn(place));
	const pages = ['README.md', 'SECURITY.md', 'CHANGELOG.md'];
	const rest = [...shipped, ...pages].filter((file) => !FILES.includes(file));

	const standIn = /owner_not_set|docs\.n8n\.io\/integrations\/community-nodes|node maintainers/;
	expect(rest.length).toBeGreaterThan(20);
	expect(rest.filter((file) => standIn.test(read(file)))).toEqual([]);
});

/** Runs a script of the project in the copy: its status, and what it says of an error. */
function run(script: string, ...args: string[]): [status: number | null, problem: string] {
	const { status, stderr } = spawnSync(process.execPath, [path.join(ROOT, script), ...args], {
		cwd: folder,
		encoding: 'utf8',
		env: { ...process.env, GITHUB_REF_NAME: `v${version}`, GITHUB_REPOSITORY: REPOSITORY },
	});
	return [status, stderr];
}

const textsInCopy = () => FILES.map((file) => readFileSync(path.join(folder, file), 'utf8'));

function change(file: string, from: string | RegExp, to: string): void {
	const target = path.join(folder, file);
	const text = readFileSync(target, 'utf8');
	expect(text.search(from)).toBeGreaterThanOrEqual(0);
	writeFileSync(target, text.replace(from, to));
}

describe('a release', () => {
	beforeEach(() => {
		for (const file of [...FILES, 'package-lock.json', 'CHANGELOG.md'])
			cpSync(path.join(ROOT, file), path.join(folder, file));
		change('CHANGELOG.md', /^## (\S+) - .+$/m, '## $1 - 2026-01-31');
		expect(run('.github/set-publisher.mjs', '.', ...PUBLISHER)).toEqual([0, '']);
	});

	afterAll(() => {
		rmSync(folder, { recursive: true });
	});

	test('goes out with all lines set, and setting them again changes nothing', () => {
		const once = textsInCopy();
		run('.github/set-publisher.mjs', '.', ...PUBLISHER);

		expect(textsInCopy()).toEqual(once);
		expect(once.join()).not.toMatch(/owner_not_set|integrations\/community-nodes/);
		expect(run('.github/check-release.mjs')).toEqual([0, '']);
		expect(run('.github/check-release.mjs', '--before-tag')).toEqual([0, '']);
	});

	const WRONG: [file: string, right: string, wrong: string, reason: string][] = [
		['package.json', `"version": "${version}"`, '"version": "9.9.9"', 'is not v9.9.9'],
		['package.json', 'somebody@mail.test', 'a@b.example', "a@b.example is nobody's address"],
		['package.json', "Some 'Body'", 'Assistant Service node maintainers', "is nobody's name"],
		['package.json', 'nodes.git', 'others.git', '"repository" is git+https://'],
		['LICENSE.md', 'Some', 'Any', 'not set: LICENSE.md: Copyright'],
		['examples/queue-mode/Dockerfile', `@${version}`, '@0.0.0', 'does not install'],
		['package-lock.json', version, '0.0.0', 'package-lock.json is not of'],
		['CHANGELOG.md', '2026-01-31', 'unreleased', 'CHANGELOG.md has no date'],
	];

	test.each(WRONG)('is stopped if %s has not %s, but %s', (file, right, wrong, reason) => {
		change(file, right, wrong);

		expect(run('.github/check-release.mjs')).toEqual([1, expect.stringContaining(reason)]);
	});
});

test('a release is tested and published with its provenance, by these rights and commands', () => {
	const workflow = read('.github/workflows/publish.yml');

	expect(workflow.match(/(?<=^ +(?:- )?)(?:[\w-]+: (?:read|write)|run: .+|npm .+)$/gm)).toEqual([
		...['contents: read', 'contents: read', 'id-token: write', 'run: npm ci'],
		...['run: node .github/check-release.mjs', 'run: npm test', 'run: |'],
		'npm publish --provenance --access public',
	]);
});

test.each(filesIn('.github/workflows'))('the actions of %s are pinned by their hash', (file) => {
	expect(read(file)).toMatch(/uses: /);
	expect(read(file)).not.toMatch(/uses: (?![\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$)/m);
});
