import fc from 'fast-check';

import { readAnswer } from '../../../nodes/shared/answer/answer';
import { operationOf, operations } from '../samples';
import { meaningOf } from './meaning';
import { PAGES } from '../../reports/pages';

const everywhere = [...operations.values()];

test.each(PAGES)('the page of $of, with $status, is no answer of the service', (page) => {
	const { status, body, title } = page;
	for (const operation of everywhere) {
		expect(readAnswer(operation, { status, body })).toMatchObject({
			kind: 'failed',
			effect: 'none',
			failure: {
				kind: 'badResponse',
				outcome: 'refused',
				httpStatus: status,
				serviceMessage: title,
				message:
					status === 413
						? 'The request is too large'
						: 'Something other than the service refused the request',
			},
		});
	}
});

test.each<[status: number, body: unknown, retryAfter: string | undefined, meaning: string]>([
	// An empty answer says nothing of who gave it.
	[400, '', undefined, 'invalidInput refused'],
	[401, ' \r\n', undefined, 'invalidApiKey refused'],
	[403, undefined, undefined, 'forbidden refused'],
	[404, null, undefined, 'notFound refused'],
	[413, '', undefined, 'invalidInput refused'],
	[413, { message: 'request entity too large' }, undefined, 'invalidInput refused'],
	// A limit is kept wherever it is. What was under way when time ran out may have worked.
	[429, '<title>429 Too Many Requests</title>', undefined, 'rateLimited refused'],
	[408, '<title>408 Request Time-out</title>', undefined, 'serviceError unknown'],
	[502, '<title>502 Bad Gateway</title>', undefined, 'serviceError unknown'],
	[407, '<title>Proxy</title>', undefined, 'unreachable notSent'],
	// It may have come instead of the answer to what was done.
	[200, '<title>Sign in</title>', undefined, 'badResponse unknown'],
])('a status keeps its meaning: %i %j, Retry-After %s', (status, body, retryAfter, meaning) => {
	expect(meaningOf('call.place', status, body, retryAfter)).toBe(meaning);
});

test.each([
	[413, '', 'The request is too large'],
	[413, { message: 'too large' }, 'The request is too large'],
	[400, '', 'The service rejected the values of this item'],
])('%i with %j says: %s', (status, body, message) => {
	const answer = readAnswer(operationOf('call.place'), { status, body });

	expect(answer).toMatchObject({ failure: { message } });
});

test('a list, a number, true or false are no error body, either', () => {
	const foreign = fc.oneof(
		fc.string().filter((text) => text.trim() !== ''),
		fc.array(fc.jsonValue()),
		fc.double(),
		fc.boolean(),
	);
	const status = fc.integer({ min: 400, max: 499 });
	fc.assert(
		fc.property(fc.constantFrom(...everywhere), status, foreign, (operation, code, body) => {
			fc.pre(![407, 408, 429].includes(code));

			expect(readAnswer(operation, { status: code, body })).toMatchObject({
				effect: 'none',
				failure: { kind: 'badResponse', outcome: 'refused' },
			});
		}),
	);
});

test.each(['<', '<title', '<title>', '< ', '&lt;', '\u0000', '</title>', ' '])(
	'a page that is %j a million times is read at once, and cut',
	(part) => {
		const answer = readAnswer(operationOf('call.place'), {
			status: 403,
			body: `x${part.repeat(1_000_000)}`,
		});
		const { serviceMessage } = answer.kind === 'failed' ? answer.failure : { serviceMessage: null };

		expect((serviceMessage ?? '').length).toBeLessThanOrEqual(1_000);
	},
);
