import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { AgedBench } from './aged/measure';
import { agedReport } from './aged/report';
import { AGED_SCENARIO, QUICK_AGED_SCENARIO } from './aged/scenarios';
import { BurstBench } from './burst/measure';
import { burstReport, type BurstMeasurements } from './burst/report';
import { BURST_SCENARIOS, QUICK_BURST_SCENARIOS } from './burst/scenarios';
import { installEarlier } from './earlier';
import { Bench, type Measurement } from './measure';
import { reportText, writePart } from './page';
import { allFigures, report, writePages } from './report';
import {
	AGAINST_SCENARIOS,
	FULL_SCENARIOS,
	PROFILED,
	QUICK_SCENARIOS,
	SCENARIOS,
	type Scenario,
} from './scenarios';
import { startService } from './service';
import { Session } from './session';

const USER_FOLDER = path.join(__dirname, '..', '.state', 'bench');

interface Benches {
	bench: Bench;
	burstBench: BurstBench;
	agedBench: AgedBench;
}

async function openBenches(session: Session): Promise<Benches> {
	const service = await startService();
	session.onStop(service.stop);
	const { client, n8n } = await session.open();
	const { baseUrl, apiKey, workspaceId } = service;
	const values = { baseUrl, apiKey, workspaceId, mode: 'live' };
	const credential = await client.saveCredential('assistantServiceApi', 'Bench', values);
	const rig = { client, service, credential, untilReady: n8n.ready, say: session.say };
	return {
		bench: new Bench(rig),
		burstBench: new BurstBench(rig),
		agedBench: new AgedBench(rig, n8n.userFolder),
	};
}

async function measureScenarios(
	bench: Bench,
	scenarios: readonly Scenario[],
): Promise<Measurement[]> {
	for (const { runners, fields } of scenarios) {
		for (const runner of runners) await bench.prepare(runner, fields);
	}
	const measurements: Measurement[] = [];
	for (const scenario of scenarios) {
		measurements.push(await bench.measure(scenario));
		keep('results.json', measurements);
	}
	return measurements;
}

async function measureItems(bench: Bench, mode: string): Promise<void> {
	const scenarios = { '--quick': QUICK_SCENARIOS, '--full': FULL_SCENARIOS }[mode] ?? SCENARIOS;
	const measurements = await measureScenarios(bench, scenarios);
	console.log(reportText(report(measurements)));
	if (mode !== '--quick') await writePages(measurements);
}

async function measureBursts(bench: BurstBench, mode: string): Promise<void> {
	const scenarios = mode === '--quick' ? QUICK_BURST_SCENARIOS : BURST_SCENARIOS;
	const measured: BurstMeasurements = { bursts: [], besideLists: [] };
	for (const scenario of scenarios.bursts) {
		measured.bursts.push(await bench.measureBurst(scenario));
		keep('bursts.json', measured);
	}
	for (const scenario of scenarios.besideLists) {
		measured.besideLists.push(await bench.measureBesideList(scenario));
		keep('bursts.json', measured);
	}
	const result = burstReport(measured);
	console.log(reportText(result));
	if (mode !== '--quick') await writePart('bursts measured', result);
}

async function measureAged(bench: AgedBench, mode: string): Promise<void> {
	const measured = await bench.measure(mode === '--quick' ? QUICK_AGED_SCENARIO : AGED_SCENARIO);
	keep('aged.json', measured);
	const result = agedReport(measured);
	console.log(reportText(result));
	if (mode !== '--quick') await writePart('aged measured', result);
}

/** Every figure of every round, for whoever wants to look closer. */
function keep(file: string, results: object): void {
	writeFileSync(path.join(USER_FOLDER, file), JSON.stringify(results, null, '\t'));
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

/** The options that choose one part; without them, all are measured. */
const PARTS = ['--burst', '--aged'];

const [mode = '', commit = ''] = process.argv.slice(2).flatMap((option) => option.split('='));

void Session.run(USER_FOLDER, async (session) => {
	if (mode === '--against') installEarlier(USER_FOLDER, commit);
	const { bench, burstBench, agedBench } = await openBenches(session);
	if (mode === '--against') {
		const measurements = await measureScenarios(bench, AGAINST_SCENARIOS);
		console.log(`\n${allFigures(measurements)}\n`);
		return;
	}
	if (mode === '--profile') {
		await profileAll(bench, session.say);
		return;
	}
	const isAll = !PARTS.includes(mode);
	// The first one: the others teach the node limits, which it knows for a minute.
	if (isAll || mode === '--aged') await measureAged(agedBench, mode);
	if (isAll) await measureItems(bench, mode);
	if (isAll || mode === '--burst') await measureBursts(burstBench, mode);
});
