import fc from 'fast-check';

import {
	readAnswer,
	readRetryAfter,
	type ServiceResponse,
} from '../../../nodes/shared/answer/answer';
import { FAILURE_TEXTS } from '../../../nodes/shared/answer/failure';
import { anyText } from '../../anyText';
import { OPERATION_CASES, OPERATION_ROWS } from '../../operations';
import { pathOf } from '../../operations/row';
import { operationOf, operations } from '../samples';
import { meaningOf } from './meaning';

type Body = Readonly<Record<string, unknown>>;

const read = (path: string, response: ServiceResponse) => readAnswer(operationOf(path), response);

/** What the service is asked for, by names that leave room in a row. */
const CALL = 'call.place';
const SMS = 'sms.start';
const BULK = 'campaign.createBulk';
const SINGLE = 'campaign.createSingle';
const MESSAGE = 'msgapp.continueConversation';
const START = 'msgapp.startConversation';
const LOCK = 'assistant.setLock';
const PROMPT = 'assistant.getPrompt';
const BASE = 'knowledgeBase.get';
const CONVERSATION = 'chat.getConversation';

/** Texts of S 5 and S 7. */
const KEY = 'API key not valid';
const UPGRADE = 'Account upgrade is needed to continue';
const CLOSED =
	'More than 24 hours have passed since the last message, the customer window is closed';
const NOT_OPEN = 'The customer has not responded yet, so the customer window is not open';
const NOT_FOUND = 'Call placed. Recording not found';

const LINK = { code: 40000, moreInfo: 'https://x' };
const CALLED = { callId: '1', status: 'placed' };

/** Statuses at which a text of S 5 or S 3 means the same. */
const ANY = [200, 201, 400, 401, 402, 403, 404, 409, 422, 500, 503];
const SHOWN_NOWHERE = [200, 400];

type Row = [path: string, statuses: number | number[], body: unknown, meaning: string];

const ACCEPTED: Row[] = [
	...OPERATION_CASES.map((one): Row => [pathOf(one), 200, one.answer, 'accepted']),
	['chat.start', 200, { response: 'Account upgrade is a topic. Server error too.' }, 'accepted'],
	[CONVERSATION, 200, { _id: '1' }, 'accepted'],
	[CONVERSATION, 200, { messages: [] }, 'accepted'],
	[CALL, 202, { msg: 'Queued: limit reached', status: 'queued', callId: '1' }, 'accepted'],
	[CALL, 200, { msg: NOT_FOUND, status: 'placed' }, 'accepted'],
	[SMS, 200, { msg: 'Sent "Forbidden" to +4915112345678, message id: 1' }, 'accepted'],
	[SINGLE, 200, { message: 'Campaign created. Campaign id: 1', status: 200 }, 'accepted'],
	['knowledgeBase.deleteParagraph', 200, { msg: 'Deleted; it is not found any more' }, 'accepted'],
	['assistant.updatePrompt', 200, { prompt: 'Say: forbidden' }, 'accepted'],
	[PROMPT, 200, { prompt: '' }, 'accepted'],
];

/** What is no answer of the service, or does not hold what was promised. */
const NO_ANSWER: Row[] = [
	[CALL, 200, '', 'badResponse unknown'],
	[CALL, 204, undefined, 'badResponse unknown'],
	[CALL, 200, [CALLED], 'badResponse unknown'],
	[CALL, 200, { callId: null, msg: 'ok' }, 'badResponse unknown'],
	[CALL, 200, { callId: '', status: '', msg: '' }, 'badResponse unknown'],
	[CALL, 200, { msg: NOT_FOUND, status: '' }, 'badResponse unknown'],
	[CALL, 200, { msg: NOT_FOUND }, 'badResponse unknown'],
	['chat.start', 200, { message: 'Answered. Name of the user not found' }, 'badResponse unknown'],
	[CONVERSATION, 200, { _id: ' ', messages: 'none', attributes: {} }, 'badResponse unknown'],
	[BASE, 200, { knowledgeBase: { label: 'x' } }, 'badResponse unknown'],
	[BASE, 200, { knowledgeBase: { paragraphs: ['x'] } }, 'badResponse unknown'],
	[START, 200, { data: null }, 'badResponse unknown'],
	[CALL, 300, CALLED, 'badResponse unknown'],
	[CALL, 103, '', 'badResponse unknown'],
];

