import type { INodeParameters } from 'n8n-workflow';
import { openBook } from '../e2e/contactBook';
import { ratioOf, show } from './figures';
import { createList, FIGURES, perItem, type Sample } from './items';
import { measureTable, spreadTarget, type Report } from './report';
import type { Rig } from './rig';
import { FROM_ITEM, newNumbers, serviceNode } from './workflows';

const LIST = 'Bench';
const NOT_AGAIN = { notAgainWithin: 24 };
const LIST_RULES = { ...NOT_AGAIN, list: LIST, attempts: 3, noResultAfter: 24 };
/** How many people of a list are held back, and the others called. */
const HELD_BACK = 1950;
const CALLED = 50;
/** How many are called where nobody is held back. */
const ALL_CALLED = 1000;
const ROUNDS = 5;
/** How many rows of other people the contact book has. */
const OTHERS = [0, 100_000];
const ROWS_AT_ONCE = 1000;

/** Lists with the contact book: nearly everybody is held back, or everybody is called. */
export async function measureLists(rig: Rig, isQuick: boolean): Promise<Report> {
	const { world, table } = await openBook(rig);
	// Adds rows of contacts, as n8n takes them.
	const fill = async (phones: readonly string[], result: Readonly<Record<string, string>>) => {
		const call = { operation: 'call.place', outcome: 'accepted', mode: 'live', ...result };
		for (let first = 0; first < phones.length; first += ROWS_AT_ONCE) {
			const people = phones.slice(first, first + ROWS_AT_ONCE);
			await table.insert(...people.map((phone) => ({ phone, contactId: phone, ...call })));
		}
	};
	const listWith = async (node: Pick<Rig, 'credentials'>, contactRules: INodeParameters) =>
		await createList(rig, serviceNode(node, { ...FROM_ITEM, contactRules }));
	const withoutBook = await listWith(rig, {});
	const notAgain = await listWith(world, NOT_AGAIN);
	const list = await listWith(world, LIST_RULES);
	const reached = newNumbers(HELD_BACK);
	await fill(reached, { contactedAt: new Date().toISOString(), list: LIST, reached: 'yes' });

	const call = (run: typeof list, called: number, heldBack: readonly string[]) => async () => {
		const toBeCalled = newNumbers(called);
		const sample = await run([...heldBack, ...toBeCalled], 0, toBeCalled);
		const calls = rig.simulator.processed('placeCall').length;
		if (sample.cost && sample.once === called && calls === called) return sample;
		throw new Error(`${calls} calls: ${JSON.stringify(sample)}`);
	};
	const measure = async <Runner extends string>(
		title: string,
		runners: Readonly<Record<Runner, () => Promise<Sample>>>,
	) => {
		for (const run of Object.values<() => Promise<Sample>>(runners)) await run();
		const rounds = isQuick ? 1 : ROUNDS;
		return await measureTable({ title, rounds, runners, figures: FIGURES });
	};
	const figures = [];
	const ratios = [];
	for (const others of isQuick ? OTHERS.slice(0, 1) : OTHERS) {
		await fill(newNumbers(others), { contactedAt: '2026-01-02T03:04:05.000Z' });
		const rows = `${show(others)} rows of others`;
		const people = `${show(HELD_BACK + CALLED)} people, ${show(HELD_BACK)} held back`;
		const heldBack = await measure(`${people}, ${rows}`, {
			'Not Again Within, contact book': call(notAgain, CALLED, reached),
			'a list, contact book': call(list, CALLED, reached),
		});
		const called = await measure(`${show(ALL_CALLED)} people, ${rows}`, {
			'no contact book': call(withoutBook, ALL_CALLED, []),
			'Not Again Within, contact book': call(notAgain, ALL_CALLED, []),
		});
		figures.push(heldBack.figures, called.figures);
		const { 'a list, contact book': ofList, 'Not Again Within, contact book': ofNotAgain } =
			heldBack.samples;
		ratios.push([rows, ratioOf(ofList, ofNotAgain, perItem)] as const);
	}
	const promise = 'A list at most 1.1 times as long as Not Again Within';
	return {
		targets: [spreadTarget(promise, ratios, ({ median }) => median <= 1.1)],
		figures: figures.join('\n\n'),
	};
}
