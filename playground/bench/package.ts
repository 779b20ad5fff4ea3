import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { startN8n, type N8nOptions } from '../n8n';
import { freePort } from '../processes';
import { N8nClient } from '../rest';
import { say } from '../say';
import { OWNER } from '../setup';
import type { Started } from '../started';

export const BENCH_PACKAGE = 'n8n-nodes-assistant-service-bench';

/** Of every n8n of a benchmark. */
export const USER_FOLDER = path.join(__dirname, '..', '.state', 'bench');
const CLOCK = 'BenchClock.node';

/** Compiles the node of the benchmark into the user folder, as a community package without credentials. */
function installClock(): void {
	const folder = path.join(USER_FOLDER, '.n8n', 'nodes', 'node_modules', BENCH_PACKAGE);
	mkdirSync(folder, { recursive: true });
	const n8n = { n8nNodesApiVersion: 1, nodes: [`${CLOCK}.js`], credentials: [] };
	const description = { name: BENCH_PACKAGE, version: '0.0.0', private: true, n8n };
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify(description));
	const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	const source = readFileSync(path.join(__dirname, `${CLOCK}.ts`), 'utf8');
	const { outputText } = ts.transpileModule(source, { compilerOptions });
	writeFileSync(path.join(folder, `${CLOCK}.js`), outputText);
}

/** Starts an n8n with the node of the benchmark in it, and signs in. */
export async function openN8n(started: Started, settings?: N8nOptions['settings']) {
	installClock();
	const n8n = started.add(await startN8n(USER_FOLDER, await freePort(), { settings }));
	say('n8n is starting');
	await n8n.ready();
	return { client: await N8nClient.signIn(n8n.baseUrl, OWNER), n8n };
}
