import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import packageJson from '../package.json';
import { ROOT } from './repository';

const folder = mkdtempSync(path.join(tmpdir(), 'released-'));

afterAll(() => {
	rmSync(folder, { recursive: true });
});

interface Scan {
	readonly files: string[];
	/** Errors and warnings. */
	readonly problems: string[];
}

describe("n8n's scanner, of what is to be published", () => {
	let report: Record<'sources' | 'archive', Scan>;

	beforeAll(() => {
		const target = ['--pack-destination', folder];
		execFileSync('npm', ['pack', '--ignore-scripts', '--silent', ...target], { cwd: ROOT });
		const archive = path.join(folder, `${packageJson.name}-${packageJson.version}.tgz`);
		execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
		const output = execFileSync(process.execPath, [path.join(__dirname, 'scan.mjs'), folder], {
			cwd: ROOT,
			encoding: 'utf8',
			// While NODE_ENV is "test", the rules look at files that they are not for.
			env: { ...process.env, NODE_ENV: 'production' },
		});
		report = JSON.parse(output) as typeof report;
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
});
