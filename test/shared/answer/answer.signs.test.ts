import fc from 'fast-check';

import { readAnswer } from '../../../nodes/shared/answer/answer';
import { doneWord } from '../../../nodes/shared/output/summary';
import { OPERATION_ROWS } from '../../operations';
import { pathOf } from '../../operations/row';
import { operationOf } from '../samples';
import { meaningOf } from './meaning';

type Body = Readonly<Record<string, unknown>>;

/** Every operation with its good answer (S 4), and what a no without a reason means for it. */
const OPERATIONS = OPERATION_ROWS.map((row) => {
	const path = pathOf(row);
	const { repeatable } = operationOf(path);
	return { path, good: row.answer, no: `badResponse ${repeatable ? 'refused' : 'unknown'}` };
});

/** What each says no by itself, whatever else the answer holds. */
const NO: readonly Body[] = [
	{ success: false },
	{ status: 'error' },
	{ status: ' Failed\n' },
	{ statusCode: 422.5 },
	{ errors: ['Number blocked'] },
	{ errors: [{}] },
	{ error: 'Number blocked' },
];

/** What looks like a no, and is none. */
const NO_SIGN: readonly Body[] = [
	{ success: true },
	{ success: 'true' },
	{ status: null },
	{ status: ' ' },
	{ statusCode: 'error' },
	{ statusCode: '' },
	{ errors: [] },
	{ errors: 'none' },
	{ error: null },
	{ error: false },
];

/** Statuses that no call has (S 2.6), but others may. */
const OTHER_STATUSES: readonly Body[] = [
	{ status: 'success' },
	{ status: 'failed over' },
	{ status: {} },
];

describe.each(OPERATIONS)('a 2xx to $path', ({ path, good, no }) => {
	test.each(NO)('says no by %j', (sign) => {
		for (const status of [200, 201, 202]) {
			expect(meaningOf(path, status, { ...good, ...sign })).toBe(no);
		}
	});

	test.each(NO_SIGN)('says nothing by %j', (sign) => {
		expect(meaningOf(path, 200, { ...good, ...sign })).toBe('accepted');
	});

	test.each(OTHER_STATUSES)('with %j', (sign) => {
		const isCall = path.startsWith('call.');

		expect(meaningOf(path, 200, { ...good, ...sign })).toBe(isCall ? no : 'accepted');
	});
});

test('a number of 400 or more says no, as a number and as a text', () => {
	const operation = fc.constantFrom(...OPERATIONS);
	const name = fc.constantFrom('status', 'statusCode');
	fc.assert(
		fc.property(operation, name, fc.integer({ min: 0, max: 10_000 }), (one, key, number) => {
			for (const value of [number, String(number), ` ${number} `]) {
				const answer = { ...one.good, [key]: value };
				const isCallStatus = one.path.startsWith('call.') && key === 'status';
				const saysNo = number >= 400 || isCallStatus;

				expect(meaningOf(one.path, 200, answer)).toBe(saysNo ? one.no : 'accepted');
			}
		}),
	);
});

describe('a whole message of S 7 beside the no', () => {
	test.each<[path: string, body: Body, meaning: string]>([
		['sms.start', { status: 'error', msg: 'Forbidden' }, 'forbidden refused'],
		['sms.start', { status: 'error', msg: 'Not sent: API key not valid' }, 'badResponse unknown'],
		['sms.start', { statusCode: 500, msg: 'Server error' }, 'serviceError unknown'],
		['campaign.createBulk', { errors: ['x'], message: 'Invalid input' }, 'invalidInput refused'],
		['assistant.getPrompt', { statusCode: 500, error: 'Server error' }, 'serviceError refused'],
	])('%s: %j is %s', (path, body, meaning) => {
		expect(meaningOf(path, 200, body)).toBe(meaning);
	});
});

describe('a 2xx that neither says no nor holds what was promised', () => {
	test.each<[path: string, body: Body, meaning: string]>([
		['call.place', { msg: 'Call placed. Recording not found' }, 'badResponse unknown'],
		['call.place', { msg: 'Call placed. Recording not found', status: '' }, 'badResponse unknown'],
		['call.place', { msg: 'Call placed. Recording not found', status: 'placed' }, 'accepted'],
		['chat.start', { message: 'Answered. Name of the user not found' }, 'badResponse unknown'],
		['call.place', { msg: 'Assistant not found' }, 'notFound refused'],
	])('%s: %j is %s', (path, body, meaning) => {
		expect(meaningOf(path, 200, body)).toBe(meaning);
	});

	test('no text with a word of success in it is refused, where people are reached', () => {
		const once = OPERATIONS.map(({ path }) => operationOf(path)).filter((one) => !one.repeatable);
		const name = fc.constantFrom('msg', 'message');
		const said = fc.constantFrom('placed', 'sent', 'created', 'triggered', 'added', 'queued');
		const loose = fc.constantFrom('Recording not found', 'Forbidden', 'API key not valid');
		fc.assert(
			fc.property(fc.constantFrom(...once), name, said, loose, (operation, key, done, text) => {
				const body = { [key]: `It was ${done}. ${text}` };
				const answer = readAnswer(operation, { status: 200, body });

				expect(answer).not.toMatchObject({ failure: { outcome: 'refused' } });
			}),
			{ numRuns: 200 },
		);
	});
});

test.each([
	[' Placed ', 'placed'],
	['QUEUED', 'queued'],
	[undefined, 'placed'],
])('the status %j of a call is the result %s', (status, expected) => {
	const body = { callId: 'c', ...(status !== undefined && { status }) };

	expect(meaningOf('call.place', 200, body)).toBe('accepted');
	expect(doneWord(operationOf('call.place'), body)).toBe(expected);
});
