import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

describe('the lines that a publisher sets', () => {
	const page = read('docs/publishing.md');
	const listed = Array.from(page.matchAll(/^\| `([\w./]+)`/gm), ([, file = '']) => file);

	test('are in files that exist', () => {
		expect(listed.length).toBeGreaterThan(5);
		expect(listed.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
	});

	test('are all listed', () => {
		const pattern = 'owner_not_set|docs.n8n.io/integrations/community-nodes';
		const shipped = ['package.json', 'README.md', 'LICENSE.md', 'nodes', 'credentials', 'examples'];
		const found = execFileSync('grep', ['-rlE', pattern, ...shipped], {
			cwd: root,
			encoding: 'utf8',
		});

		expect(found.trim().split('\n').sort()).toEqual(
			[...new Set(listed)].filter((file) => !/^(?:README|LICENSE)\.md$/.test(file)).sort(),
		);
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

	afterAll(() => {
		rmSync(folder, { recursive: true });
	});

	/** What the check of a release says of a package with these lines, for the repository somebody/nodes. */
	function check(changes: object, tag: string): { status: number | null; stderr: string } {
		writeFileSync(
			path.join(folder, 'package.json'),
			JSON.stringify({ ...packageJson, version: '1.2.3', ...changes }),
		);
		return spawnSync(process.execPath, [path.join(root, '.github', 'check-release.mjs')], {
			cwd: folder,
			encoding: 'utf8',
			env: { ...process.env, GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: 'somebody/nodes' },
		});
	}

	const published = {
		repository: { url: 'git+https://github.com/somebody/nodes.git' },
		author: { name: 'Somebody', email: 'somebody@mail.test' },
	};

	test('goes out with the lines set and the tag of its version', () => {
		expect(check(published, 'v1.2.3')).toMatchObject({ status: 0, stderr: '' });
	});

	test.each([
		['the tag of another version', published, 'v1.2.4', /v1\.2\.4 is not v1\.2\.3/],
		[
			'the repository of another',
			{ ...published, repository: packageJson.repository },
			'v1.2.3',
			/"repository"/,
		],
		['no author', { ...published, author: packageJson.author }, 'v1.2.3', /"author"/],
	])('is stopped with %s', (_, changes, tag, reason) => {
		const { status, stderr } = check(changes, tag);

		expect(status).toBe(1);
		expect(stderr).toMatch(reason);
	});

	test('is tested and published with its provenance', () => {
		const { publish } = jobsOf('publish');
		const [check, tests, publication = '', ...others] = commandsOf(publish).slice(1);

		expect(publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
		expect([check, tests, ...others]).toEqual(['node .github/check-release.mjs', 'npm test']);
		expect(publication).toMatch(/^npm publish --provenance --access public$/m);
	});
});

test('every change is tested on the releases of Node.js that n8n runs on', () => {
	const { test: unit, gate } = jobsOf('ci');

	expect(unit?.strategy?.matrix.node).toEqual(['20', '22', '24']);
	expect(commandsOf(unit)).toEqual(['npm ci', 'npm test']);
	expect(commandsOf(gate).join()).toContain('.ci/run');
});
