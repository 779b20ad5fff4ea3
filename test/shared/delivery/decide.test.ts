import fc from 'fast-check';

import { readAnswer, type Answer, type Rejected } from '../../../nodes/shared/answer/answer';
import {
	asksToWait,
	decide,
	isFallbackDue,
	paceOf,
	type Decision,
	type SoFar,
} from '../../../nodes/shared/delivery/decide';
import type { PaceSignal } from '../../../nodes/shared/gate/pace';
import {
	createFailure,
	FAILURE_TEXTS,
	type FailureKind,
	type FailureOutcome,
} from '../../../nodes/shared/answer/failure';
import { operationOf } from '../samples';

const READ = operationOf('assistant.getPrompt');
const CALL = operationOf('call.place');
const WRITE = operationOf('assistant.updatePrompt');
const DELETE = operationOf('knowledgeBase.deleteParagraph');

const refusal = (kind: FailureKind, outcome: FailureOutcome): Rejected => ({
	kind: 'failed',
	failure: createFailure({ kind, outcome }),
	effect: outcome === 'unknown' ? 'possible' : 'none',
});

const answered = (status: number, retryAfter?: string, body: unknown = {}): Rejected => {
	const answer = readAnswer(READ, { status, body, retryAfter });
	if (answer.kind === 'accepted') throw new Error('It was accepted');
	return answer;
};

const GOOD: Answer = { kind: 'accepted', body: { msg: 'Done' } };
const NOBODY = refusal('unreachable', 'notSent');
const BROKEN = refusal('unreachable', 'unknown');
const ERROR = answered(500);
const LATER = answered(429);
const DOWN_2 = answered(503, '2');
const LATER_4 = [LATER, LATER, LATER, LATER];
const GONE = answered(404, undefined, { message: 'Not found' });
const OF_PROXY = answered(404, undefined, '404 page not found');
const EMPTY = answered(404, undefined, '');
const REFUSED = answered(400);

const FIRST: SoFar = {
	...{ earlier: [], waitLeft: 600_000, isServiceDown: false },
	...{ now: 0, chance: 1 },
};

const tried = (times: number, answer: Rejected): SoFar => ({
	...FIRST,
	earlier: Array<Rejected>(times).fill(answer),
});

test.each([
	['msgapp.continueConversation', refusal('windowClosed', 'refused'), true],
	['msgapp.continueConversation', refusal('windowNotOpen', 'refused'), true],
	['msgapp.continueConversation', refusal('windowClosed', 'unknown'), false],
	['msgapp.continueConversation', REFUSED, false],
	['msgapp.continueConversation', LATER, false],
	['msgapp.sendTemplate', refusal('windowClosed', 'refused'), false],
])('%s: after %j, the fallback is sent: %s', (path, answer, isDue) => {
	expect(isFallbackDue(operationOf(path), answer)).toBe(isDue);
});

/** After how many milliseconds the request goes out again at the earliest; `undefined` if it does not. */
const delayOf = (decision: Decision): number | undefined =>
	'after' in decision ? decision.after : undefined;

const isRetried = (operation: typeof READ, kind: FailureKind, outcome: FailureOutcome): boolean =>
	decide(operation, refusal(kind, outcome), FIRST).next === 'again';

test.each(Object.keys(FAILURE_TEXTS) as FailureKind[])('%s: tried again, or not', (kind) => {
	const isPassing = kind === 'unreachable' || kind === 'serviceError';
	for (const outcome of ['refused', 'notSent', 'unknown'] as const) {
		expect(isRetried(READ, kind, outcome)).toBe(isPassing);
		expect(isRetried(CALL, kind, outcome)).toBe(isPassing && outcome !== 'unknown');
	}
});

describe('how long to wait', () => {
	test.each([
		[1, 250, 500],
		[2, 500, 1_000],
		[3, 1_000, 2_000],
	])('after try %i between %i and %i ms', (tries, least, most) => {
		const failure = refusal('serviceError', 'refused');
		const delayAt = (chance: number) =>
			delayOf(decide(READ, failure, { ...tried(tries - 1, failure), chance }));

		expect(delayAt(0)).toBe(least);
		expect(delayAt(0.5)).toBe((least + most) / 2);
		expect(delayAt(1)).toBe(most);
	});

	test('never longer than half a minute', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 2_000 }),
				fc.double({ min: 0, max: 1, noNaN: true }),
				(refusals, chance) => {
					const delay = delayOf(decide(CALL, LATER, { ...tried(refusals - 1, LATER), chance }));

					expect(delay).toBeLessThanOrEqual(30_000);
					expect(delay).toBeGreaterThanOrEqual(250);
				},
			),
		);
	});
});

test.each<[name: string, answer: Answer, verdict: PaceSignal, waits: boolean]>([
	['a good answer', { kind: 'accepted', body: {} }, { kind: 'served' }, false],
	['429', answered(429), { kind: 'refused' }, true],
	['429 with time', answered(429, '2'), { kind: 'refused', holdFor: 2_000 }, true],
	['503', answered(503), { kind: 'refused' }, false],
	['503 with time', answered(503, '0'), { kind: 'refused', holdFor: 0 }, true],
	['503 with a time that cannot be read', answered(503, 'soon'), { kind: 'refused' }, false],
	['500', answered(500), { kind: 'unknown' }, false],
	['500 with time', answered(500, '2'), { kind: 'unknown' }, false],
	['400', answered(400), { kind: 'served' }, false],
	['400 with time', answered(400, '2'), { kind: 'served' }, false],
	['407 of a proxy', answered(407), { kind: 'unknown' }, false],
	['no answer', refusal('timeout', 'unknown'), { kind: 'unknown' }, false],
])('who is asked to wait: %s', (_, given, verdict, waits) => {
	expect(paceOf(given)).toEqual(verdict);
	expect(given.kind !== 'accepted' && asksToWait(given)).toBe(waits);
});

