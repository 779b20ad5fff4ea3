import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export const BENCH_PACKAGE = 'n8n-nodes-assistant-service-bench';

/** This package as it was at an earlier commit. */
export const EARLIER_PACKAGE = 'n8n-nodes-assistant-service-earlier';

const SOURCES = path.join(__dirname, 'nodes');

/** Compiles the nodes of the benchmark into a user folder, where n8n looks for community packages. */
export function installBenchNodes(userFolder: string): void {
	const target = path.join(userFolder, '.n8n', 'nodes', 'node_modules', BENCH_PACKAGE);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	const names = readdirSync(SOURCES).map((file) => path.basename(file, '.ts'));
	for (const name of names) {
		const { outputText } = ts.transpileModule(
			readFileSync(path.join(SOURCES, `${name}.ts`), 'utf8'),
			{ compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } },
		);
		writeFileSync(path.join(target, `${name}.js`), outputText);
	}
	const nodes = names.filter((name) => name.endsWith('.node')).map((name) => `${name}.js`);
	describePackage(target, BENCH_PACKAGE, nodes);
}

/** Tells n8n what is in the folder of a package: these files of nodes, and no credentials. */
export function describePackage(folder: string, name: string, nodes: readonly string[]): void {
	const description = { name, version: '0.0.0', private: true };
	const n8n = { n8nNodesApiVersion: 1, nodes, credentials: [] };
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...description, n8n }));
}
