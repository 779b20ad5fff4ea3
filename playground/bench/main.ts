import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startN8n } from '../n8n';
import { freePort } from '../processes';
import { N8nClient } from '../rest';
import { OWNER } from '../setup';
import { Bench, type Measurement } from './measure';
import { installBenchNodes } from './package';
import { report, writePage } from './page';
import { FULL_SCENARIOS, PROFILED, QUICK_SCENARIOS, SCENARIOS } from './scenarios';
import { startService } from './service';

const USER_FOLDER = path.join(__dirname, '..', '.state', 'bench');
/** Every figure of every round, for whoever wants to look closer. */
const RESULTS = path.join(USER_FOLDER, 'results.json');

const startedAt = Number(process.env.PLAYGROUND_STARTED_AT ?? Date.now());
const toStop: (() => Promise<void>)[] = [];
let stopping: Promise<void> | undefined;

function say(line: string): void {
	const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
	console.log(`[${seconds}s] ${line}`);
}

/** Stops everything that was started, last first and only once. */
async function stopAll(): Promise<void> {
	stopping ??= (async () => {
		for (const stop of toStop.reverse()) await stop();
	})();
	await stopping;
}

async function openBench(): Promise<Bench> {
	rmSync(USER_FOLDER, { recursive: true, force: true });
	mkdirSync(USER_FOLDER, { recursive: true });
	const service = await startService();
	toStop.push(service.stop);
	installBenchNodes(USER_FOLDER);
	const n8n = await startN8n(USER_FOLDER, await freePort());
	toStop.push(n8n.stop);
	say('n8n is starting');
	await n8n.ready();
	const client = await N8nClient.signIn(n8n.baseUrl, OWNER);
	const { baseUrl, apiKey, workspaceId } = service;
	const values = { baseUrl, apiKey, workspaceId };
	const credential = await client.saveCredential('assistantServiceApi', 'Bench', values);
	return new Bench(client, service, credential, n8n.ready, say);
}

async function measureAll(bench: Bench, mode: string): Promise<void> {
	const scenarios = { '--quick': QUICK_SCENARIOS, '--full': FULL_SCENARIOS }[mode] ?? SCENARIOS;
	for (const { runners, fields } of scenarios) {
		for (const runner of runners) await bench.prepare(runner, fields);
	}
	const measurements: Measurement[] = [];
	for (const scenario of scenarios) {
		measurements.push(await bench.measure(scenario));
		writeFileSync(RESULTS, JSON.stringify(measurements, null, '\t'));
	}
	const markdown = report(measurements);
	console.log(`\n${markdown}\n`);
	if (mode !== '--quick') await writePage(measurements, markdown);
}

/** One run of each runner under V8's profiler; the files open in the developer tools of a browser. */
async function profileAll(bench: Bench): Promise<void> {
	for (const runner of PROFILED.runners) {
		const file = path.join(USER_FOLDER, `${runner}.cpuprofile`);
		await bench.prepare(runner, PROFILED.fields);
		await bench.run(PROFILED, runner, file);
		say(path.relative('.', file));
	}
}

async function run([mode = '']: string[]): Promise<void> {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void stopAll().then(() => process.exit(1)));
	}
	let code = 0;
	try {
		const bench = await openBench();
		if (mode === '--profile') await profileAll(bench);
		else await measureAll(bench, mode);
	} catch (error) {
		// Once it is being stopped, nothing that fails is worth a word.
		if (!stopping) console.error(error);
		code = 1;
	}
	// A signal decides itself when to exit.
	if (stopping) return;
	await stopAll();
	process.exit(code);
}

void run(process.argv.slice(2));