/** `wait` and `again` with what the item would get, and after how many milliseconds the request may go out again. */
const told = (decision: Decision): string => {
	const { next, answer } = decision;
	const result =
		answer.kind === 'accepted'
			? JSON.stringify(answer.body)
			: `${answer.failure.kind} ${answer.failure.outcome}`;
	return [next, ...('after' in decision ? [decision.after] : []), result].join(' ');
};

describe('what follows from an answer', () => {
	test.each<[name: string, typeof READ, earlier: Rejected[], Answer, expected: string]>([
		['a good answer', CALL, [], GOOD, 'done {"msg":"Done"}'],
		['a good answer after a doubt', READ, [ERROR], GOOD, 'done {"msg":"Done"}'],
		['no connection', CALL, [], NOBODY, 'again 500 unreachable notSent'],
		['no connection again', CALL, [NOBODY], NOBODY, 'again 1000 unreachable notSent'],
		['a broken connection', CALL, [], BROKEN, 'giveUp unreachable unknown'],
		['a broken connection, reading', READ, [], BROKEN, 'again 500 unreachable unknown'],
		['nobody after a break, reading', READ, [BROKEN], NOBODY, 'again 1000 unreachable notSent'],
		['nobody after a break, writing', WRITE, [BROKEN], NOBODY, 'again 1000 unreachable unknown'],
		['a fourth error', READ, [ERROR, ERROR, ERROR], ERROR, 'giveUp serviceError refused'],
		['a refusal', CALL, [], REFUSED, 'giveUp invalidInput refused'],
		['a refusal after an error, reading', READ, [ERROR], REFUSED, 'giveUp invalidInput refused'],
		['a refusal after an error, writing', WRITE, [ERROR], REFUSED, 'giveUp invalidInput unknown'],
		['a refusal after nobody', WRITE, [NOBODY], REFUSED, 'giveUp invalidInput refused'],
		['an error after an error, writing', WRITE, [ERROR], ERROR, 'again 1000 serviceError refused'],
		['gone', DELETE, [], GONE, 'giveUp notFound refused'],
		['gone after a refusal', DELETE, [LATER], GONE, 'giveUp notFound refused'],
		['gone after an error', DELETE, [ERROR], GONE, 'done {"msg":"Not found"}'],
		['gone after a broken connection', DELETE, [BROKEN, LATER], GONE, 'done {"msg":"Not found"}'],
		['a page after an error', DELETE, [ERROR], OF_PROXY, 'giveUp badResponse unknown'],
		['nothing after an error', DELETE, [ERROR], EMPTY, 'giveUp notFound unknown'],
		['a refusal after an error, deleting', DELETE, [ERROR], REFUSED, 'giveUp invalidInput unknown'],
		['gone after an error, writing', WRITE, [ERROR], GONE, 'giveUp notFound unknown'],
		['429', CALL, [], LATER, 'wait 500 rateLimited refused'],
		['429 again', CALL, [LATER, LATER], LATER, 'wait 2000 rateLimited refused'],
		['429 after a 503 with time', CALL, [DOWN_2], LATER, 'wait 1000 rateLimited refused'],
		['429 after an error, writing', WRITE, [ERROR], LATER, 'wait 500 rateLimited unknown'],
		['429 with time', CALL, [], answered(429, '2'), 'wait 0 rateLimited refused'],
		['429 with time again', CALL, [LATER], answered(429, '2'), 'wait 500 rateLimited refused'],
		['503 with time', CALL, [], DOWN_2, 'wait 0 serviceError refused'],
		['an error after waits', READ, LATER_4, ERROR, 'again 500 serviceError refused'],
		['a wait after tries', READ, [ERROR, ERROR, ERROR], LATER, 'wait 500 rateLimited refused'],
	])('%s', (_, operation, earlier, answer, expected) => {
		expect(told(decide(operation, answer, { ...FIRST, earlier }))).toBe(expected);
	});

	test.each<[Rejected, waitLeft: number, expected: string]>([
		[LATER, 0, 'giveUp rateLimited refused'],
		[LATER, 200, 'wait 200 rateLimited refused'],
		[answered(429, '2'), 1_999, 'giveUp rateLimited refused'],
		[answered(429, '2'), 2_000, 'wait 0 rateLimited refused'],
		[answered(429, '0'), 0, 'giveUp rateLimited refused'],
		[ERROR, 0, 'again 500 serviceError refused'],
	])('with so much left of Max Wait: %#', (answer, waitLeft, expected) => {
		expect(told(decide(READ, answer, { ...FIRST, waitLeft }))).toBe(expected);
	});

	test('an item whose service is down gets one try, but waits when asked to', () => {
		const down = { ...FIRST, isServiceDown: true };

		expect(told(decide(READ, NOBODY, down))).toBe('giveUp unreachable notSent');
		expect(told(decide(READ, LATER, down))).toBe('wait 500 rateLimited refused');
	});
});
