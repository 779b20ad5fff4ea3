// What `npm test` does; plain JavaScript, since nothing may be installed yet.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem, ensureInstalled, runQuietly, say } from '../playground/install.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function runJest(args) {
	const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const folder = path.join(root, '.build');
	mkdirSync(folder, { recursive: true });
	const results = ['--json', `--outputFile=${path.join(folder, 'unit.json')}`];
	const child = spawn(process.execPath, [jest, ...results, ...args], {
		cwd: root,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	return new Promise((resolve) => {
		child.on('exit', (code) => resolve(code ?? 1));
	});
}

async function runScript(name, ...args) {
	await runQuietly(`npm run ${name}`, 'npm', ['run', name, '--', ...args], { cwd: root });
}

try {
	await ensureInstalled(root, { label: 'the project' });
	// A young generation of this size spares the garbage collector a tenth of the work.
	process.env.NODE_OPTIONS = `--max-semi-space-size=64 ${process.env.NODE_OPTIONS ?? ''}`;
	// The linter checks the types.
	await runScript('build', '--noCheck');
	say('jest');
	const tests = runJest(process.argv.slice(2));
	// What is started from here on gets what the tests leave of the processors, since a busy machine makes these late.
	os.setPriority(os.constants.priority.PRIORITY_LOW);
	await Promise.all([runScript('lint:code'), runScript('lint:format')]);
	process.exitCode = await tests;
} catch (error) {
	console.error(error instanceof Problem ? `\n${error.message}` : error);
	process.exitCode = 1;
}
