import type { INode } from 'n8n-workflow';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { startSimulator } from '../../test/simulator/simulator';
import { startN8n } from '../n8n';
import { freePort } from '../processes';
import { N8nClient } from '../rest';
import { say } from '../say';
import { apiCredentialData, OWNER } from '../setup';
import type { Started } from '../started';
import { node } from '../workflows';

/** Of every n8n of a benchmark. */
export const USER_FOLDER = path.join(__dirname, '..', '.state', 'bench');
const EXTENSIONS = path.join(USER_FOLDER, 'extensions');
const CLOCK = 'BenchClock.node';

/** Compiles the node of the benchmark to where n8n looks for nodes of its own. */
function installClock(): void {
	mkdirSync(EXTENSIONS, { recursive: true });
	const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	const source = readFileSync(path.join(__dirname, `${CLOCK}.ts`), 'utf8');
	const { outputText } = ts.transpileModule(source, { compilerOptions });
	writeFileSync(path.join(EXTENSIONS, `${CLOCK}.js`), outputText);
}

/** The node of the benchmark that measures, see BenchClock. */
export const clock = (step?: 'begin' | 'seen' | 'end'): INode =>
	node('CUSTOM.benchClock', step ?? 'Clock', step === undefined ? {} : { step });

export type Rig = Awaited<ReturnType<typeof openRig>>;

/**
 * The n8n and the service that all runners of a study share. The service is in this process, so that it takes no time from
 * that of n8n.
 */
export async function openRig(started: Started, settings: Readonly<Record<string, string>> = {}) {
	installClock();
	const simulator = started.add(await startSimulator());
	const options = { settings: { N8N_CUSTOM_EXTENSIONS: EXTENSIONS, ...settings } };
	const n8n = started.add(await startN8n(USER_FOLDER, await freePort(), options));
	say('n8n is starting');
	await n8n.ready();
	const client = await N8nClient.signIn(n8n.baseUrl, OWNER);
	const data = apiCredentialData(simulator);
	const assistantServiceApi = await client.saveCredential('assistantServiceApi', 'Bench', data);
	return { client, simulator, n8n, credentials: { assistantServiceApi } };
}
