import { limitsContacts, rulesOf, rulesOfBook } from '../../../nodes/shared/rules/contactRules';
import { toNumbers } from '../../../nodes/shared/rules/doNotContact';
import { Rules, type BookOfPerson } from '../../../nodes/shared/rules/rules';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const BERLIN = '+4930123456';
/** Over at noon. */
const MORNING = { allowedHours: [{ days: [], from: 540, to: 600 }] };
const DO_NOT = { doNotContact: toNumbers([BERLIN]) };

const item = (index: number, rules: object = {}, toNumber = BERLIN) => ({
	...{ index, person: { toNumber, rules: rulesOf({ ...rules }) } },
});

const book = (contactedAt: number[] = [], isOptedOut = false): BookOfPerson => {
	const contact = { isClaimed: false, operation: 'call.place', list: '', callBackAt: NaN };
	const contacts = contactedAt.map((at) => ({ ...contact, at, outcome: 'accepted' as const }));
	return { at: NOON, contacts, isOptedOut };
};

const ALL = { ...MORNING, notAgainWithin: 24, atMostPerRun: 1 };
const OFTEN = { ...MORNING, atMostContacts: 1, atMostPerRun: 1 };

test.each([
	['an opt-out in the book', 'UTC', ALL, book([NOON], true), 'doNotContact', null],
	['a listed number', 'UTC', { ...ALL, ...DO_NOT }, book([NOON]), 'doNotContact', null],
	['a contact', 'UTC', ALL, book([NOON]), 'contactedRecently', '2026-11-21T12:00:00+00:00'],
	['a contact', 'Asia/Tokyo', ALL, book([NOON]), 'contactedRecently', '2026-11-21T21:00:00+09:00'],
	['a contact', 'nowhere', ALL, book([NOON]), 'contactedRecently', '2026-11-21T12:00:00+00:00'],
	['two contacts', 'UTC', OFTEN, book([NOON]), 'contactedOften', '2026-11-27T12:00:00+00:00'],
	['the hours', 'UTC', ALL, book(), 'outsideHours', '2026-11-21T09:00:00+00:00'],
	['the hours', 'Asia/Tokyo', ALL, book(), 'outsideHours', '2026-11-21T09:00:00+09:00'],
	['the places', 'UTC', { atMostPerRun: 1 }, book(), 'runFull', null],
])(
	'the first that holds back is %s, in the time of %s',
	(_, zone, rules, of, reason, notBefore) => {
		const all = new Rules(zone, 'call.place', [item(0, rules), item(1, rules)]);
		all.keepPlace(item(0));

		expect(all.holdBack(item(1, rules), of)).toEqual({ kind: 'heldBack', reason, notBefore });
	},
);

test.each<[string, timezone: string, rules: object, toNumber: string, zones?: string[]]>([
	['in one that was set', 'nowhere', { timezone: 'UTC' }, BERLIN, undefined],
	['in none, if nobody knows one', 'nowhere', {}, BERLIN, []],
	['in that of the number', 'UTC', { timezoneFromNumber: true }, BERLIN, ['Europe/Berlin']],
	['in none of the number', 'UTC', { timezoneFromNumber: true }, '+888123456', []],
])('hours are asked for %s, which is told unless it was set', (_, zone, more, toNumber, zones) => {
	const late = item(0, { ...MORNING, ...more }, toNumber);
	const held = new Rules(zone, 'call.place', [late]).holdOutside(late.person, NOON);

	expect(held).toMatchObject({ kind: 'heldBack', reason: 'outsideHours' });
	expect(held?.timezones).toEqual(zones);
	expect(held?.notBefore === null).toBe(zones?.length === 0);
});

test('a run has as many places as its lowest limit, for each item once', () => {
	const items = [item(0, { atMostPerRun: 2 }), item(1, { atMostPerRun: 3 }), item(2), { index: 3 }];
	const rules = new Rules('UTC', 'call.place', items);
	const reasons = () => items.map((one) => rules.holdBack(one, book())?.reason);

	expect(reasons()).toEqual([undefined, undefined, 'runFull', undefined]);
	expect(reasons()).toEqual([undefined, undefined, 'runFull', undefined]);
	expect(rules.holdOutside(undefined)).toBeUndefined();
});

test.each([
	[{}, []],
	[{ ...MORNING, ...DO_NOT, atMostPerRun: 1 }, []],
	[{ notAgainWithin: 1 }, ['notAgainWithin']],
	[{ atMostContacts: 1, list: 'Spring' }, ['atMostContacts', 'list']],
])('of %j, those that need the contact book are %j', (added, names) => {
	const rules = rulesOf(added);

	expect(rulesOfBook(rules).map(({ name }) => name)).toEqual(names);
	expect(limitsContacts(rules)).toBe(names.length > 0);
});
