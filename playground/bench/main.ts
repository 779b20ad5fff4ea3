import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Bench, type Measurement } from './measure';
import { report, writePage } from './report';
import { FULL_SCENARIOS, PROFILED, QUICK_SCENARIOS, SCENARIOS } from './scenarios';
import { startService } from './service';
import { Session } from './session';

const USER_FOLDER = path.join(__dirname, '..', '.state', 'bench');
/** Every figure of every round, for whoever wants to look closer. */
const RESULTS = path.join(USER_FOLDER, 'results.json');

async function openBench(session: Session): Promise<Bench> {
	const service = await startService();
	session.onStop(service.stop);
	const { client, n8n } = await session.open();
	const { baseUrl, apiKey, workspaceId } = service;
	const values = { baseUrl, apiKey, workspaceId };
	const credential = await client.saveCredential('assistantServiceApi', 'Bench', values);
	return new Bench(client, service, credential, n8n.ready, session.say);
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
async function profileAll(bench: Bench, say: (line: string) => void): Promise<void> {
	for (const runner of PROFILED.runners) {
		const file = path.join(USER_FOLDER, `${runner}.cpuprofile`);
		await bench.prepare(runner, PROFILED.fields);
		await bench.run(PROFILED, runner, file);
		say(path.relative('.', file));
	}
}

const [mode = ''] = process.argv.slice(2);

void Session.run(USER_FOLDER, async (session) => {
	const bench = await openBench(session);
	if (mode === '--profile') await profileAll(bench, session.say);
	else await measureAll(bench, mode);
});
