import { describeFailures, summarize } from '../../../nodes/shared/output/summary';
import { faultOf, type Fault } from '../../../nodes/shared/answer/valueFault';
import { createFailure, type Failure } from '../../../nodes/shared/answer/failure';
import { type Outcome } from '../../../nodes/shared/delivery/outcome';
import { accepted, failed } from '../delivery/results';
import { operationOf } from '../samples';

const call = operationOf('call.place');
const queued: Outcome = { kind: 'accepted', body: { status: 'queued' }, via: 'main' };
const failedWith = (message: string, more: Partial<Failure> = {}): Outcome => ({
	kind: 'failed',
	failure: createFailure({ kind: 'invalidInput', outcome: 'notSent', message, ...more }),
});
const heldBack: Outcome = { kind: 'heldBack', reason: 'doNotContact', notBefore: null };

test('every item counts by what became of it', () => {
	const failures = (['unknown', 'notSent', 'refused', 'notSent', 'unknown'] as const).map(failed);
	const results = [accepted, queued, accepted, ...failures, heldBack, { kind: 'checked' as const }];

	expect(summarize(call, results)).toBe(
		'Of 10 items: 2 placed, 1 queued, 1 checked, 1 held back (1 do not contact), 1 refused, 2 not sent, 2 unknown',
	);
});

test('those on a list count by where they stand, in words', () => {
	const reasons = ['callBack', 'resultOpen', 'reached', 'attemptsUsed', 'runFull'] as const;
	const results = reasons.map((reason): Outcome => ({ ...heldBack, reason }));

	expect(summarize(call, results)).toBe(
		'Of 5 items: 5 held back (1 reached, 1 result open, 1 attempts used up, 1 to be called back later, 1 left for the next run)',
	);
});

test('who is held back because the time zone is not known counts as such', () => {
	const outside = { kind: 'heldBack', reason: 'outsideHours', notBefore: null } as const;
	const results: Outcome[] = [
		{ ...outside, timezones: [] },
		{ ...outside, timezones: ['Europe/Berlin'] },
		outside,
	];

	expect(summarize(call, results)).toBe(
		'Of 3 items: 3 held back (2 outside hours, 1 time zone unknown)',
	);
});

const bad = (value: string, field?: string): Fault => ({
	...{ kind: 'bad', value, problem: 'is odd' },
	...{ name: 'To Number', field },
});

test('failures of the same values of different rows are one reason if their outcome is the same', () => {
	const of = (row: number, field?: string) =>
		failedWith(`To Number: "${row}" is odd`, { row, faults: [bad(String(row), field)] });

	const unknown = failedWith('also sent before', {
		row: 4,
		faults: [faultOf('also sent before', { field: 'toNumber' })],
		outcome: 'unknown',
	});
	expect(describeFailures([of(1, 'toNumber'), of(2), of(3, 'toNumber'), unknown])).toEqual([
		'4 failed:',
		'• To Number: "1" is odd (row 1), and 1 more in this field (row 3).',
		'• also sent before (row 4).',
		'• To Number: "2" is odd (row 2).',
	]);
});

test('what became of requests is named before bad values', () => {
	const results = [...['a', 'b', 'c'].map((message) => failedWith(message)), failed('refused')];

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
	expect(describeFailures([failedWith('a'), failedWith('a')])).toEqual([
		'2 failed: a (row 1), and 1 more like this (row 2).',
	]);
	expect(describeFailures(Array<Outcome>(13).fill(failedWith('a')))).toEqual([
		'13 failed: a (row 1), and 12 more like this (rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more).',
	]);
	const named = [
		'• b (row 2), and 1 more like this (row 3).',
		'• a (row 1).',
		'• c (row 4).',
		'• d (row 5).',
	];
	const failing = (messages: string) => Array.from(messages, (message) => failedWith(message));
	const ofSeven = ['7 failed:', ...named, '• e (row 6).', '• f (row 7).'];
	expect(describeFailures(failing('abbcdef'))).toEqual(ofSeven);
	const ofEight = [
		'8 failed:',
		...named,
		'• e (row 6).',
		'• 2 more for other reasons (rows 7, 8).',
	];
	expect(describeFailures(failing('abbcdefg'))).toEqual(ofEight);
});
