import { describeFailures, summarize } from '../../../nodes/shared/output/summary';
import { createFailure } from '../../../nodes/shared/answer/failure';
import type { Outcome } from '../../../nodes/shared/delivery/outcome';
import { accepted, failed } from '../delivery/results';
import { operationOf, planOf } from '../samples';

const call = operationOf('call.place');
const queued: Outcome = { kind: 'accepted', body: { status: 'queued' }, via: 'main' };
const failedWith = (message: string): Outcome => ({
	kind: 'failed',
	failure: createFailure({ kind: 'invalidInput', outcome: 'notSent', message }),
});
const heldBack: Outcome = { heldBack: { reason: 'doNotContact', notBefore: null } };

test('every item counts by what became of it', () => {
	const results = [
		accepted,
		failed('unknown'),
		queued,
		failed('notSent'),
		accepted,
		failed('refused'),
		heldBack,
		failed('notSent'),
		accepted,
		failed('unknown'),
		failed('unknown'),
		{ checked: planOf('call.place').main },
	];

	expect(summarize(call, results)).toBe(
		'Of 12 items: 3 placed, 1 queued, 1 checked, 1 held back (1 do not contact), 1 refused, 2 not sent, 3 unknown',
	);
});

test('who is held back because the time zone is not known counts as such', () => {
	const outside = { reason: 'outsideHours', notBefore: null } as const;
	const results: Outcome[] = [
		{ heldBack: { ...outside, timezones: [] } },
		{ heldBack: { ...outside, timezones: ['Europe/Berlin'] } },
		{ heldBack: outside },
	];

	expect(summarize(call, results)).toBe(
		'Of 3 items: 3 held back (2 outside hours, 1 time zone unknown)',
	);
});

test('unknown items of which the contact book says that nobody was reached are counted as such', () => {
	const failure = createFailure({ kind: 'unreachable', outcome: 'unknown' });
	const settled: Outcome = { kind: 'failed', failure: { ...failure, isSettled: true } };

	expect(summarize(call, [failed('unknown'), settled, accepted])).toBe(
		'Of 3 items: 1 placed, 2 unknown (1 settled as "notMade")',
	);
});

test('an operation says in its own word what was accepted', () => {
	expect(summarize(operationOf('sms.start'), [accepted])).toBe('Of 1 item: 1 sent');
});

test.each([
	['x: expected text, not [1] (row 1)', 'x: expected text, not {"a":2} (row 2)'],
	['x: expected text, not ["a b… (row 1)', 'x: expected text, not 7 (row 2)'],
	[
		'x: expected text, not 1; y: expected a number, not "a" (row 1)',
		'x: expected text, not 2; y: expected a number, not "b" (row 2)',
	],
])('a reason is the same whatever the value: %s', (one, other) => {
	expect(describeFailures(['z: expected text (row 3)', one, other].map(failedWith))).toEqual([
		'3 failed:',
		`• ${one}, and 1 more like this (row 3).`,
		'• z: expected text (row 3).',
	]);
});

test('a character that no number has is a reason of its own', () => {
	const has = (odd: string, row: number) =>
		`"+49${odd}" has "${odd}", which no number has (row ${row})`;

	expect(describeFailures([has('E', 1), has("'", 2), has('E', 3)].map(failedWith))).toEqual([
		'3 failed:',
		`• ${has('E', 1)}, and 1 more like this (row 3).`,
		`• ${has("'", 2)}.`,
	]);
});

test('what became of requests is named before bad values', () => {
	const results = [...['a', 'b', 'c'].map(failedWith), failed('refused')];

	expect(describeFailures(results)).toEqual([
		'4 failed:',
		expect.stringMatching(/^• .* \(row 4\)\.$/),
		'• a (row 1).',
		'• b (row 2).',
		'• c (row 3).',
	]);
});

test('one reason stands in one line, and of more than six, five are named', () => {
	expect(describeFailures([accepted])).toEqual([]);
	expect(describeFailures([failedWith('a (row 1).'), failedWith('a (row 2).')])).toEqual([
		'2 failed: a (row 1), and 1 more like this (row 2).',
	]);
	const named = [
		'• b (row 2), and 1 more like this (row 3).',
		'• a (row 1).',
		'• c (row 4).',
		'• d (row 5).',
	];
	expect(describeFailures(['a', 'b', 'b', 'c', 'd', 'e', 'f'].map(failedWith))).toEqual([
		'7 failed:',
		...named,
		'• e (row 6).',
		'• f (row 7).',
	]);
	expect(describeFailures(['a', 'b', 'b', 'c', 'd', 'e', 'f', 'g'].map(failedWith))).toEqual([
		'8 failed:',
		...named,
		'• e (row 6).',
		'• 2 more for other reasons (rows 7, 8).',
	]);
});
