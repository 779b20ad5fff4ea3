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

/** Of so many people on the list, all but a few are held back in a run. */
const PEOPLE = 2_000;
const DUE = 50;
const RUNNERS: readonly RunnerId[] = ['nodeBook', 'nodeList'];
/** How many rows of other people the contact book has, and how often each runner is measured with them. */
const BOOKS = [
	[0, 5],
	[100_000, 5],
] as const;
const RUN_WITHIN_MS = 300_000;

/** A run of a list in which nearly everybody is held back, by a list and by *Not Again Within*. */
export async function measureLists(rig: Rig, isQuick: boolean): Promise<Report> {
	const { service } = rig;
	const book = await openBookOf(rig, apiCredentialData(service));
	const done = newNumbers(PEOPLE - DUE);
	await fill(book, [...done], {
		...{ contactedAt: new Date().toISOString(), list: LIST, reached: 'yes' },
	});
	const urls = new Map<RunnerId, string>();
	const extra = { onError: 'continueRegularOutput' } as const;
	for (const runner of RUNNERS) {
		const calls = runnerNode(runner, book.world, '={{ $json.to }}', service.sender, extra);
		const nodes = [clock('begin'), calls, clock('end')];
		urls.set(runner, (await behindWebhook(rig.client, nameOf(runner), nodes, 'lastNode')).url);
	}
	const run = async (runner: RunnerId): Promise<Sample> => {
		service.prepare(null);
		await rig.untilReady();
		const body = { people: [...done, ...newNumbers(DUE)], ...service.sender };
		const options = { proxy: false as const, timeout: RUN_WITHIN_MS };
		const { data } = await axios.post<Ended>(urls.get(runner) ?? '', body, options);
		const outcome = outcomeOf(service.arrivals(), DUE);
		return { items: PEOPLE, cost: data.cost, ...outcome, peakInFlight: service.peakInFlight() };
	};
	const figures: string[] = [];
	const ratios = [];
	for (const [others, rounds] of isQuick ? BOOKS.slice(0, 1) : BOOKS) {
		await fill(book, newNumbers(others));
		for (const runner of RUNNERS) await run(runner);
		const table = await measureTable({
			title: `${count(PEOPLE)} people, ${count(PEOPLE - DUE)} held back, ${count(others)} rows of others`,
			...{ rounds, runners: RUNNERS, nameOf, columns: COLUMNS, run },
		});
		figures.push(table.figures);
		const [limited = [], listed = []] = RUNNERS.map((runner) => table.samplesOf(runner));
		ratios.push([`${count(others)} rows of others`, ratioOf(listed, limited, perItem)] as const);
	}
	const promise = 'A list at most 1.1 times as long as Not Again Within';
	return { targets: [spreadTarget(promise, ratios, atMost(1.1))], figures: figures.join('\n\n') };
}