const REFUSED: Row[] = [
	// S 7.1 shows the status.
	[SINGLE, 401, { message: KEY, status: 401 }, 'invalidApiKey refused'],
	[SINGLE, 402, { message: UPGRADE, status: 402 }, 'upgradeRequired refused'],
	[SINGLE, 403, { message: KEY, status: 403 }, 'invalidApiKey refused'],
	[SINGLE, 403, { status: 403 }, 'invalidApiKey refused'],
	[CALL, 400, { msg: 'Invalid input' }, 'invalidInput refused'],
	[CALL, 403, { msg: 'Forbidden' }, 'forbidden refused'],
	[CALL, 500, { msg: 'Server error' }, 'serviceError unknown'],
	[START, 409, { msg: 'No msgapp phone number ids are found' }, 'noSenderNumber refused'],
	[START, 409, '', 'noSenderNumber refused'],
	[CONVERSATION, 400, LINK, 'invalidInput refused'],
	[CONVERSATION, 404, { message: 'Conversation not found' }, 'notFound refused'],
	[CONVERSATION, 500, { message: 'Internal server error' }, 'serviceError refused'],
	// S 7.2 shows none.
	[BULK, SHOWN_NOWHERE, { message: 'Server error' }, 'serviceError unknown'],
	['chat.start', SHOWN_NOWHERE, { error: 'Server error' }, 'serviceError unknown'],
	[MESSAGE, SHOWN_NOWHERE, { msg: 'Internal server error' }, 'serviceError unknown'],
	[BASE, SHOWN_NOWHERE, { msg: 'Bad request' }, 'invalidInput refused'],
	[LOCK, SHOWN_NOWHERE, { error: 'Invalid workspace or assistant ID' }, 'invalidInput refused'],
	[LOCK, SHOWN_NOWHERE, { error: 'Assistant not found' }, 'notFound refused'],
	[LOCK, SHOWN_NOWHERE, { error: 'Internal server error' }, 'serviceError refused'],
	[PROMPT, SHOWN_NOWHERE, { error: 'Failed to retrieve model settings' }, 'serviceError refused'],
	[CALL, 200, { msg: 'Assistant not found' }, 'notFound refused'],
	[SMS, [200, 400, 403], { error: 'Forbidden' }, 'forbidden refused'],
	['chat.continue', 400, LINK, 'invalidInput refused'],
	[BULK, 400, { message: 'sheetURL: unreadable' }, 'invalidInput refused'],
	[BULK, 403, { message: KEY }, 'invalidApiKey refused'],
	[BULK, 403, {}, 'invalidApiKey refused'],
	['msgapp.sendTemplate', 500, { msg: 'Internal server error' }, 'serviceError unknown'],
	// The text says it at any status.
	['chat.start', ANY, { message: KEY }, 'invalidApiKey refused'],
	[LOCK, ANY, { message: 'There is no API key, authorization denied' }, 'missingApiKey refused'],
	['chat.continue', ANY, { message: UPGRADE }, 'upgradeRequired refused'],
	[MESSAGE, ANY, { msg: CLOSED }, 'windowClosed refused'],
	[MESSAGE, ANY, { error: NOT_OPEN }, 'windowNotOpen refused'],
	// A whole message beside a no.
	[SMS, 200, { status: 400, msg: 'Forbidden' }, 'forbidden refused'],
	[SMS, 200, { status: 'error', msg: 'Not sent: API key not valid' }, 'badResponse unknown'],
	[SMS, 200, { statusCode: 500, msg: 'Server error' }, 'serviceError unknown'],
	[BULK, 200, { errors: ['x'], message: 'Invalid input' }, 'invalidInput refused'],
	[PROMPT, 200, { statusCode: 500, error: 'Server error' }, 'serviceError refused'],
	// What only a good answer has makes it uncertain.
	['chat.start', 200, { response: '', message: KEY }, 'invalidApiKey unknown'],
	[CALL, 200, { callId: 'c', msg: 'Forbidden' }, 'forbidden unknown'],
	[CALL, 200, { callId: 'c', error: 'Assistant not found' }, 'notFound unknown'],
	[PROMPT, 200, { prompt: '', error: 'Assistant not found' }, 'notFound refused'],
	// A server that fails may have acted, whatever it says.
	[CALL, 500, { msg: 'Bad request' }, 'invalidInput unknown'],
	[CALL, 500, { msg: 'Assistant not found' }, 'notFound unknown'],
	[CALL, 500, { msg: 'No msgapp phone number ids' }, 'noSenderNumber unknown'],
];

