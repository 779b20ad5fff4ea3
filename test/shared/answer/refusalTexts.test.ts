import fc from 'fast-check';

import { anyText } from '../../anyText';
import { meaningOf } from './meaning';

/** The texts of S 5 and S 7 as a service may word them, and their kind. */
const REFUSALS = {
	'API key not valid': 'invalidApiKey refused',
	'Error: API key not valid.': 'invalidApiKey refused',
	'401 Unauthorized: Your API key is not valid!': 'invalidApiKey refused',
	'The x-api-key header: API key invalid': 'invalidApiKey refused',
	"This API key isn't valid for the workspace": 'invalidApiKey refused',
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

const BY_TEXT = [
	['sms.start', 'msg'],
	['campaign.createBulk', 'message'],
	['campaign.createSingle', 'message'],
	['msgapp.sendTemplate', 'msg'],
] as const;

const bulk = (text: string, status = 200): string =>
	meaningOf('campaign.createBulk', status, { message: text });

/** Words of a confirmation: beside one of them, no text is a refusal. */
const WORDS_OF_SUCCESS = ['placed', 'sent', 'created', 'triggered', 'added', 'queued'];

test.each(Object.entries(REFUSALS))(
	'a 2xx whose whole message is a refusal: %s, and is none with a word of success in it',
	(text, meaning) => {
		for (const [path, field] of BY_TEXT) {
			expect(meaningOf(path, 200, { [field]: text })).toBe(meaning);
			for (const word of WORDS_OF_SUCCESS)
				expect(meaningOf(path, 200, { [field]: `It was ${word}. ${text}` })).toBe('accepted');
		}
	},
);

const refusals = fc.constantFrom(...(Object.keys(REFUSALS) as (keyof typeof REFUSALS)[]));

/** The confirmations of S 4 as the simulator and other services may word them. */
const CONFIRMATIONS: readonly ((name: string) => string)[] = [
	(name) => `${name} has been triggered`,
	(name) => `Bulk campaign "${name}" triggered.`,
	(name) => `Campaign created. Campaign id: 0b6f0f9c (${name})`,
	(name) => `Campaign updated (${name}). Campaign id: 0b6f0f9c`,
	(name) => `SMS "${name}" sent to +4915112345678, message id: 7`,
	(name) => `Paragraphs added: ${name}`,
];

test('a confirmation is accepted, whatever value it repeats', () => {
	const names = fc.oneof(
		anyText,
		fc
			.array(fc.oneof(refusals, fc.lorem({ maxCount: 2 }), fc.string()))
			.map((parts) => parts.join(' ')),
	);
	fc.assert(
		fc.property(names, fc.constantFrom(...CONFIRMATIONS), (name, confirmation) => {
			expect(bulk(confirmation(name))).toBe('accepted');
		}),
		{ numRuns: 1_000 },
	);
});

test('a 4xx refuses by a text anywhere in its message, a 5xx only by the whole', () => {
	fc.assert(
		fc.property(refusals, (text) => {
			const [kind = ''] = REFUSALS[text].split(' ');
			// Within a longer text, the word alone means nothing.
			const within = kind === 'forbidden' ? 'invalidInput' : kind;

			expect(bulk(`Not triggered, since: ${text} (id 7)`, 400).split(' ')[0]).toBe(within);
			expect(bulk(`Not triggered, since: ${text} (id 7)`, 500)).toBe('serviceError unknown');
		}),
	);
});

const LONG = 100_000;

test.each([
	'a '.repeat(LONG),
	'server error '.repeat(LONG / 10),
	'api key '.repeat(LONG / 10),
	"n't".repeat(LONG),
])('a text of any length: %.12s', (text) => {
	expect(bulk(`${text} is triggered`)).toBe('accepted');
});
