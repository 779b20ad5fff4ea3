import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { runInNewContext } from 'node:vm';

import { nodeOf } from '../playground/workflows';
import { readExample } from '../playground/setup';
import { bookRow } from '../nodes/shared/book/columns';
import { contactsIn, type Contact } from '../nodes/shared/book/view';
import { TABLE } from './contactBook/bookFields';
import { HOURS, minutesAgo, useBookWorld } from './engine/contactBook';

const EXAMPLE = readExample('list-report.json');
const PEOPLE = ['+12125550101', '+12125550102', '+12125550103'];
const LIST = 'Straße 2027';
const STATES = ['optedOut', 'reached', 'givenUp', 'open', 'notYetContacted'] as const;

const { add, calls, outputs, rows, tables } = useBookWorld();

interface Report extends Record<(typeof STATES)[number] | 'people' | 'contacted', number> {
	rowsWithoutNumber: number;
	days: { day: string; contacts: number; reached: number }[];
}

/** What the node "Count People" puts out for these people, these settings and the rows of the book. */
function report(people: readonly unknown[], settings: IDataObject): Report {
	const outputOf: Record<string, readonly IDataObject[]> = {
		Settings: people.map((phone) => ({ phone, ...settings }) as IDataObject),
		'Read Contact Book': tables()
			.table(TABLE)
			.rows.filter(({ list, doNotContact }) => [list, doNotContact].some(Boolean)),
	};
	const { jsCode = '' } = nodeOf(EXAMPLE, 'Count People').parameters;
	const items = runInNewContext(`(() => {${jsCode as string}})()`, {
		$: (name: string) => ({ all: () => (outputOf[name] ?? []).map((json) => ({ json })) }),
		...{ $now: DateTime.now(), DateTime },
	}) as unknown;
	const [{ json }] = JSON.parse(JSON.stringify(items)) as [{ json: Report }];
	return json;
}

/** The contacts of the list as the node reads them from its book. */
function contactsOf(phone: string): Contact[] {
	const ofPhone = rows()
		.filter((row) => row.phone === phone)
		.map((row) => bookRow.parse({ createdAt: '', updatedAt: '', ...row }));
	return contactsIn(ofPhone, 'live', Date.now()).filter(
		({ list, outcome }) => list === 'strasse 2027' && outcome !== 'notMade',
	);
}

const STATE_OF = new Map<unknown, (typeof STATES)[number]>([
	['doNotContact', 'optedOut'],
	['reached', 'reached'],
	['attemptsUsed', 'givenUp'],
]);

const sum = (numbers: readonly number[]): number =>
	numbers.reduce((total, number) => total + number, 0);
/** At half an hour, so that the clock of a test decides nothing. */
const hoursAgo = fc.integer({ min: -30, max: 90 }).map((hours) => minutesAgo(hours * HOURS + 30));

/** Most rows are. */
const ACCEPTED = ['accepted', 'accepted', 'accepted'];

const past = fc
	.record({
		phone: fc.constantFrom(...PEOPLE),
		contactedAt: fc.integer({ min: 0, max: 90 }).map((hours) => minutesAgo(hours * HOURS + 30)),
		outcome: fc.constantFrom(...ACCEPTED, 'Ok', 'claimed', 'unknown', 'Not Made', ''),
		operation: fc.constantFrom('call.place', 'call.place', 'Call.PlaceAndWait', 'sms.start', null),
		mode: fc.constantFrom('live', 'live', 'live', null, 'redirect'),
		list: fc.constantFrom(LIST, LIST, LIST, ' STRASSE 2027', 'Autumn', null),
		reached: fc.constantFrom(null, null, 'no', ' YES', 'false'),
		callBackAt: fc.option(hoursAgo, { freq: 2 }),
		claim: fc.constantFrom(null, null, 'a.1', 'a.2'),
		doNotContact: fc.constantFrom(null, null, false),
	})
	.map((row) => ({ ...row, claim: row.list && row.claim }));
const optOut = fc.record({
	phone: fc.constantFrom('+1 212 555-0101', '0012125550102', '(212) 555-0103', '555 0103'),
	doNotContact: fc.constantFrom(true, false),
});

test('of everybody, the report says what the node says, and its sums are right', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(past, { maxLength: 16 }),
			fc.array(optOut, { maxLength: 1 }),
			fc.integer({ min: 1, max: 3 }),
			fc.option(fc.constantFrom(4, 24, 50), { nil: undefined }),
			async (contacts, optOuts, attempts, noResultAfter) => {
				const table = tables().table(TABLE);
				for (const { id } of [...table.rows]) table.delete(id);
				for (const row of [...contacts, ...optOuts]) add(row);
				const rules = { list: LIST, attempts, ...(noResultAfter && { noResultAfter }) };
				const items = PEOPLE.map((to) => ({ to }));
				const allRules = { ...rules, notAgainWithin: 1 };
				const output = await outputs(calls(items, allRules, {}, { checkOnly: true }));
				const states = output.map(({ reason }, index) => {
					const contacts = contactsOf(PEOPLE[index] ?? '');
					const left = contacts.length > 0 ? 'open' : 'notYetContacted';
					return STATE_OF.get(reason) ?? left;
				});
				const { people, contacted, days, rowsWithoutNumber, ...counts } = report(PEOPLE, rules);
				expect(counts).toMatchObject(
					Object.fromEntries(
						STATES.map((state) => [state, states.filter((counted) => counted === state).length]),
					),
				);
				const all = PEOPLE.map(contactsOf);
				expect([people, rowsWithoutNumber]).toEqual([PEOPLE.length, 0]);
				expect(contacted).toBe(all.filter(({ length }) => length > 0).length);
				expect(sum(days.map((day) => day.contacts))).toBe(all.flat().length);
				expect(sum(days.map((day) => day.reached))).toBe(counts.reached);
			},
		),
		{ numRuns: 80 },
	);
});

test('a number counts once, however it is written, and what cannot be called is counted apart', () => {
	const written = ['+12125550101', '001 (212) 555-0101', ' +1\u00ad2125550102\n', 12125550103];
	const wide = '\uff0b12125550104';
	const people = [
		...written,
		'',
		null,
		'+49 (0)151 23456789',
		'+1212\n5550104',
		'+12',
		'Ada',
		wide,
	];

	const counts = { people: 2, notYetContacted: 2, rowsWithoutNumber: 8, days: [] };
	expect(report(people, { list: LIST })).toMatchObject(counts);
	expect(() => report(people, { list: ' ' })).toThrow('The List in "Settings" is empty.');
});
