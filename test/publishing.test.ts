import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

import packageJson from '../package.json';

const root = path.resolve(__dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Step {
	readonly run?: string;
	readonly uses?: string;
}

interface Job {
	readonly permissions?: Record<string, string>;
	readonly strategy?: { readonly matrix: { readonly node: string[] } };
	readonly steps: Step[];
}

const jobsOf = (workflow: string): Record<string, Job> =>
	(parse(read(`.github/workflows/${workflow}.yml`)) as { jobs: Record<string, Job> }).jobs;

const commandsOf = (job?: Job): string[] => job?.steps.flatMap(({ run }) => run ?? []) ?? [];

interface Line {
	readonly file: string;
	readonly line: string;
}

/** The lines that the script sets. */
function linesToSet(): Line[] {
	const url = pathToFileURL(path.join(root, '.github', 'publisher-lines.mjs')).href;
	const code = `import { LINES } from '${url}'; console.log(JSON.stringify(LINES));`;
	const said = execFileSync(process.execPath, ['--input-type=module', '-e', code]);
	return JSON.parse(said.toString()) as Line[];
}

const LINES = linesToSet();
const FILES = [...new Set(LINES.map(({ file }) => file))].sort();

describe('the lines that a publisher sets', () => {
	test('are those of the page', () => {
		const rows = Array.from(
			read('docs/contributing/releasing.md').matchAll(/^\| `([\w./-]+)` +\| `?(.+?)`? +\|/gm),
			([, file = '', line = '']) => `${file}: ${line}`,
		);

		expect(rows).toEqual(LINES.map(({ file, line }) => `${file}: ${line}`));
	});

	test('are all places of the package that stand for a publisher', () => {
		const shipped = ['nodes', 'credentials', 'examples', 'icons'].flatMap((folder) =>
			readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name))),
		);
		const others = [...shipped, 'README.md', 'SECURITY.md', 'CHANGELOG.md'].filter(
			(file) => !FILES.includes(file),
		);

		const standIn = /owner_not_set|docs\.n8n\.io\/integrations\/community-nodes|node maintainers/;
		expect(others.length).toBeGreaterThan(20);
		expect(others.filter((file) => standIn.test(read(file)))).toEqual([]);
	});

	test('name one repository and one author', () => {
		const { repository, bugs, homepage, author } = packageJson;
		const [, address = ''] =
			/^git\+(https:\/\/github\.com\/[^/]+\/[^/]+)\.git$/.exec(repository.url) ?? [];

		expect(bugs.url).toBe(`${address}/issues`);
		expect(homepage).toBe(`${address}#readme`);
		expect(read('LICENSE.md')).toContain(author.name);
	});
});

