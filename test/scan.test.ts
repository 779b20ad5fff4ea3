import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import packageJson from '../package.json';

const root = path.resolve(__dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'scan-'));

interface Scan {
	readonly files: string[];
	/** Errors and warnings. */
	readonly problems: string[];
}

interface Report {
	readonly sources: Scan;
	readonly archive: Scan;
	readonly weaker: string[];
}

/** What n8n's scanner says of the sources and of the archive that would be published. */
function scan(): Report {
	execFileSync('npm', ['pack', '--ignore-scripts', '--silent', root], { cwd: folder });
	const archive = path.join(folder, 'package');
	mkdirSync(archive);
	const file = `${packageJson.name}-${packageJson.version}.tgz`;
	execFileSync('tar', ['-xzf', file, '-C', archive, '--strip-components=1'], { cwd: folder });
	const output = execFileSync(process.execPath, [path.join(__dirname, 'scan.mjs'), archive], {
		encoding: 'utf8',
		// While NODE_ENV is "test", the rules look at files that they are not for.
		env: { ...process.env, NODE_ENV: 'production' },
	});
	return JSON.parse(output) as Report;
}

let report: Report;

beforeAll(() => {
	report = scan();
}, 180_000);

afterAll(() => {
	rmSync(folder, { recursive: true });
});

test("n8n's scanner has no error and no warning for the sources", () => {
	expect(report.sources.problems).toEqual([]);
	expect(report.sources.files).toEqual(
		expect.arrayContaining([
			'package.json',
			'nodes/AssistantService/AssistantService.node.ts',
			'credentials/AssistantServiceApi.credentials.ts',
		]),
	);
});

test("n8n's scanner has no error and no warning for the archive", () => {
	expect(report.archive.problems).toEqual([]);
	expect(report.archive.files).toEqual(
		expect.arrayContaining(['package.json', ...packageJson.n8n.nodes]),
	);
});

test('no rule of the scanner is weaker in our own configuration', () => {
	expect(report.weaker).toEqual([]);
});
