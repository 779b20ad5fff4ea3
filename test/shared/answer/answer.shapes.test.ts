import fc from 'fast-check';

import { readAnswer, type Effect, type ServiceResponse } from '../../../nodes/shared/answer/answer';
import { FAILURE_TEXTS } from '../../../nodes/shared/answer/failure';
import { OPERATION_CASES } from '../../operations';
import { pathOf } from '../../operations/row';
import { operationOf, operations } from '../samples';
import { meaningOf } from './meaning';

const read = (path: string, response: ServiceResponse) => readAnswer(operationOf(path), response);

describe('good answers (S 4)', () => {
	const answers = OPERATION_CASES.map(
		(one) => [pathOf(one), 200, one.answer] as [string, number, Record<string, unknown>],
	);

	test.each<[path: string, status: number, body: Record<string, unknown>]>([
		...answers,
		['chat.start', 200, { response: 'Account upgrade is a topic. Server error too.' }],
		['chat.getConversation', 200, { _id: '1' }],
		['chat.getConversation', 200, { messages: [] }],
		['call.place', 202, { msg: 'Queued: limit reached', status: 'queued', callId: '1' }],
		['sms.start', 200, { msg: 'Sent "Forbidden" to +4915112345678, message id: 1' }],
		['campaign.createSingle', 200, { message: 'Campaign created. Campaign id: 1', status: 200 }],
		['knowledgeBase.deleteParagraph', 200, { msg: 'Paragraph deleted; it is not found any more' }],
		['assistant.updatePrompt', 200, { prompt: 'Say: forbidden' }],
		['assistant.getPrompt', 200, { prompt: '' }],
	])('%s: %s %j is accepted', (path, status, body) => {
		expect(read(path, { status, body })).toEqual({ kind: 'accepted', body });
	});
});

describe('what is not an answer of the service', () => {
	test.each<[name: string, status: number, body: unknown, meaning: string]>([
		['a page', 200, '<html><body>Welcome</body></html>', 'badResponse unknown'],
		['nothing', 200, '', 'badResponse unknown'],
		['no body', 204, undefined, 'badResponse unknown'],
		['an array', 200, [{ callId: '1', status: 'placed' }], 'badResponse unknown'],
		['an empty object', 200, {}, 'badResponse unknown'],
		['promises that are null', 200, { callId: null, msg: 'ok' }, 'badResponse unknown'],
		['a redirect with a good body', 307, { callId: '1', status: 'placed' }, 'badResponse unknown'],
		['an early hint', 103, '', 'badResponse unknown'],
		['a page of a refusal', 403, '<html>', 'badResponse refused'],
		['a page of nothing', 404, '<html>', 'badResponse refused'],
		['a text with a bad status', 400, 'API key not valid', 'badResponse refused'],
	])('%s', (_, status, body, meaning) => {
		expect(meaningOf('call.place', status, body)).toBe(meaning);
	});
});

describe('the outcome of a server that fails', () => {
	test.each<[status: number, retryAfter: string | undefined, unsafe: string, repeatable: string]>([
		[500, undefined, 'serviceError unknown', 'serviceError refused'],
		[503, undefined, 'serviceError unknown', 'serviceError refused'],
		[503, '3', 'serviceError refused', 'serviceError refused'],
		[408, undefined, 'serviceError unknown', 'serviceError refused'],
		[407, undefined, 'unreachable notSent', 'unreachable notSent'],
		[429, undefined, 'rateLimited refused', 'rateLimited refused'],
		[409, undefined, 'invalidInput refused', 'invalidInput refused'],
	])('%s with Retry-After %s', (status, retryAfter, unsafe, repeatable) => {
		expect(meaningOf('sms.start', status, {}, retryAfter)).toBe(unsafe);
		expect(meaningOf('assistant.updatePrompt', status, {}, retryAfter)).toBe(repeatable);
	});

	test.each<[status: number, retryAfter: string | undefined, effect: Effect]>([
		[200, undefined, 'possible'],
		[400, '3', 'none'],
		[407, undefined, 'none'],
		[429, undefined, 'noneYet'],
		[500, '3', 'possible'],
		[503, undefined, 'possible'],
		[503, 'never', 'possible'],
		[503, '3', 'noneYet'],
		[503, 'Wed, 21 Oct 2015 07:28:00 GMT', 'noneYet'],
	])('%s with Retry-After %j has the effect "%s", whatever the operation is', (...row) => {
		const [status, retryAfter, effect] = row;
		for (const path of ['sms.start', 'assistant.updatePrompt', 'knowledgeBase.deleteParagraph']) {
			expect(read(path, { status, retryAfter, body: {} })).toMatchObject({ effect });
		}
	});

	test.each(['Bad request', 'Recipient not found', 'Forbidden', 'No msgapp phone number ids'])(
		'a 5xx that says "%s" may have acted all the same',
		(msg) => {
			const answer = read('call.place', { status: 500, body: { msg } });

			expect(answer).toMatchObject({ kind: 'failed', failure: { outcome: 'unknown' } });
		},
	);
});

