import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { forAgent } from '../../../nodes/shared/answer/agentAdvice';
import {
	createFailure,
	FAILURE_TEXTS,
	type Failure,
	type FailureKind,
} from '../../../nodes/shared/answer/failure';
import {
	createErrorItem,
	createNodeError,
	createPlainErrorItem,
	describeFailure,
} from '../../../nodes/shared/answer/nodeError';
import { limitReached, waitedTooLong } from '../../../nodes/shared/delivery/deliveryFailures';
import { steadyNow } from '../../../nodes/shared/time/clock';
import { node } from '../samples';

const kinds = Object.keys(FAILURE_TEXTS) as FailureKind[];

const failure = (more: Partial<Failure> = {}): Failure =>
	createFailure({ kind: 'forbidden', outcome: 'refused', httpStatus: 403, ...more });

const REPEAT = /[Dd]o not repeat this tool call|[Rr]epeat this tool call once at most/;

test.each(kinds)('%s: n8n keeps what a user and what an agent is told', (kind) => {
	for (const outcome of ['refused', 'notSent', 'unknown'] as const) {
		const given = createFailure({ kind, outcome });
		const error = createNodeError(node, given, { itemIndex: 3 });
		const told = forAgent(given);

		expect(error.message).toBe(FAILURE_TEXTS[kind].message);
		expect(error.description ?? '').toBe(given.hint);
		expect(createNodeError(node, told, { itemIndex: 0 }).message).toBe(told.message);
		expect(told.message).toMatch(REPEAT);
		expect(told.message.startsWith(FAILURE_TEXTS[kind].message)).toBe(true);
		expect(told.message.includes('Nothing was sent.')).toBe(outcome === 'notSent');
		expect(told.message).not.toMatch(/\b(?:Open|Raise|Upgrade|options|credential)\b/);
	}
});

test('a hint of the failure itself stays: it says more', () => {
	const told = forAgent(
		createFailure({ kind: 'forbidden', outcome: 'refused', hint: 'Try again at 12:00.' }),
	);

	expect(told.message).toBe(`${FAILURE_TEXTS.forbidden.message}. Try again at 12:00.`);
});

test('an unknown outcome of an operation that is safe to repeat may be repeated once', () => {
	const lost = createFailure({ kind: 'timeout', outcome: 'unknown' });

	expect(forAgent(lost, { repeatable: true }).message).toMatch(/once at most/);
	expect(forAgent(lost, { repeatable: false }).message).toMatch(/Do not repeat this tool call/);
});

test('what misleads if the request may have taken effect is not told then', () => {
	for (const kind of ['serviceError', 'unreachable', 'timeout', 'badResponse'] as const) {
		const isMisleading = kind === 'serviceError' || kind === 'unreachable';
		const { hint } = FAILURE_TEXTS[kind];

		expect(createFailure({ kind, outcome: 'notSent' }).hint).toBe(hint);
		expect(createFailure({ kind, outcome: 'unknown' }).hint).toBe(isMisleading ? '' : hint);
	}
});

test.each<[kind: FailureKind, outcome: Failure['outcome'], type: unknown]>([
	['invalidInput', 'notSent', NodeOperationError],
	['stopped', 'notSent', NodeOperationError],
	['invalidInput', 'refused', NodeApiError],
	['unreachable', 'notSent', NodeApiError],
	['timeout', 'unknown', NodeApiError],
])('the error %s %s has its type', (kind, outcome, type) => {
	expect(createNodeError(node, createFailure({ kind, outcome }), { itemIndex: 0 })).toBeInstanceOf(
		type,
	);
});

test('what the service says is a sentence in the description', () => {
	const given = failure({ serviceMessage: 'Stop!', hint: 'Do this.' });

	expect(describeFailure(given, [])).toEqual(['The answer says: Stop! Do this.']);
});

test('an item holds error and details, which begin with who it was for, and nothing else', () => {
	const given = failure({ outcome: 'unknown', moreInfo: 'https://x' });
	const person = { toNumber: '+49151', reference: 'crm-1' };

	const json = createErrorItem(given, person);

	const { message, ...details } = given;
	expect(json).toEqual({ error: message, details: { ...person, ...details } });
	expect(Object.keys(json.details ?? {}).slice(0, 3)).toEqual(['toNumber', 'reference', 'kind']);
});

test('the item for an error output without details tells who it was for', () => {
	const given = createFailure({ kind: 'timeout', outcome: 'unknown' });

	const json = createPlainErrorItem(given, '+49151 (crm-1)');

	expect(Object.keys(json)).toEqual(['error', 'message']);
	// Of an unknown outcome it comes before the hint.
	expect(json.message).toBe(`To: +49151 (crm-1). ${given.hint}`);
	expect(createPlainErrorItem(given)).toMatchObject({ message: given.hint });
});

const limited = createFailure({ kind: 'rateLimited', outcome: 'refused', httpStatus: 429 });

const HOUR = 3_600_000;

test.each([
	['that the service has named', () => steadyNow() + HOUR / 2, /asked again at \d\S+, in 1800 s\./],
	['of a last second', () => steadyNow() + 900, /asked again at \d\S+, in 1 s\./],
	['that is over', () => steadyNow() - 1, /within the next minute/],
	['that the service has not named', () => undefined, /within the next minute/],
])('a wait %s: an agent reads what it can do, a user about the options', (_, askAgainAt, told) => {
	for (const failure of [limitReached(askAgainAt()), waitedTooLong(limited, askAgainAt())]) {
		const { message } = forAgent(failure);

		expect(message).toMatch(told);
		expect(message).toMatch(/Do not repeat this tool call/);
		expect(message).not.toMatch(/Max Wait|Requests per Second|options/);
	}
	const isNamed = (askAgainAt() ?? 0) > steadyNow();
	expect(limitReached(askAgainAt()).hint.includes('raise "Max Wait"')).toBe(!isNamed);
});
