import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export const BENCH_PACKAGE = 'n8n-nodes-assistant-service-bench';

const SOURCES = path.join(__dirname, 'nodes');

/** Compiles the nodes of the benchmark into a user folder, as a community package without credentials. */
export function installBenchNodes(userFolder: string): void {
	const folder = path.join(userFolder, '.n8n', 'nodes', 'node_modules', BENCH_PACKAGE);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const names = readdirSync(SOURCES).map((file) => path.basename(file, '.ts'));
	const nodes = names.filter((name) => name.endsWith('.node')).map((name) => `${name}.js`);
	const n8n = { n8nNodesApiVersion: 1, nodes, credentials: [] };
	const description = { name: BENCH_PACKAGE, version: '0.0.0', private: true, n8n };
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify(description));
	const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	for (const name of names) {
		const source = readFileSync(path.join(SOURCES, `${name}.ts`), 'utf8');
		const { outputText } = ts.transpileModule(source, { compilerOptions });
		writeFileSync(path.join(folder, `${name}.js`), outputText);
	}
}
