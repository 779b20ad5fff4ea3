import fc from 'fast-check';

import type { Answer } from '../../../nodes/shared/answer';
import { MAX_TRIES, readRetryAfter, retryDelay } from '../../../nodes/shared/delivery/retry';
import {
	createFailure,
	FAILURE_TEXTS,
	type FailureKind,
	type Outcome,
} from '../../../nodes/shared/failure';
import { operationOf } from '../samples';

const SAFE = operationOf('assistant.getPrompt');
const UNSAFE = operationOf('call.place');

const refusal = (
	kind: FailureKind,
	outcome: Outcome,
	retryAfter?: string,
): Answer & { accepted: false } => ({
	accepted: false,
	failure: createFailure({ kind, outcome }),
	retryAfter,
});

const isRetried = (operation: typeof SAFE, kind: FailureKind, outcome: Outcome): boolean =>
	retryDelay(operation, refusal(kind, outcome), 1, 0) !== undefined;

/** Which outcomes of a kind are tried again: those of an operation that is safe to repeat, those of another. */
const RETRIED: Partial<Record<FailureKind, [safe: Outcome[], unsafe: Outcome[]]>> = {
	unreachable: [
		['refused', 'notSent', 'unknown'],
		['refused', 'notSent'],
	],
	rateLimited: [
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
			return retryDelay(SAFE, refusal('serviceError', 'refused'), tries, 0);
		};

		expect(delayAt(0)).toBe(least);
		expect(delayAt(0.5)).toBe((least + most) / 2);
		expect(delayAt(1)).toBe(most);
	});

	test('there are only so many tries', () => {
		expect(retryDelay(SAFE, refusal('unreachable', 'notSent'), MAX_TRIES, 0)).toBeUndefined();
		expect(retryDelay(SAFE, refusal('unreachable', 'notSent'), MAX_TRIES - 1, 0)).toBeDefined();
	});

	test.each<[retryAfter: string, elapsed: number, delay: number | undefined]>([
		['0', 0, 0],
		['7', 0, 7_000],
		['120', 0, 120_000],
		['121', 0, undefined],
		['99999999999999', 0, undefined],
		['20', 100_000, 20_000],
		['20', 100_001, undefined],
	])('Retry-After %s, %i ms after the first try', (retryAfter, elapsed, delay) => {
		const answer = refusal('rateLimited', 'refused', retryAfter);

		expect(retryDelay(UNSAFE, answer, 1, elapsed)).toBe(delay);
	});

	test('no try starts later than two minutes after the first', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 3 }),
				fc.nat(200_000),
				fc.string(),
				(tries, elapsed, header) => {
					const delay = retryDelay(SAFE, refusal('rateLimited', 'refused', header), tries, elapsed);

					if (delay === undefined) return;
					expect(delay).toBeGreaterThanOrEqual(0);
					expect(elapsed + delay).toBeLessThanOrEqual(120_000);
				},
			),
		);
	});
});

describe('Retry-After', () => {
	const now = Date.parse('2026-01-01T00:00:00Z');

	test.each<[header: string | undefined, delay: number | undefined]>([
		[undefined, undefined],
		['', undefined],
		['soon', undefined],
		['-1', undefined],
		['1e3', undefined],
		['5 seconds', undefined],
		['abc 5', undefined],
		['1,5', undefined],
		['Infinity', undefined],
		['0', 0],
		['7', 7_000],
		[' 7 ', 7_000],
		['1.5', 1_500],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
		['Wed, 31 Dec 2025 23:59:59 GMT', 0],
		['Thu, 99 Jan 2026 00:00:30 GMT', undefined],
	])('%j is %s ms', (header, delay) => {
		expect(readRetryAfter(header, now)).toBe(delay);
	});
});