test.each([...ACCEPTED, ...NO_ANSWER, ...REFUSED])('%s: %j %j is %s', (path, of, body, meaning) => {
	for (const status of [of].flat()) {
		expect([status, meaningOf(path, status, body)]).toEqual([status, meaning]);
		if (meaning === 'accepted') expect(read(path, { status, body })).toMatchObject({ body });
	}
});

test.each<[number, string | undefined, unsafe: string, safe: string, effect: string]>([
	[500, undefined, 'serviceError unknown', 'serviceError refused', 'possible'],
	[502, '3', 'serviceError unknown', 'serviceError refused', 'possible'],
	[503, undefined, 'serviceError unknown', 'serviceError refused', 'possible'],
	[503, '3', 'serviceError refused', 'serviceError refused', 'noneYet'],
	[408, undefined, 'serviceError unknown', 'serviceError refused', 'possible'],
	[407, undefined, 'unreachable notSent', 'unreachable notSent', 'none'],
	[429, undefined, 'rateLimited refused', 'rateLimited refused', 'noneYet'],
	[401, undefined, 'invalidApiKey refused', 'invalidApiKey refused', 'none'],
	[409, undefined, 'invalidInput refused', 'invalidInput refused', 'none'],
])(
	'a status without a text: %s with Retry-After %s',
	(status, retryAfter, unsafe, safe, effect) => {
		expect(meaningOf(SMS, status, {}, retryAfter)).toBe(unsafe);
		expect(meaningOf(LOCK, status, {}, retryAfter)).toBe(safe);
		for (const path of [SMS, LOCK])
			expect(read(path, { status, body: {}, retryAfter })).toMatchObject({
				kind: 'failed',
				effect,
			});
	},
);

test.each<[body: unknown, serviceMessage: unknown, code: unknown, moreInfo: unknown]>([
	[{ msg: ' Invalid input ' }, 'Invalid input', null, null],
	[{ msg: '', message: '  ', error: 'Third' }, 'Third', null, null],
	[LINK, null, LINK.code, LINK.moreInfo],
	[{ code: 'E1', moreInfo: 7 }, null, 'E1', null],
	[{ code: { a: 1 }, msg: { a: 1 } }, null, null, null],
	[['Invalid input'], null, null, null],
	[undefined, null, null, null],
	[{ msg: 'x'.repeat(5_000) }, 'x'.repeat(1_000), null, null],
])('what the error body %j says', (body, serviceMessage, code, moreInfo) => {
	const failure = { httpStatus: 400, serviceMessage, code, moreInfo };

	expect(read(CALL, { status: 400, body })).toMatchObject({ kind: 'failed', failure });
});

test.each([CALL, SMS, SINGLE])('a hint of %s without a reason names the fields', (path) => {
	const usual = expect.stringMatching(/"Assistant ID" .* "From Number" .* "To Number"/) as string;
	const expectHint = (status: number, body: Body, hint: string): void => {
		expect(read(path, { status, body })).toMatchObject({ failure: { hint } });
	};

	for (const body of [{}, { msg: 'Invalid input' }, LINK]) expectHint(400, body, usual);
	expectHint(400, { msg: 'toNumber: Invalid' }, FAILURE_TEXTS.invalidInput.hint);
	expectHint(404, { msg: 'Assistant not found' }, FAILURE_TEXTS.notFound.hint);
});

/** Every operation with its good answer (S 4), and what a no without a reason means for it. */
const OPERATIONS = OPERATION_ROWS.map((row) => {
	const path = pathOf(row);
	const { repeatable } = operationOf(path);
	return { path, good: row.answer, no: `badResponse ${repeatable ? 'refused' : 'unknown'}` };
});

/** What each says no by itself, whatever else the answer holds. */
const NO: readonly Body[] = [
	...[{ success: false }, { status: 'error' }, { status: ' Failed\n' }, { statusCode: 422.5 }],
	...[{ errors: ['Number blocked'] }, { errors: [{}] }, { error: 'Number blocked' }],
	{ statusCode: 400 },
];

