import fc from 'fast-check';

import { readAnswer } from '../../../nodes/shared/answer/answer';
import { operationOf } from '../samples';

/** What a confirmation with this text means for a request with these values: "accepted", or kind and outcome. */
function meaningOf(path: string, text: string, properties: Record<string, unknown> = {}): string {
	const operation = operationOf(path);
	const body = { [operation.successMarkers.msg ? 'msg' : 'message']: text };
	const answer = readAnswer(operation, { status: 200, body }, properties);
	return answer.kind === 'accepted' ? 'accepted' : `${answer.failure.kind} ${answer.failure.outcome}`;
}

const bulk = (text: string, name?: unknown): string =>
	meaningOf('campaign.createBulk', text, name === undefined ? {} : { name });

/** The texts of S 5 and S 7 as a service may word them, and their kind. */
const ERRORS = {
	'API key not valid': 'invalidApiKey refused',
	'Error: API key not valid.': 'invalidApiKey refused',
	'401 Unauthorized: Your API key is not valid!': 'invalidApiKey refused',
	'The x-api-key header: API key invalid': 'invalidApiKey refused',
	"This API key isn't valid for the workspace": 'invalidApiKey refused',
	'{"code":401,"message":"Invalid API-key"}': 'invalidApiKey refused',
	'There is no API key, authorization denied': 'missingApiKey refused',
	'No API key provided. Authorisation is denied': 'missingApiKey refused',
	'Account upgrade is needed to continue': 'upgradeRequired refused',
	'An account upgrade is required.': 'upgradeRequired refused',
	'Please upgrade your plan to continue': 'upgradeRequired refused',
	'Bad request': 'invalidInput refused',
	'Invalid input': 'invalidInput refused',
	'Error 400 (Bad Request)': 'invalidInput refused',
	Forbidden: 'forbidden refused',
	'403 Forbidden': 'forbidden refused',
	'Server error': 'serviceError unknown',
	'Internal Server Error': 'serviceError unknown',
	'An internal server error occurred, please try again later.': 'serviceError unknown',
	'More than 24 hours have passed since the last message. The customer window is closed, send a template message first.':
		'windowClosed refused',
	'The customer has not responded yet, so the customer window is not open for a non-template message.':
		'windowNotOpen refused',
	"The customer hasn't responded": 'windowNotOpen refused',
	'No msgapp phone number ids are found for the workspace; phone numbers must be added first':
		'noSenderNumber refused',
	'Conversation not found': 'notFound refused',
	"The knowledge base doesn't exist": 'notFound refused',
	'The assistant could not be found': 'notFound refused',
	'Invalid workspace or assistant ID': 'invalidInput refused',
	'Failed to retrieve model settings': 'serviceError unknown',
} as const;

const errors = fc.constantFrom(...(Object.keys(ERRORS) as (keyof typeof ERRORS)[]));

