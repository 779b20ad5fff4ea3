import fc from 'fast-check';

import { readAnswer, type Answer, type Rejected } from '../../../nodes/shared/answer/answer';
import type { Verdict } from '../../../nodes/shared/delivery/lane';
import {
	asksToWait,
	backoff,
	MAX_TRIES,
	retryDelay,
	verdictOf,
} from '../../../nodes/shared/delivery/retry';
import {
	createFailure,
	FAILURE_TEXTS,
	type FailureKind,
	type Outcome,
} from '../../../nodes/shared/answer/failure';
import { operationOf } from '../samples';

const SAFE = operationOf('assistant.getPrompt');
const UNSAFE = operationOf('call.place');

const refusal = (kind: FailureKind, outcome: Outcome): Rejected => ({
	accepted: false,
	failure: createFailure({ kind, outcome }),
	effect: outcome === 'unknown' ? 'possible' : 'none',
});

const isRetried = (operation: typeof SAFE, kind: FailureKind, outcome: Outcome): boolean =>
	retryDelay(operation, refusal(kind, outcome), 1) !== undefined;

/** Which outcomes of a kind are tried again: those of an operation that is safe to repeat, those of another. */
const RETRIED: Partial<Record<FailureKind, [safe: Outcome[], unsafe: Outcome[]]>> = {
	unreachable: [
		['refused', 'notSent', 'unknown'],
		['refused', 'notSent'],
	],
	serviceError: [
		['refused', 'notSent', 'unknown'],
		['refused', 'notSent'],
	],
};

describe.each(Object.keys(FAILURE_TEXTS) as FailureKind[])('%s', (kind) => {
	test.each(['refused', 'notSent', 'unknown'] as const)('%s', (outcome) => {
		const [safe = [], unsafe = []] = RETRIED[kind] ?? [];

		expect(isRetried(SAFE, kind, outcome)).toBe(safe.includes(outcome));
		expect(isRetried(UNSAFE, kind, outcome)).toBe(unsafe.includes(outcome));
	});
});

describe('how long to wait', () => {
	afterEach(() => {
		jest.restoreAllMocks();
	});

	test.each([
		[1, 250, 500],
		[2, 500, 1_000],
		[3, 1_000, 2_000],
	])('after try %i between %i and %i ms', (tries, least, most) => {
		const random = jest.spyOn(Math, 'random');
		const delayAt = (value: number) => {
			random.mockReturnValue(value);
			return retryDelay(SAFE, refusal('serviceError', 'refused'), tries);
		};

		expect(delayAt(0)).toBe(least);
		expect(delayAt(0.5)).toBe((least + most) / 2);
		expect(delayAt(1)).toBe(most);
	});

	test('there are only so many tries', () => {
		expect(retryDelay(SAFE, refusal('unreachable', 'notSent'), MAX_TRIES)).toBeUndefined();
		expect(retryDelay(SAFE, refusal('unreachable', 'notSent'), MAX_TRIES - 1)).toBeDefined();
	});

	test('never longer than half a minute', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 100_000 }), (refusals) => {
				expect(backoff(refusals)).toBeLessThanOrEqual(30_000);
				expect(backoff(refusals)).toBeGreaterThanOrEqual(250);
			}),
		);
	});
});

describe('who is asked to wait', () => {
	const answer = (status: number, retryAfter?: string): Answer =>
		readAnswer(SAFE, { status, body: {}, retryAfter });

	test.each<[name: string, answer: Answer, verdict: Verdict, waits: boolean]>([
		['a good answer', { accepted: true, body: {} }, { kind: 'taken' }, false],
		['429', answer(429), { kind: 'refused' }, true],
		['429 with time', answer(429, '2'), { kind: 'refused', holdFor: 2_000 }, true],
		['503', answer(503), { kind: 'refused' }, false],
		['503 with time', answer(503, '0'), { kind: 'refused', holdFor: 0 }, true],
		['503 with a time that cannot be read', answer(503, 'soon'), { kind: 'refused' }, false],
		['500', answer(500), { kind: 'unknown' }, false],
		['500 with time', answer(500, '2'), { kind: 'unknown' }, false],
		['400', answer(400), { kind: 'taken' }, false],
		['400 with time', answer(400, '2'), { kind: 'taken' }, false],
		['407 of a proxy', answer(407), { kind: 'unknown' }, false],
		['no answer', refusal('timeout', 'unknown'), { kind: 'unknown' }, false],
	])('%s', (_, given, verdict, waits) => {
		expect(verdictOf(given)).toEqual(verdict);
		expect(!given.accepted && asksToWait(given)).toBe(waits);
	});
});