/** What looks like a no, and is none. */
const NO_SIGN: readonly Body[] = [
	...[{ success: true }, { success: 'true' }, { status: null }, { status: ' ' }],
	...[{ statusCode: 'error' }, { statusCode: '' }, { errors: [] }, { errors: 'none' }],
	...[{ error: null }, { error: false }],
];

/** Statuses that no call has (S 2.6), but others may. */
const OTHER_STATUSES: readonly Body[] = [
	...[{ status: 'success' }, { status: 'failed over' }, { status: {} }],
];

describe.each(OPERATIONS)('a 2xx to $path', ({ path, good, no }) => {
	const ofOthers = path.startsWith('call.') ? no : 'accepted';

	test.each<[sign: Body, meaning: string]>([
		...NO.map((sign): [Body, string] => [sign, no]),
		...NO_SIGN.map((sign): [Body, string] => [sign, 'accepted']),
		...OTHER_STATUSES.map((sign): [Body, string] => [sign, ofOthers]),
	])('with %j is %s', (sign, meaning) => {
		for (const status of [200, 201, 202])
			expect(meaningOf(path, status, { ...good, ...sign })).toBe(meaning);
	});
});

test('a number of 400 or more says no, as a number and as a text', () => {
	const name = fc.constantFrom('status', 'statusCode');
	const numbers = fc.integer({ min: 0, max: 10_000 });
	fc.assert(
		fc.property(
			fc.constantFrom(...OPERATIONS),
			name,
			numbers,
			({ path, good, no }, key, number) => {
				const isCallStatus = path.startsWith('call.') && key === 'status';
				const meaning = number >= 400 || isCallStatus ? no : 'accepted';
				for (const value of [number, String(number), ` ${number} `])
					expect(meaningOf(path, 200, { ...good, [key]: value })).toBe(meaning);
			},
		),
	);
});

test('every response means something, and nothing throws', () => {
	const names = fc.constantFrom(
		...['msg', 'message', 'error', 'code', 'moreInfo', 'status', 'response'],
	);
	const body = fc.oneof(
		fc.jsonValue(),
		fc.dictionary(names, fc.jsonValue()),
		fc.dictionary(names, anyText),
		fc.anything(),
	);
	const status = fc.oneof(fc.integer({ min: 100, max: 599 }), fc.integer());
	const retryAfter = fc.option(fc.string(), { nil: undefined });
	const response = fc.record({ status, body, retryAfter });
	fc.assert(
		fc.property(fc.constantFrom(...operations.values()), response, (operation, reply) => {
			const answer = readAnswer(operation, reply);
			if (answer.kind === 'accepted') {
				expect(reply.status).toBeGreaterThanOrEqual(200);
				expect(reply.status).toBeLessThan(300);
				expect(answer.body).toBe(reply.body);
			} else {
				expect(Object.keys(FAILURE_TEXTS)).toContain(answer.failure.kind);
				const outcomes = reply.status === 407 ? ['notSent'] : ['refused', 'unknown'];
				expect(outcomes).toContain(answer.failure.outcome);
				expect(answer.failure.httpStatus).toBe(reply.status);
			}
		}),
		{ numRuns: 500 },
	);
});

const now = Date.parse('2026-01-01T00:00:00Z');
const HUNDRED_YEARS = 100 * 365 * 24 * 3_600_000;

test.each<[header: string | undefined, delay: number | undefined]>([
	[undefined, undefined],
	['', undefined],
	['-1', undefined],
	['1e3', undefined],
	['1,5', undefined],
	['0', 0],
	['7', 7_000],
	[' 7 ', 7_000],
	['1.25', 1_250],
	['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
	['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
	['Wed, 31 Dec 2025 23:59:59 GMT', 0],
	['Thu, 99 Jan 2026 00:00:30 GMT', undefined],
	['99999999999', HUNDRED_YEARS],
	['Fri, 31 Dec 9999 23:59:59 GMT', HUNDRED_YEARS],
])('Retry-After %j is %s ms', (header, delay) => {
	expect(readRetryAfter(header, now)).toBe(delay);
});
