import { messageOf } from '../../../nodes/shared/answer/failure';
import { callRules } from '../../../nodes/shared/rules/contactRules';
import { OPERATION_ROWS } from '../../operations';
import { pathOf } from '../../operations/row';
import { BOOK_FIELDS, operations, planOrProblems } from '../samples';

/** What the rules of an item say, or what is wrong with them. */
function rulesWith(contactRules: unknown) {
	const plan = planOrProblems('call.place', { contactRules }, BOOK_FIELDS);
	return plan.kind === 'unsendable' ? messageOf(plan.failure) : plan.person?.rules;
}

const NIGHT = { allowedHours: '22:00-06:00' };
const NIGHT_READ = { allowedHours: [{ days: [], from: 1320, to: 360 }] };
const BY_NUMBER = { ...NIGHT, timezoneFromNumber: true };
const BY_NUMBER_READ = { ...NIGHT_READ, timezoneFromNumber: true };

const BY_BOTH_READ = { ...BY_NUMBER_READ, timezone: 'UTC' };

const LIST = { list: ' Spring ', notAgainWithin: 1 };
const TRIES = { ...LIST, attempts: 3 };

const NONE = {
	allowedHours: [],
	timezone: undefined,
	timezoneFromNumber: false,
	doNotContact: new Float64Array(),
	notAgainWithin: 0,
	atMostContacts: 0,
	atMostDays: 7,
	atMostPerRun: Infinity,
	list: undefined,
	attempts: 0,
	noResultAfter: Infinity,
	heldBackItems: 'output',
};

test('without any that were added there are no rules', () => {
	expect(rulesWith({})).toEqual(NONE);
});

test.each(['notAgainWithin', 'atMostContacts', 'atMostPerRun', 'attempts', 'noResultAfter'])(
	'%s limits something as n8n adds it, and is refused at 0 and blank',
	(name) => {
		const added = callRules.find(({ property }) => property.name === name)?.property.default;

		expect(added).toBeGreaterThan(0);
		expect(rulesWith({ ...TRIES, [name]: 0 })).toContain('expected');
		expect(rulesWith({ ...TRIES, [name]: ' ' })).toContain('it was added, but its value is empty');
	},
);

test('the operations that reach one person by phone number have them, and no other', () => {
	const withRules = [...operations].filter(([, { rules }]) => rules !== undefined);
	const reaching = OPERATION_ROWS.filter(({ body = {} }) => 'toNumber' in body).map(pathOf);

	expect(reaching.length).toBeGreaterThanOrEqual(6);
	expect(withRules.map(([path]) => path).sort()).toEqual(reaching.sort());
	for (const [, { recipient }] of withRules) expect(recipient).toBe('toNumber');
	const ofCalls = ['attempts', 'noResultAfter'];
	const withAttempts = withRules.filter(([, { rules }]) =>
		rules?.some(({ property }) => ofCalls.includes(property.name)),
	);
	expect(withAttempts.map(([path]) => path)).toEqual(['call.place', 'call.placeAndWait']);
});

test.each<[string, object, object]>([
	['hours', NIGHT, NIGHT_READ],
	['hours of contact as text', { notAgainWithin: '1.5' }, { notAgainWithin: 1.5 }],
	['numbers', { doNotContact: '+491511234' }, { doNotContact: Float64Array.of(-491511234) }],
	['a list', TRIES, { ...TRIES, list: 'Spring' }],
	['the number of a list', { list: 2027 }, { list: '2027' }],
	['a time zone', { timezone: ' Europe/Berlin ' }, { timezone: 'Europe/Berlin' }],
	['the zone of the number alone', { ...BY_NUMBER, timezone: ' ' }, BY_NUMBER_READ],
	['the zone of the item first', { ...BY_NUMBER, timezone: 'UTC' }, BY_BOTH_READ],
	['the zone of the number, switched off', { timezoneFromNumber: false }, {}],
])('%s', (_, options, expected) => {
	expect(rulesWith(options)).toEqual({ ...NONE, ...expected });
});

test.each<[string, unknown]>([
	['Allowed Hours', { allowedHours: {} }],
	['Allowed Hours: "always" cannot be read as hours, e.g. Mon-Fri', { allowedHours: 'always' }],
	[
		'Timezone: expected the IANA name of a time zone, e.g. Europe/Berlin, not "Europe/Atlantis"',
		{ timezone: 'Europe/Atlantis' },
	],
	['Allowed Hours: "Mo-Fr" cannot be read as days, e.g.', { allowedHours: 'Mo-Fr 09:00-18:00' }],
	['Timezone', { ...NIGHT, timezone: '', timezoneFromNumber: false }],
	['Timezone', { ...NIGHT, timezone: 'Mars/Base', timezoneFromNumber: true }],
	['Timezone From Number: expected true or false', { ...NIGHT, timezoneFromNumber: 'yes' }],
	['Timezone From Number: it needs the rule "Allowed Hours"', { timezoneFromNumber: true }],
	['At Most Days: it needs the rule "At Most Contacts"', { atMostDays: 30 }],
	['Attempts per Person: it needs the rule "List"', { attempts: 3, notAgainWithin: 1 }],
	['Attempts per Person: it needs the rule "Not Again Within"', { attempts: 3, list: 'A' }],
	['No Result After: it needs the rule "Attempts per Person"', { ...LIST, noResultAfter: 4 }],
	['No Result After: expected a number from 4 to 720', { ...TRIES, noResultAfter: 3.9 }],
	['Attempts per Person: expected a whole number from 1 to 20', { ...LIST, attempts: 21 }],
	['List: it was added, but its value is empty', { list: ' ' }],
	['List: expected at most 100 characters', { list: 'x'.repeat(101) }],
	['Do Not Contact', { doNotContact: '0151 12' }],
	['Do Not Contact is empty', { doNotContact: undefined }],
	['Not Again Within', { notAgainWithin: -1 }],
	['Not Again Within', { notAgainWithin: 8761 }],
	['At Most per Run', { atMostPerRun: 1.5 }],
	['Held-Back Items', { heldBackItems: 'hide' }],
	['Rules of Contact', null],
])('%s says what is wrong with %j', (name, options) => {
	expect(rulesWith(options)).toEqual(expect.stringContaining(name));
});
