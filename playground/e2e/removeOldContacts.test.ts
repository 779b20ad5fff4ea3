import type { IDataObject } from 'n8n-workflow';
import { useExampleBook } from './contactBook';
import { ADA, runExample } from './exampleWorkflows';
import { useWorld } from './world';

const EXAMPLE = 'remove-old-contacts.json';
const MINUTE_MS = 60_000;

const world = useWorld();
const book = useExampleBook(world);

/** The time of this many days ago; some minutes later, if they are given. */
const daysAgo = (days: number, minutes = 0): string =>
	new Date(Date.now() - (days * 24 * 60 - minutes) * MINUTE_MS).toISOString();

/** Adds a row for each of them. */
async function addRows(rows: Record<string, IDataObject>): Promise<void> {
	for (const [reference, row] of Object.entries(rows)) {
		const contact = { phone: ADA, operation: 'call.place', outcome: 'accepted', mode: 'live' };
		await book().insert({ ...contact, reference, ...row });
	}
}

const left = async () => (await book().rows()).map(({ reference }) => reference).sort();

describe('the example "Remove old contacts"', () => {
	it('removes what is older than its days, to the minute, and keeps opt-outs', async () => {
		const old = { contactedAt: daysAgo(401) };
		const young = { contactedAt: daysAgo(399) };
		const rows = {
			'old, a minute': { contactedAt: daysAgo(400, -1) },
			'old, years': { contactedAt: daysAgo(2000), doNotContact: false },
			'old, claimed': { ...old, outcome: 'claimed' },
			'old, unknown': { ...old, outcome: 'unknown', doNotContact: false },
			'old, not made': { ...old, outcome: 'notMade' },
			'old, no outcome': { ...old, outcome: null },
			'old, redirect': { ...old, mode: 'redirect' },
			'old, redirect, false': { ...old, mode: 'redirect', doNotContact: false },
			'opted out, old': { ...old, doNotContact: true, outcome: null, mode: null },
			'opted out, old, called': { ...old, doNotContact: true },
			'opted out, no time': { doNotContact: true, outcome: null, mode: null },
			'opted out, young': { ...young, doNotContact: true },
			'no time': {},
			'no time, false': { doNotContact: false },
			'young, minutes': { contactedAt: daysAgo(400, 10) },
			'young, minutes, false': { contactedAt: daysAgo(400, 10), doNotContact: false },
			'young, claimed': { ...young, outcome: 'claimed' },
			'young, unknown': { ...young, outcome: 'unknown' },
			'young, redirect': { ...young, mode: 'redirect' },
			'young, today': { contactedAt: daysAgo(0), doNotContact: false },
		};
		await addRows(rows);
		const execution = await runExample(world().client, EXAMPLE, {}, 'Every Night');

		expect(execution.status).toBe('success');
		const names = Object.keys(rows).filter((name) => !name.startsWith('old'));
		expect(await left()).toEqual(names.sort());
	});

	it('removes nothing and fails if the days are not a number above 0', async () => {
		await addRows({ old: { contactedAt: daysAgo(2000) }, young: { contactedAt: daysAgo(1) } });
		const assignments = [
			{ name: 'days', type: 'number', value: 0 },
			{ name: 'table', type: 'string', value: 'Contact book' },
		];
		const changes = { 'What to Keep': { assignments: { assignments } } };
		const execution = await runExample(world().client, EXAMPLE, changes, 'Every Night');

		expect(execution.status).toBe('error');
		expect(execution.data.resultData.error?.message).toContain('no number of days');
		expect(await left()).toEqual(['old', 'young']);
	});
});