describe('a text in which nothing but an error of the service remains', () => {
	const byText = [
		'sms.start',
		'campaign.createBulk',
		'campaign.createSingle',
		'msgapp.sendTemplate',
	];

	test.each(Object.entries(ERRORS))('%s', (text, meaning) => {
		for (const path of byText) expect(meaningOf(path, text)).toBe(meaning);
	});

	test.each<[text: string, properties: Record<string, unknown>, meaning: string]>([
		['Spring: API key not valid', { name: 'Spring' }, 'invalidApiKey refused'],
		['Bad request (+4915112345678)', { toNumber: '+4915112345678' }, 'invalidInput refused'],
		['Max: server error', { attributes: { a: [{ b: 'Max' }] } }, 'serviceError unknown'],
	])('%s for %j, the value taken out', (text, properties, meaning) => {
		expect(meaningOf('campaign.createBulk', text, properties)).toBe(meaning);
	});

	test('a value that is a part of an error does not hide it', () => {
		const longErrors = errors.filter((text) => !/forbidden/i.test(text));
		const partly = longErrors.chain((text) =>
			fc.tuple(
				fc.constant(text),
				fc.oneof(
					fc.constantFrom(...text.split(' ')),
					fc.constantFrom(...text.split('')),
					fc.string(),
				),
			),
		);
		fc.assert(
			fc.property(partly, ([text, value]) => {
				expect(bulk(text, value)).toBe(ERRORS[text]);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('a text in which more remains', () => {
	const NAMES = [
		'Account upgrade reminder',
		'Internal server error',
		'Forbidden',
		'',
		'.*(a+)+$[\\',
		'$& $1 \\1',
	];

	test.each(NAMES)('a campaign named "%s" is triggered', (name) => {
		for (const known of [name, undefined]) {
			expect(bulk(`${name} has been triggered`, known)).toBe('accepted');
			expect(bulk(`Bulk campaign ${name} triggered`, known)).toBe('accepted');
			expect(bulk(`The bulk campaign "${name}" is triggered.`, known)).toBe('accepted');
		}
	});

	test('an error is none if it is a part of a value, and is one beside it', () => {
		expect(bulk('Account upgrade reminder', 'Account upgrade reminder')).toBe('accepted');
		expect(bulk('Account upgrade: Account upgrade is needed to continue', 'Account upgrade')).toBe(
			'upgradeRequired refused',
		);
		expect(bulk('Server error: Internal server error', 'Server error')).toBe(
			'serviceError unknown',
		);
	});
});

const names = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc
		.array(fc.oneof(errors, fc.lorem({ maxCount: 2 }), fc.string()))
		.map((parts) => parts.join(' ')),
);

/** The confirmations of S 4 as the simulator and other services may word them. */
const CONFIRMATIONS: readonly ((name: string) => string)[] = [
	() => 'The bulk campaign is triggered',
	(name) => `${name} has been triggered`,
	(name) => `Bulk campaign ${name} triggered`,
	(name) => `Campaign created. Campaign id: 0b6f0f9c (${name})`,
	(name) => `Campaign updated (${name}). Campaign id: 0b6f0f9c`,
	(name) => `SMS "${name}" sent to +4915112345678, message id: 7`,
	(name) => `Paragraphs added: ${name}`,
	(name) => name,
];

test('the confirmation of a campaign of any name is accepted', () => {
	fc.assert(
		fc.property(names, fc.constantFrom(...CONFIRMATIONS), (name, confirmation) => {
			const text = confirmation(name);
			fc.pre(text.trim() !== '');

			expect(bulk(text, name)).toBe('accepted');
		}),
		{ numRuns: 1_000 },
	);
});

test('kind and outcome of an error do not hang on the values it repeats', () => {
	const refusals = fc.constantFrom(400, 422, 500);
	fc.assert(
		fc.property(names, refusals, (name, status) => {
			const read = (text: string) =>
				readAnswer(
					operationOf('campaign.createBulk'),
					{ status, body: { message: text } },
					{ name },
				);

			expect(read(`Not triggered: ${name}`)).toMatchObject({
				failure: status === 500 ? { outcome: 'unknown' } : { kind: 'invalidInput' },
			});
		}),
	);
});

describe('values and texts of any size', () => {
	const LONG = 100_000;
	const long = [
		'a '.repeat(LONG),
		'a'.repeat(LONG),
		' '.repeat(LONG),
		'server error '.repeat(LONG / 10),
		'api key '.repeat(LONG / 10),
		"n't".repeat(LONG),
		'!'.repeat(LONG),
	];

	test.each(long)('%.12s', (text) => {
		const properties = { name: text, attributes: { a: `${text}b`, b: text.slice(1) } };

		for (const [answer, meaning] of [
			[`${text} is triggered`, 'accepted'],
			['API key not valid', 'invalidApiKey refused'],
		] as const) {
			expect(meaningOf('campaign.createBulk', answer, properties)).toBe(meaning);
		}
	});

	test('many values, and values nested deeper than the stack', () => {
		let deep: unknown = 'Server error';
		for (let level = 0; level < 100_000; level++) deep = level % 2 ? [deep] : { a: deep };
		const paragraphs = Array.from({ length: LONG }, (_, index) => `paragraph ${index}`);

		expect(bulk('API key not valid', paragraphs)).toBe('invalidApiKey refused');
		expect(bulk('Server error', deep)).toBe('accepted');
	});
});

test('of a request with very many values, the first thousand are known again', () => {
	const isAccepted = (place: number): boolean => {
		const values = Array.from({ length: 2_000 }, (_, index) => `value ${index}`);
		values[place] = 'API key not valid';
		const body = { msg: 'API key not valid', conversationId: undefined };
		return readAnswer(operationOf('msgapp.sendTemplate'), { status: 200, body }, { values })
			.accepted;
	};

	expect([isAccepted(10), isAccepted(1_500)]).toEqual([true, false]);
});