describe('a release', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'release-'));

	/** Runs a script of the project in the copy. */
	const run = (script: string, ...args: string[]) =>
		spawnSync(process.execPath, [path.join(root, '.github', script), ...args], {
			cwd: folder,
			encoding: 'utf8',
			env: { ...process.env, GITHUB_REF_NAME: TAG, GITHUB_REPOSITORY: REPOSITORY },
		});

	const change = (file: string, from: string | RegExp, to: string): void => {
		const target = path.join(folder, file);
		const text = readFileSync(target, 'utf8');
		expect(text.search(from)).toBeGreaterThanOrEqual(0);
		writeFileSync(target, text.replace(from, to));
	};

	const REPOSITORY = 'somebody/nodes';
	const PUBLISHER = [REPOSITORY, "Some 'Body'", 'somebody@mail.test'];
	const TAG = `v${packageJson.version}`;

	beforeEach(() => {
		for (const file of [...FILES, 'package-lock.json', 'CHANGELOG.md']) {
			cpSync(path.join(root, file), path.join(folder, file));
		}
		change('CHANGELOG.md', /^## (\S+) - .+$/m, '## $1 - 2026-01-31');
	});

	afterAll(() => {
		rmSync(folder, { recursive: true });
	});

	test('goes out with all lines set, and setting them again changes nothing', () => {
		expect(run('set-publisher.mjs', '.', ...PUBLISHER)).toMatchObject({ status: 0, stderr: '' });
		const texts = () => FILES.map((file) => readFileSync(path.join(folder, file), 'utf8'));
		const once = texts();
		run('set-publisher.mjs', '.', ...PUBLISHER);

		expect(texts()).toEqual(once);
		expect(once.join()).not.toMatch(/owner_not_set|integrations\/community-nodes/);
		expect(run('check-release.mjs')).toMatchObject({ status: 0, stderr: '' });
		expect(run('check-release.mjs', '--before-tag')).toMatchObject({ status: 0, stderr: '' });
	});

	const BY_NAME = `${packageJson.name}@${packageJson.version}`;
	const BY_ARCHIVE = `./${packageJson.name}-${packageJson.version}.tgz`;
	const WRONG: [file: string, right: string, wrong: string, reason: string][] = [
		['package.json', 'somebody@mail.test', 'a@b.example', "a@b.example is nobody's address"],
		['package.json', "Some 'Body'", 'Assistant Service node maintainers', "is nobody's name"],
		['package.json', 'nodes.git', 'others.git', '"repository" is git+https://'],
		['LICENSE.md', 'Some', 'Any', 'not set: LICENSE.md: Copyright'],
		['docs/queue-mode.md', BY_NAME, BY_ARCHIVE, 'not set: docs/queue-mode.md: npm install'],
		['examples/queue-mode/Dockerfile', BY_NAME, `${packageJson.name}@0.0.0`, 'does not install'],
		['package-lock.json', packageJson.version, '0.0.0', 'package-lock.json is not of'],
		['CHANGELOG.md', '2026-01-31', 'unreleased', 'CHANGELOG.md has no date'],
	];

	test.each(WRONG)('is stopped if %s has not %s, but %s', (file, right, wrong, reason) => {
		run('set-publisher.mjs', '.', ...PUBLISHER);
		change(file, right, wrong);
		const { status, stderr } = run('check-release.mjs');

		expect(status).toBe(1);
		expect(stderr).toContain(reason);
	});

	test('is stopped with the tag of another version', () => {
		run('set-publisher.mjs', '.', ...PUBLISHER);
		const { status, stderr } = run('check-release.mjs');
		change('package.json', `"version": "${packageJson.version}"`, '"version": "9.9.9"');

		expect([status, stderr]).toEqual([0, '']);
		expect(run('check-release.mjs').stderr).toContain(`the tag ${TAG} is not v9.9.9`);
	});

	test.each([
		[['owner_not_set/nodes', 'Somebody', 'somebody@mail.test'], 'is not owner/name on GitHub'],
		[['somebody', 'Somebody', 'somebody@mail.test'], 'is not owner/name on GitHub'],
		[['somebody/nodes', ' ', 'somebody@mail.test'], 'is not the name of an author'],
		[['somebody/nodes', 'Somebody', 'somebody'], 'is not an e-mail address'],
		[['somebody/nodes', 'Somebody', 'somebody@mail.example'], "is nobody's address"],
		[[], 'set-publisher.mjs <folder> <owner>/<repository> <name> <email>'],
	])('is not made for the publisher %j', (publisher, reason) => {
		const { status, stderr } = run('set-publisher.mjs', '.', ...publisher);

		expect(status).toBe(1);
		expect(stderr).toContain(reason);
		expect(
			FILES.filter((file) => readFileSync(path.join(folder, file), 'utf8') !== read(file)),
		).toEqual([]);
	});

	test('is tested and published with its provenance', () => {
		const { publish } = jobsOf('publish');
		const [check, tests, publication = '', ...others] = commandsOf(publish).slice(1);

		expect(publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
		expect([check, tests, ...others]).toEqual(['node .github/check-release.mjs', 'npm test']);
		expect(publication).toMatch(/^npm publish --provenance --access public$/m);
	});
});

test.each(['ci', 'publish'])('the actions of %s.yml are pinned by their hash', (workflow) => {
	const used = read(`.github/workflows/${workflow}.yml`).match(/uses: .*/g) ?? [];

	expect(used.length).toBeGreaterThan(1);
	expect(used.filter((one) => !/^uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(one))).toEqual(
		[],
	);
});

test('every change is tested on the releases of Node.js that n8n runs on', () => {
	const { test: unit, gate } = jobsOf('ci');

	expect(unit?.strategy?.matrix.node).toEqual(['20', '22', '24']);
	expect(commandsOf(unit)).toEqual(['npm ci', 'npm test']);
	expect(commandsOf(gate).join()).toContain('.ci/run');
});
