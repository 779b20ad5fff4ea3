import { execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export const BENCH_PACKAGE = 'n8n-nodes-assistant-service-bench';

/** This package as it was at an earlier commit. */
export const EARLIER_PACKAGE = 'n8n-nodes-assistant-service-earlier';

const ROOT = path.join(__dirname, '..', '..');
const SOURCES = path.join(__dirname, 'nodes');

/** Makes a folder where n8n looks for community packages, which says what is in it: these nodes, and no credentials. */
function addPackage(userFolder: string, name: string, nodes: readonly string[]): string {
	const folder = path.join(userFolder, '.n8n', 'nodes', 'node_modules', name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const n8n = { n8nNodesApiVersion: 1, nodes, credentials: [] };
	const description = { name, version: '0.0.0', private: true, n8n };
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify(description));
	return folder;
}

/** Compiles the nodes of the benchmark into a user folder. */
export function installBenchNodes(userFolder: string): void {
	const names = readdirSync(SOURCES).map((file) => path.basename(file, '.ts'));
	const nodes = names.filter((name) => name.endsWith('.node')).map((name) => `${name}.js`);
	const folder = addPackage(userFolder, BENCH_PACKAGE, nodes);
	const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	for (const name of names) {
		const source = readFileSync(path.join(SOURCES, `${name}.ts`), 'utf8');
		const { outputText } = ts.transpileModule(source, { compilerOptions });
		writeFileSync(path.join(folder, `${name}.js`), outputText);
	}
}

/**
 * Builds the package as it was at a commit, and puts its node into a user folder under another name, beside that of
 * today. Both use today's credential.
 *
 * @throws Error if there is no such commit, or if it cannot be built with today's tools
 */
export function installEarlier(userFolder: string, commit: string): void {
	const sources = path.join(userFolder, 'earlier');
	const nodes = ['dist/nodes/AssistantService/AssistantService.node.js'];
	// One that was interrupted has left its worktree in git's list.
	run(ROOT, 'git', 'worktree', 'add', '--force', '--detach', sources, commit);
	try {
		symlinkSync(path.join(ROOT, 'node_modules'), path.join(sources, 'node_modules'));
		run(sources, 'npm', 'run', 'build');
		const folder = addPackage(userFolder, EARLIER_PACKAGE, nodes);
		cpSync(path.join(sources, 'dist'), path.join(folder, 'dist'), { recursive: true });
	} finally {
		run(ROOT, 'git', 'worktree', 'remove', '--force', sources);
	}
}

function run(cwd: string, command: string, ...args: string[]): void {
	const shell = process.platform === 'win32';
	execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], shell });
}
