import {
	heldBackForAgent,
	heldBackOutput,
	reasonOf,
} from '../../../nodes/shared/output/heldBackItem';
import { holdContacted, holdOutside, type HeldBack } from '../../../nodes/shared/rules/heldBack';
import { rulesOf } from '../../../nodes/shared/rules/contactRules';
import type { PastContact } from '../../../nodes/shared/rules/lists';
import { MAX_SHOWN, nameOf } from '../../../nodes/shared/rules/person';
import { Rules } from '../../../nodes/shared/rules/rules';

const DAY = [{ days: [], from: 540, to: 1080 }];

test('an item is held back if it is outside of the hours in one of its zones, until they begin in all', () => {
	const end = Date.parse('2026-11-20T17:59:59.999Z');

	expect(holdOutside(DAY, ['UTC'], end)).toBeUndefined();
	expect(holdOutside(DAY, ['UTC', 'Europe/Berlin'], end)).toEqual({
		reason: 'outsideHours',
		notBefore: '2026-11-21T09:00:00+00:00',
	});
});

test('what was found of hours and zones holds for its minute and its zones only', () => {
	const rules = new Rules('UTC', 'call.place', []);
	const clock = jest.spyOn(Date, 'now');
	const at = (time: string, timezone?: string) => {
		clock.mockReturnValue(Date.parse(`2026-11-20T${time}Z`));
		const person = { toNumber: '', rules: rulesOf({ allowedHours: DAY, timezone }) };
		return rules.holdOutside(person)?.notBefore;
	};

	expect(at('17:59:59.999')).toBeUndefined();
	expect(at('17:59:59.999', 'Europe/Berlin')).toBe('2026-11-21T09:00:00+01:00');
	expect(at('18:00')).toBe('2026-11-21T09:00:00+00:00');
	expect(at('17:59')).toBeUndefined();
	clock.mockRestore();
});

test('without a zone, or if all zones never have their hours at once, no time is known', () => {
	const noon = Date.parse('2026-11-20T12:00Z');
	const unknown = { reason: 'outsideHours', notBefore: null };

	expect(holdOutside(DAY, [], noon)).toEqual(unknown);
	const minute = [{ days: [], from: 0, to: 1 }];
	expect(holdOutside(minute, ['UTC', 'Europe/Berlin'], noon)).toEqual(unknown);
});

const LATER = '2026-11-21T09:00:00+00:00';

test.each<[held: HeldBack, message: string]>([
	[
		{ reason: 'doNotContact', notBefore: null },
		'+4915112345678 is on the list of numbers that must not be contacted. Do not contact this person again, by this or another tool.',
	],
	[
		{ reason: 'reached', notBefore: null },
		'+4915112345678 was reached for this list. Do not repeat this tool call: no later time is known.',
	],
	[
		{ reason: 'resultOpen', notBefore: LATER },
		`+4915112345678 was called, or may have been, and the result is not known. Do not repeat this tool call before ${LATER}.`,
	],
	[
		{ reason: 'attemptsUsed', notBefore: null },
		'+4915112345678 was contacted as often as this list allows. Do not repeat this tool call: no later time is known.',
	],
	[
		{ reason: 'callBack', notBefore: LATER },
		`+4915112345678 wants to be called back later. Do not repeat this tool call before ${LATER}.`,
	],
	[
		{ reason: 'contactedRecently', notBefore: LATER },
		`+4915112345678 was contacted recently, or may have been. Do not repeat this tool call before ${LATER}.`,
	],
	[
		{ reason: 'contactedOften', notBefore: null },
		'+4915112345678 was contacted as often as the rules allow. Do not repeat this tool call: no later time is known.',
	],
	[
		{ reason: 'outsideHours', notBefore: LATER, timezones: ['UTC'] },
		`the current time is outside the hours in which people may be contacted. Do not repeat this tool call before ${LATER}.`,
	],
])('an agent is told that nothing was sent, and what not to do: %j', (held, message) => {
	const { reason, ...more } = held;
	const person = { toNumber: '+4915112345678', reference: 'crm-4711' };
	const output = { ...person, result: 'heldBack', reason, ...more };

	expect(heldBackOutput(held, person)).toStrictEqual(output);
	expect(heldBackForAgent(held, person)).toStrictEqual({
		...output,
		message: `Nothing was sent: ${message}`,
	});
	expect(reasonOf(held)).toBe(reason);
});

const contactAt = (at: number): PastContact => ({
	...{ at, outcome: 'accepted', isClaimed: false },
	...{ operation: 'call.place', list: '', callBackAt: NaN },
});

const NOW = Date.parse('2026-11-20T12:00:00Z');
const A_DAY = { notAgainWithin: 24 };
const TWO_DAYS = { atMostContacts: 1, atMostDays: 2 };
const BOTH = { notAgainWithin: 2, atMostContacts: 1 };
const JUST_A_DAY = 24 - 1 / 3_600_000;

test.each<[string, hoursAgo: number[], Record<string, number>, string | undefined]>([
	['nobody', [], { notAgainWithin: 24, atMostContacts: 1 }, undefined],
	['an hour ago', [1], A_DAY, 'contactedRecently 2026-11-21T11:00:00'],
	['just within', [JUST_A_DAY], A_DAY, 'contactedRecently 2026-11-20T12:00:00.001'],
	['as long ago as the hours', [24], A_DAY, undefined],
	['twice of two', [1, 24], { atMostContacts: 2 }, 'contactedOften 2026-11-26T12:00:00'],
	['twice of two, once long ago', [1, 7 * 24], { atMostContacts: 2 }, undefined],
	['within 2 days', [30], TWO_DAYS, 'contactedOften 2026-11-21T06:00:00'],
	['later, by another clock, without a rule', [-1], {}, undefined],
	['later, by another clock', [-1], { atMostContacts: 2 }, undefined],
	['both', [1], BOTH, 'contactedRecently 2026-11-20T13:00:00'],
])('who was contacted: %s', (_, hoursAgo, rules, expected) => {
	const contacts = hoursAgo.map((hours) => contactAt(Math.round(NOW - hours * 3_600_000)));
	const held = holdContacted(contacts, rulesOf(rules), 'call.place', NOW, 'UTC');

	expect(held && `${held.reason} ${held.notBefore}`).toBe(expected && `${expected}+00:00`);
});

test('a contact that somebody has entered for the end of time is told in a date', () => {
	const rules = rulesOf({ notAgainWithin: 8_760 });
	const contacts = [contactAt(8_640_000_000_000_000)];

	expect(holdContacted(contacts, rules, 'call.place', Date.now(), 'UTC')).toEqual({
		reason: 'contactedRecently',
		notBefore: '9999-01-01T00:00:00+00:00',
	});
});

const toNumber = '+4915112345678';
const known = { toNumber, reference: 'crm-4711' };

test('a name is one line, and not long', () => {
	expect(nameOf({ toNumber })).toBe(toNumber);
	expect(nameOf(known)).toBe(`${toNumber} (crm-4711)`);
	expect(nameOf({ toNumber, reference: 'crm\r\n  4711' })).toBe(`${toNumber} (crm 4711)`);
	expect(nameOf({ toNumber, reference: 'x'.repeat(1_000) })).toBe(
		`${toNumber} (${'x'.repeat(MAX_SHOWN)})`,
	);
});
