import axios from 'axios';
import { openBookOf } from '../e2e/contactBook';
import { apiCredentialData } from '../setup';
import { count, ratioOf } from './figures';
import { COLUMNS, perItem, type Sample } from './items';
import { atMost, measureTable, spreadTarget, type Report } from './report';
import type { Rig } from './rig';
import { clock, LIST, nameOf, runnerNode, type RunnerId } from './runners';
import { outcomeOf } from './service';
import { fill } from './wal';
import { behindWebhook, newNumbers, type Ended } from './workflows';

/** How many of the people of a run are held back, and how many are called; by which nodes, the first to compare with. */
interface Scenario {
	heldBack: number;
	called: number;
	runners: readonly RunnerId[];
	rounds: number;
}
const HELD_BACK: Scenario = {
	...{ heldBack: 1_950, called: 50, rounds: 5 },
	runners: ['nodeBook', 'nodeList'],
};
const CALLED: Scenario = {
	...{ heldBack: 0, called: 1_000, rounds: 3 },
	runners: ['node', 'nodeBook'],
};
/** How many rows of other people the contact book has. */
const OTHERS = [0, 100_000];
const RUN_WITHIN_MS = 300_000;

/** Lists with the contact book: nearly everybody is held back, or everybody is called. */
export async function measureLists(rig: Rig, isQuick: boolean): Promise<Report> {
	const { service } = rig;
	const book = await openBookOf(rig, apiCredentialData(service));
	const done = newNumbers(HELD_BACK.heldBack);
	await fill(book, [...done], {
		...{ contactedAt: new Date().toISOString(), list: LIST, reached: 'yes' },
	});
	const urls = new Map<RunnerId, string>();
	const extra = { onError: 'continueRegularOutput' } as const;
	for (const runner of ['node', ...HELD_BACK.runners] as const) {
		const world = runner === 'node' ? rig : book.world;
		const calls = runnerNode(runner, world, '={{ $json.to }}', service.sender, extra);
		const nodes = [clock('begin'), calls, clock('end')];
		urls.set(runner, (await behindWebhook(rig.client, nameOf(runner), nodes, 'lastNode')).url);
	}
	const run = async (runner: RunnerId, { heldBack, called }: Scenario): Promise<Sample> => {
		service.prepare(null);
		await rig.untilReady();
		const people = [...done.slice(0, heldBack), ...newNumbers(called)];
		const options = { proxy: false as const, timeout: RUN_WITHIN_MS };
		const body = { people, ...service.sender };
		const { data } = await axios.post<Ended>(urls.get(runner) ?? '', body, options);
		const outcome = outcomeOf(service.arrivals(), called);
		const peakInFlight = service.peakInFlight();
		return { items: people.length, cost: data.cost, ...outcome, peakInFlight };
	};
	const figures: string[] = [];
	const measure = async (scenario: Scenario, others: number) => {
		const { runners, rounds, heldBack, called } = scenario;
		for (const runner of runners) await run(runner, scenario);
		const table = await measureTable({
			title: `${count(heldBack + called)} people, ${count(heldBack)} held back, ${count(others)} rows of others`,
			...{ rounds, runners, nameOf, columns: COLUMNS },
			run: async (runner) => await run(runner, scenario),
		});
		figures.push(table.figures);
		const [first = [], second = []] = runners.map((runner) => table.samplesOf(runner));
		return [`${count(others)} rows of others`, ratioOf(second, first, perItem)] as const;
	};
	const ratios = [];
	for (const others of isQuick ? OTHERS.slice(0, 1) : OTHERS) {
		await fill(book, newNumbers(others));
		ratios.push(await measure(HELD_BACK, others));
		await measure(CALLED, others);
	}
	const promise = 'A list at most 1.1 times as long as Not Again Within';
	return { targets: [spreadTarget(promise, ratios, atMost(1.1))], figures: figures.join('\n\n') };
}
