import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { reportText, writePart } from '../page';
import { Session } from '../session';
import {
	ALL_RUNNERS,
	FULL_PARTS,
	PARTS,
	PROFILED,
	QUICK_PARTS,
	WARM_UPS,
	type Part,
} from './cells';
import { eventMaker, withRepeats } from './events';
import { Bench } from './measure';
import { exactnessTargets, report, type MeasuredPart } from './report';

const USER_FOLDER = path.join(__dirname, '..', '..', '.state', 'bench-trigger');
/** Every figure of every round, for whoever wants to look closer. */
const RESULTS = path.join(USER_FOLDER, 'results.json');

async function measurePart(session: Session, part: Part): Promise<MeasuredPart> {
	const { client, n8n } = await session.open({ settings: part.settings });
	const bench = await Bench.prepare(client, part.runners, session.say);
	for (const cell of WARM_UPS) await bench.measure(cell);
	const measured: MeasuredPart = { part, measurements: [] };
	for (const cell of part.cells) measured.measurements.push(await bench.measure(cell));
	if (part.repeats) {
		const { deliveries, share, connections, shape } = part.repeats;
		const events = withRepeats(eventMaker(shape), deliveries, share);
		measured.repeats = await bench.run('trigger', events, connections);
		session.say(`${deliveries} deliveries: ${JSON.stringify(measured.repeats.counts)}`);
	}
	await n8n.stop();
	return measured;
}

async function measureAll(session: Session, mode: string): Promise<void> {
	const parts = { '--quick': QUICK_PARTS, '--full': FULL_PARTS }[mode] ?? PARTS;
	const measured: MeasuredPart[] = [];
	for (const part of parts) {
		measured.push(await measurePart(session, part));
		writeFileSync(RESULTS, JSON.stringify(measured, null, '\t'));
	}
	const result = report(measured);
	console.log(reportText(result));
	if (mode !== '--quick') await writePart('trigger measured', result);
	const missed = exactnessTargets(measured).filter(({ isMet }) => !isMet);
	if (missed.length > 0) throw new Error('An event was lost, doubled or refused');
}

/** One run of each runner under V8's profiler; the files open in the developer tools of a browser. */
async function profileAll(session: Session): Promise<void> {
	const { client } = await session.open();
	const bench = await Bench.prepare(client, ALL_RUNNERS, session.say);
	for (const cell of WARM_UPS) await bench.measure(cell);
	const { deliveries, connections, shape } = PROFILED;
	for (const runner of ALL_RUNNERS) {
		const file = path.join(USER_FOLDER, `${runner}.cpuprofile`);
		const events = Array.from({ length: deliveries }, eventMaker(shape));
		await bench.run(runner, events, connections, file);
		session.say(path.relative('.', file));
	}
}

const [mode = ''] = process.argv.slice(2);

void Session.run(USER_FOLDER, async (session) => {
	if (mode === '--profile') await profileAll(session);
	else await measureAll(session, mode);
});