describe('what the error body says', () => {
	test.each<[body: unknown, serviceMessage: unknown, code: unknown, moreInfo: unknown]>([
		[{ msg: ' Invalid input ' }, 'Invalid input', null, null],
		[{ msg: '', message: '  ', error: 'Third' }, 'Third', null, null],
		[{ code: 40000, moreInfo: 'https://x' }, null, 40000, 'https://x'],
		[{ code: 'E1', moreInfo: 7 }, null, 'E1', null],
		[{ code: { a: 1 }, msg: { a: 1 } }, null, null, null],
		[['Invalid input'], null, null, null],
		[undefined, null, null, null],
	])('%j', (body, serviceMessage, code, moreInfo) => {
		const answer = read('call.place', { status: 400, body });

		const expected = { httpStatus: 400, serviceMessage, code, moreInfo };
		expect(answer).toMatchObject({ kind: 'failed', failure: expected });
	});

	test.each(['call.place', 'sms.start', 'campaign.createSingle'])(
		'of %s without a reason: the hint says which fields are usually meant',
		(path) => {
			const usual = /"Assistant ID" .* "From Number" .* "To Number"/;
			const hintOf = (status: number, body: unknown): string => {
				const answer = read(path, { status, body });
				return answer.kind === 'accepted' ? '' : answer.failure.hint;
			};

			for (const body of [{}, { msg: 'Invalid input' }, { code: 40000, moreInfo: 'https://x' }])
				expect(hintOf(400, body)).toMatch(usual);
			expect(hintOf(400, { msg: 'toNumber: Invalid' })).toBe(FAILURE_TEXTS.invalidInput.hint);
			expect(hintOf(404, { msg: 'Assistant not found' })).toBe(FAILURE_TEXTS.notFound.hint);
		},
	);

	test('a text of any length is cut', () => {
		const answer = read('call.place', { status: 400, body: { msg: 'x'.repeat(5_000) } });

		expect(answer.kind === 'accepted' ? '' : answer.failure.serviceMessage).toHaveLength(1_000);
	});
});

const operation = fc.constantFrom(...operations.values());
const status = fc.oneof(fc.integer({ min: 100, max: 599 }), fc.integer());
const names = fc.constantFrom('msg', 'message', 'error', 'code', 'moreInfo', 'status', 'response');
const body = fc.oneof(
	fc.jsonValue(),
	fc.dictionary(names, fc.jsonValue()),
	fc.dictionary(names, fc.string({ unit: 'binary' })),
	fc.anything(),
);

test('every response means something, and nothing throws', () => {
	const response = fc.record({
		status,
		body,
		retryAfter: fc.option(fc.string(), { nil: undefined }),
	});
	fc.assert(
		fc.property(operation, response, (chosen, given) => {
			const answer = readAnswer(chosen, given);
			if (answer.kind === 'accepted') {
				expect(given.status).toBeGreaterThanOrEqual(200);
				expect(given.status).toBeLessThan(300);
				expect(answer.body).toBe(given.body);
			} else {
				expect(Object.keys(FAILURE_TEXTS)).toContain(answer.failure.kind);
				const outcomes = given.status === 407 ? ['notSent'] : ['refused', 'unknown'];
				expect(outcomes).toContain(answer.failure.outcome);
				expect(answer.failure.httpStatus).toBe(given.status);
			}
		}),
		{ numRuns: 500 },
	);
});

test('what holds a promised text and is harmless is accepted', () => {
	const harmless = fc.stringMatching(/^(Sent|Added|Campaign created|Done)[ 0-9a-f-]{0,20}$/);
	const success = fc.integer({ min: 200, max: 299 });
	const byText = fc.constantFrom(
		...[...operations.values()].flatMap((one) =>
			Object.entries(one.successMarkers)
				.filter(([, schema]) => schema.safeParse('text').success)
				.map(([name]) => [one, name] as const),
		),
	);
	fc.assert(
		fc.property(byText, success, harmless, ([chosen, name], good, text) => {
			const answer = readAnswer(chosen, { status: good, body: { [name]: text } });

			expect(answer.kind === 'accepted').toBe(true);
		}),
	);
});

test.each([
	['chat.getConversation', { _id: ' ', messages: 'none', attributes: {} }],
	['knowledgeBase.get', { knowledgeBase: { label: 'x' } }],
	['knowledgeBase.get', { knowledgeBase: { paragraphs: ['x'] } }],
	['call.place', { callId: '', status: '', msg: '' }],
	['msgapp.startConversation', { data: null }],
])('%s does not take %j for a good answer', (path, body) => {
	const answer = readAnswer(operationOf(path), { status: 200, body });

	expect(answer).toMatchObject({ failure: { kind: 'badResponse', outcome: 'unknown' } });
});
