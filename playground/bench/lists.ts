import { openBook, type OpenedBook } from '../e2e/contactBook';
import { count, ratioOf } from './figures';
import { COLUMNS, perItem, prepareLists } from './items';
import { atMost, measureTable, spreadTarget, type Report } from './report';
import type { Rig } from './rig';
import { LIST, nameOf, runnerNode, type RunnerId } from './runners';
import { newNumbers } from './workflows';

/** How many people of a run are held back and called, and by which nodes; the first is compared with. */
const HELD_BACK = { heldBack: 1950, called: 50, runners: ['nodeBook', 'nodeList'] } as const;
const CALLED = { heldBack: 0, called: 1000, runners: ['node', 'nodeBook'] } as const;
type Scenario = typeof HELD_BACK | typeof CALLED;
/** How many rows of other people the contact book has. */
const OTHERS = [0, 100_000];
const ROWS_AT_ONCE = 1_000;

/** Adds rows of contacts, of long ago unless said otherwise, as n8n takes them. */
async function fill(
	{ table }: OpenedBook<Rig>,
	phones: string[],
	more: Readonly<Record<string, string>> = {},
): Promise<void> {
	while (phones.length > 0) {
		const rows = phones.splice(0, ROWS_AT_ONCE).map((phone) => ({
			...{ phone, contactId: phone, contactedAt: '2026-01-02T03:04:05.000Z' },
			...{ operation: 'call.place', outcome: 'accepted', mode: 'live', ...more },
		}));
		await table.insert(...rows);
	}
}

/** Lists with the contact book: nearly everybody is held back, or everybody is called. */
export async function measureLists(rig: Rig, isQuick: boolean): Promise<Report> {
	const book = await openBook(rig);
	const done = newNumbers(HELD_BACK.heldBack);
	const reached = { contactedAt: new Date().toISOString(), list: LIST, reached: 'yes' };
	await fill(book, [...done], reached);
	const run = await prepareLists(rig, ['node', ...HELD_BACK.runners], (runner) =>
		runnerNode(runner, runner === 'node' ? rig : book.world, '={{ $json.to }}'),
	);
	const figures: string[] = [];
	const measure = async (scenario: Scenario, others: number) => {
		const { runners, heldBack, called } = scenario;
		const runOnce = async (runner: RunnerId) => {
			const people = [...done.slice(0, heldBack), ...newNumbers(called)];
			const sample = await run(runner, people, called);
			if (!sample.cost) throw new Error(`${nameOf(runner)}: the run failed`);
			return sample;
		};
		for (const runner of runners) await runOnce(runner);
		const table = await measureTable({
			title: `${count(heldBack + called)} people, ${count(heldBack)} held back, ${count(others)} rows of others`,
			...{ rounds: 5, runners, nameOf, columns: COLUMNS, run: runOnce },
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
