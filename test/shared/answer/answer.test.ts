import type { FailureKind, FailureOutcome } from '../../../nodes/shared/answer/failure';
import { meaningOf } from './meaning';

type Row = [
	path: string,
	status: number,
	body: unknown,
	meaning: `${FailureKind} ${FailureOutcome}`,
];

const KEY = 'API key not valid';
const UPGRADE = 'Account upgrade is needed to continue';

/** Operations with long names. */
const SINGLE = 'campaign.createSingle';
const START = 'msgapp.startConversation';
const MESSAGE = 'msgapp.continueConversation';
const PARAGRAPH = 'knowledgeBase.deleteParagraph';
const CONVERSATION = 'chat.getConversation';
const LOCK = 'assistant.setLock';

describe('errors with a labelled status (S 7.1)', () => {
	test.each<Row>([
		[SINGLE, 401, { message: KEY, status: 401 }, 'invalidApiKey refused'],
		[SINGLE, 402, { message: UPGRADE, status: 402 }, 'upgradeRequired refused'],
		[SINGLE, 403, { message: KEY, status: 403 }, 'invalidApiKey refused'],
		[SINGLE, 403, { status: 403 }, 'invalidApiKey refused'],
		['call.place', 400, { msg: 'Invalid input' }, 'invalidInput refused'],
		['call.place', 403, { msg: 'Forbidden' }, 'forbidden refused'],
		['call.place', 500, { msg: 'Server error' }, 'serviceError unknown'],
		[START, 409, { msg: 'No msgapp phone number ids are found' }, 'noSenderNumber refused'],
		[START, 409, '', 'noSenderNumber refused'],
		[CONVERSATION, 400, { code: 40000, moreInfo: 'https://x' }, 'invalidInput refused'],
		[CONVERSATION, 404, { message: 'Conversation not found' }, 'notFound refused'],
		[CONVERSATION, 500, { message: 'Internal server error' }, 'serviceError refused'],
	])('%s: %s %j is %s', (path, status, body, meaning) => {
		expect(meaningOf(path, status, body)).toBe(meaning);
	});
});

describe('texts that mean the same whatever the status is', () => {
	const closed =
		'More than 24 hours have passed since the last message, the customer window is closed';
	const notOpen = 'The customer has not responded yet, so the customer window is not open';

	test.each<[path: string, body: unknown, meaning: string]>([
		['chat.start', { message: KEY }, 'invalidApiKey refused'],
		['sms.start', { msg: 'The API key is not valid' }, 'invalidApiKey refused'],
		['knowledgeBase.get', { msg: KEY }, 'invalidApiKey refused'],
		['campaign.createBulk', { message: KEY }, 'invalidApiKey refused'],
		[LOCK, { message: 'There is no API key, authorization denied' }, 'missingApiKey refused'],
		['chat.continue', { message: UPGRADE }, 'upgradeRequired refused'],
		[MESSAGE, { msg: closed }, 'windowClosed refused'],
		[MESSAGE, { error: notOpen }, 'windowNotOpen refused'],
	])('%s: %j is %s', (path, body, meaning) => {
		const statuses = [200, 201, 400, 401, 402, 403, 404, 409, 422, 500, 503];

		const meanings = statuses.map((status) => meaningOf(path, status, body));

		expect(meanings).toEqual(statuses.map(() => meaning));
	});
});

describe('errors whose status is not shown (S 7.2)', () => {
	const unsafe = ['chat.start', 'chat.continue', 'sms.start', 'knowledgeBase.addParagraphs'];

	test.each(unsafe)('%s', (path) => {
		for (const name of ['msg', 'message', 'error']) {
			expect(meaningOf(path, 400, { [name]: 'Bad request' })).toBe('invalidInput refused');
			expect(meaningOf(path, 403, { [name]: 'Forbidden' })).toBe('forbidden refused');
			expect(meaningOf(path, 400, { [name]: 'Forbidden' })).toBe('forbidden refused');
			expect(meaningOf(path, 400, { [name]: 'Server error' })).toBe('serviceError unknown');
			expect(meaningOf(path, 200, { [name]: 'Server error' })).toBe('serviceError unknown');
			expect(meaningOf(path, 200, { [name]: 'Forbidden' })).toBe('forbidden refused');
		}
	});

	test.each<[path: string, body: object, meaning: `${FailureKind} ${FailureOutcome}`]>([
		['campaign.createBulk', { message: 'Server error' }, 'serviceError unknown'],
		[MESSAGE, { msg: 'Internal server error' }, 'serviceError unknown'],
		['knowledgeBase.get', { msg: 'Bad request' }, 'invalidInput refused'],
		[PARAGRAPH, { msg: 'Knowledge base does not exist' }, 'notFound refused'],
		[LOCK, { error: 'Invalid workspace or assistant ID' }, 'invalidInput refused'],
		[LOCK, { error: 'Assistant not found' }, 'notFound refused'],
		[LOCK, { error: 'Internal server error' }, 'serviceError refused'],
		['assistant.getPrompt', { error: 'Failed to retrieve model settings' }, 'serviceError refused'],
	])('%s: %j is %s', (path, body, meaning) => {
		expect(meaningOf(path, 200, body)).toBe(meaning);
		expect(meaningOf(path, 400, body)).toBe(meaning);
	});

	test.each<Row>([
		['chat.continue', 400, { code: 40000, moreInfo: 'https://x' }, 'invalidInput refused'],
		['campaign.createBulk', 400, { message: 'sheetURL: unreadable' }, 'invalidInput refused'],
		['campaign.createBulk', 403, { message: KEY }, 'invalidApiKey refused'],
		['campaign.createBulk', 403, {}, 'invalidApiKey refused'],
		['msgapp.sendTemplate', 500, { msg: 'Internal server error' }, 'serviceError unknown'],
	])('%s: %s %j is %s', (path, status, body, meaning) => {
		expect(meaningOf(path, status, body)).toBe(meaning);
	});
});
