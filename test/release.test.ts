import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import packageJson from '../package.json';

const root = path.resolve(__dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'released-'));
const MODULES = 'node_modules';
const NOT_COPIED = new Set([MODULES, '.git', '.build', '.state', 'dist']);
const PUBLISHER = ['somebody/nodes', "Some 'Body'", 'somebody@mail.test'];
/** What looks at the publisher, at the archive or at a page with a line that was set. */
const CONCERNED = ['test/publishing', 'test/package', 'test/docs'];

const runInCopy = (command: string, ...args: string[]) =>
	spawnSync(command, args, { cwd: folder, encoding: 'utf8' });

/** The repository as docs/contributing/releasing.md leaves it before the tag of a release. */
beforeAll(() => {
	cpSync(root, folder, {
		recursive: true,
		filter: (file) => !NOT_COPIED.has(path.basename(file)),
	});
	symlinkSync(path.join(root, MODULES), path.join(folder, MODULES));
	const script = path.join(root, '.github', 'set-publisher.mjs');
	execFileSync(process.execPath, [script, folder, ...PUBLISHER]);
	const changes = path.join(folder, 'CHANGELOG.md');
	const text = readFileSync(changes, 'utf8');
	writeFileSync(changes, text.replace(/^## (\S+) - .+$/m, '## $1 - 2026-01-31'));
	execFileSync('npm', ['run', 'build', '--', '--noCheck'], { cwd: folder, stdio: 'pipe' });
});

afterAll(() => {
	rmSync(folder, { recursive: true });
});

test('with its lines set, the package passes its own tests', () => {
	const jest = path.join(MODULES, 'jest', 'bin', 'jest.js');
	const { status, stderr } = runInCopy(process.execPath, jest, ...CONCERNED);

	expect(`${status}\n${stderr}`).toMatch(/^0\n/);
	expect(stderr).toMatch(new RegExp(`^Test Suites: ${CONCERNED.length} passed`, 'm'));
});

interface Scan {
	readonly files: string[];
	/** Errors and warnings. */
	readonly problems: string[];
}

interface Report {
	readonly sources: Scan;
	readonly archive: Scan;
	/** The rules that are weaker in our own configuration. */
	readonly weaker: string[];
}

describe("n8n's scanner, of what is to be published", () => {
	let report: Report;

	beforeAll(() => {
		const archive = path.join(folder, '.build', 'package');
		mkdirSync(archive, { recursive: true });
		execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: folder });
		const file = `${packageJson.name}-${packageJson.version}.tgz`;
		execFileSync('tar', ['-xzf', file, '-C', archive, '--strip-components=1'], { cwd: folder });
		const script = path.join('test', 'scan.mjs');
		const output = execFileSync(process.execPath, [script, archive], {
			cwd: folder,
			encoding: 'utf8',
			// While NODE_ENV is "test", the rules look at files that they are not for.
			env: { ...process.env, NODE_ENV: 'production' },
		});
		report = JSON.parse(output) as Report;
	});

	const NODE = 'nodes/AssistantService/AssistantService.node.ts';
	const CREDENTIAL = 'credentials/AssistantServiceApi.credentials.ts';
	test.each([
		['sources', [NODE, CREDENTIAL]],
		['archive', packageJson.n8n.nodes],
	] as const)('has no error and no warning for the %s', (place, files) => {
		const { problems, files: looked } = report[place];

		expect(problems).toEqual([]);
		expect(looked).toEqual(expect.arrayContaining(['package.json', ...files]));
	});

	test('has no rule that is weaker in our own configuration', () => {
		expect(report.weaker).toEqual([]);
	});
});
