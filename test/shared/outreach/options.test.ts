import fc from 'fast-check';

import { recipientNumber } from '../../../nodes/shared/declaration/phoneNumber';
import { readList } from '../../../nodes/shared/outreach/doNotContact';
import { OPERATION_ROWS } from '../../operations';
import { pathOf } from '../../operations/row';
import { operations, planOrProblems } from '../samples';

/** What the rules of an item say with these options, or what is wrong with them. */
function rulesWith(options: object) {
	const plan = planOrProblems('call.place', { options });
	return 'problems' in plan ? plan.problems.join('; ') : plan.contact?.rules;
}

const NONE = {
	allowedHours: [],
	timezone: undefined,
	doNotContact: new Float64Array(),
	notAgainWithin: 0,
	maxPeople: 0,
	heldBackItems: 'output',
};

const rowsOf = (...values: unknown[]) => ({ allowedHours: { values } });

test('without options there are no rules', () => {
	expect(rulesWith({})).toEqual(NONE);
});

test('the operations that reach one person by phone number have them, and no other', () => {
	const withRules = [...operations].filter(([, { rules }]) => rules !== undefined);
	const reaching = OPERATION_ROWS.filter(({ body = {} }) => 'toNumber' in body).map(pathOf);

	expect(reaching.length).toBeGreaterThanOrEqual(6);
	expect(withRules.map(([path]) => path).sort()).toEqual(reaching.sort());
	for (const [, { recipient }] of withRules) expect(recipient).toBe('toNumber');
});

test.each<[string, object, object]>([
	['no rows', { allowedHours: {} }, {}],
	[
		'a row',
		rowsOf({ days: ['mon'], from: '09:00', to: '17:30' }),
		{ allowedHours: [{ days: ['mon'], from: 540, to: 1050 }] },
	],
	[
		'a row for every day',
		rowsOf({ from: '9:05', to: '00:00' }),
		{ allowedHours: [{ days: [], from: 545, to: 0 }] },
	],
	['hours of contact as text', { notAgainWithin: '1.5' }, { notAgainWithin: 1.5 }],
	['a time zone', { timezone: ' Europe/Berlin ' }, { timezone: 'Europe/Berlin' }],
	['no time zone', { timezone: '' }, {}],
	['a time zone that is missing', { timezone: null }, {}],
	['as many people as one likes', { maxPeople: 0 }, {}],
])('%s', (_, options, expected) => {
	expect(rulesWith(options)).toEqual({ ...NONE, ...expected });
});

test.each<[string, object]>([
	['Allowed Hours', { allowedHours: null }],
	['Allowed Hours', { allowedHours: 'always' }],
	['Allowed Hours', { allowedHours: { from: '09:00', to: '18:00' } }],
	['Allowed Hours', { allowedHours: { values: null } }],
	['Allowed Hours (row 1, days', rowsOf({ days: ['monday'], from: '09:00', to: '17:00' })],
	['Allowed Hours (row 2, to', rowsOf({ from: '09:00', to: '17:00' }, { from: '09:00' })],
	['Allowed Hours (row 1, from', rowsOf({ from: '24:00', to: '17:00' })],
	['Allowed Hours (row 1, to', rowsOf({ from: '09:00', to: '17:60' })],
	['Timezone', { timezone: 'Europe/Atlantis' }],
	['Timezone', { timezone: 2 }],
	['Do Not Contact', { doNotContact: undefined }],
	['Do Not Contact', { doNotContact: '0151 12345678' }],
	['Not Again Within', { notAgainWithin: null }],
	['Not Again Within', { notAgainWithin: -1 }],
	['Not Again Within', { notAgainWithin: 8761 }],
	['Not Again Within', { notAgainWithin: 'a day' }],
	['Max People', { maxPeople: undefined }],
	['Max People', { maxPeople: 1.5 }],
	['Held-Back Items', { heldBackItems: 'hide' }],
])('%s says what is wrong with %j', (name, options) => {
	expect(rulesWith(options)).toEqual(expect.stringContaining(name));
});

test('a list is read as the numbers that are called', () => {
	const number = fc.oneof(
		fc.stringMatching(/^\+?\d{5,17}$/),
		fc.stringMatching(/^[+0-9 ().-]{7,18}$/),
	);
	fc.assert(
		fc.property(number, (written) => {
			const list = readList([written]);
			const { data } = recipientNumber.safeParse(written);
			const isBlank = written.trim() === '';
			const expected = isBlank ? [] : data === undefined ? undefined : [Number(data)];
			expect('numbers' in list ? [...list.numbers] : undefined).toEqual(expected);
		}),
	);
});
