import type { FailureKind, Outcome } from '../../../nodes/shared/answer/failure';
import { meaningOf } from './meaning';

type Row = [path: string, status: number, body: unknown, meaning: `${FailureKind} ${Outcome}`];

const KEY = 'API key not valid';
const UPGRADE = 'Account upgrade is needed to continue';

describe('errors with a labelled status (S 7.1)', () => {
	test.each<Row>([
		[
			'campaign.createSingle',
			400,
			{ message: 'Invalid input', status: 400 },
			'invalidInput refused',
		],
		['campaign.createSingle', 401, { message: KEY, status: 401 }, 'invalidApiKey refused'],
		['campaign.createSingle', 402, { message: UPGRADE, status: 402 }, 'upgradeRequired refused'],
		['campaign.createSingle', 403, { message: KEY, status: 403 }, 'invalidApiKey refused'],
		['campaign.createSingle', 403, { status: 403 }, 'invalidApiKey refused'],
		[
			'campaign.createSingle',
			500,
			{ message: 'Server error', status: 500 },
			'serviceError unknown',
		],
		['call.place', 400, { msg: 'Invalid input' }, 'invalidInput refused'],
		['call.place', 401, { msg: KEY }, 'invalidApiKey refused'],
		['call.place', 403, { msg: 'Forbidden' }, 'forbidden refused'],
		['call.place', 500, { msg: 'Server error' }, 'serviceError unknown'],
		['msgapp.startConversation', 401, { msg: KEY }, 'invalidApiKey refused'],
		[
			'msgapp.startConversation',
			409,
			{ msg: 'No msgapp phone number ids are found for the workspace' },
			'noSenderNumber refused',
		],
		['msgapp.startConversation', 409, '', 'noSenderNumber refused'],
		['msgapp.startConversation', 500, { msg: 'Internal server error' }, 'serviceError unknown'],
		['chat.getConversation', 400, { code: 40000, moreInfo: 'https://x' }, 'invalidInput refused'],
		['chat.getConversation', 401, { message: KEY }, 'invalidApiKey refused'],
		['chat.getConversation', 403, { message: 'Forbidden' }, 'forbidden refused'],
		['chat.getConversation', 404, { message: 'Conversation not found' }, 'notFound refused'],
		['chat.getConversation', 500, { message: 'Internal server error' }, 'serviceError refused'],
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
		['knowledgeBase.addParagraphs', { error: 'Invalid API key' }, 'invalidApiKey refused'],
		['knowledgeBase.get', { msg: KEY }, 'invalidApiKey refused'],
		['knowledgeBase.deleteParagraph', { message: KEY }, 'invalidApiKey refused'],
		['campaign.createBulk', { message: KEY }, 'invalidApiKey refused'],
		[
			'assistant.setLock',
			{ message: 'There is no API key, authorization denied' },
			'missingApiKey refused',
		],
		[
			'assistant.getPrompt',
			{ message: 'No API key, authorization is denied' },
			'missingApiKey refused',
		],
		[
			'assistant.updatePrompt',
			{ message: 'No API-key. Authorisation denied' },
			'missingApiKey refused',
		],
		['chat.continue', { message: UPGRADE }, 'upgradeRequired refused'],
		['sms.start', { msg: 'Upgrade required' }, 'upgradeRequired refused'],
		['campaign.createBulk', { message: UPGRADE }, 'upgradeRequired refused'],
		['msgapp.continueConversation', { msg: closed }, 'windowClosed refused'],
		[
			'msgapp.continueConversation',
			{ message: 'The customer window is closed' },
			'windowClosed refused',
		],
		['msgapp.continueConversation', { error: notOpen }, 'windowNotOpen refused'],
		[
			'msgapp.continueConversation',
			{ msg: 'The customer window is not yet open' },
			'windowNotOpen refused',
		],
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
			expect(meaningOf(path, 422, { [name]: 'Bad request' })).toBe('invalidInput refused');
			expect(meaningOf(path, 403, { [name]: 'Forbidden' })).toBe('forbidden refused');
			expect(meaningOf(path, 400, { [name]: 'Forbidden' })).toBe('forbidden refused');
			expect(meaningOf(path, 400, { [name]: 'Server error' })).toBe('serviceError unknown');
			expect(meaningOf(path, 200, { [name]: 'Server error' })).toBe('serviceError unknown');
			expect(meaningOf(path, 200, { [name]: 'Forbidden' })).toBe('forbidden refused');
		}
	});

	test.each<Row>([
		['chat.continue', 400, { code: 40000, moreInfo: 'https://x' }, 'invalidInput refused'],
		['campaign.createBulk', 400, { message: 'sheetURL: unreadable' }, 'invalidInput refused'],
		['campaign.createBulk', 403, { message: KEY }, 'invalidApiKey refused'],
		['campaign.createBulk', 403, {}, 'invalidApiKey refused'],
		['campaign.createBulk', 200, { message: 'Server error' }, 'serviceError unknown'],
		['msgapp.continueConversation', 400, { msg: 'Internal server error' }, 'serviceError unknown'],
		['msgapp.continueConversation', 200, { msg: 'Internal server error' }, 'serviceError unknown'],
		['msgapp.sendTemplate', 200, { msg: 'Internal server error' }, 'serviceError unknown'],
		['msgapp.sendTemplate', 500, { msg: 'Internal server error' }, 'serviceError unknown'],
		['knowledgeBase.get', 400, { msg: 'Bad request' }, 'invalidInput refused'],
		['knowledgeBase.get', 200, { msg: 'Bad request' }, 'invalidInput refused'],
		[
			'knowledgeBase.deleteParagraph',
			400,
			{ msg: 'Knowledge base does not exist' },
			'notFound refused',
		],
		[
			'knowledgeBase.deleteParagraph',
			200,
			{ msg: 'Knowledge base does not exist' },
			'notFound refused',
		],
		[
			'knowledgeBase.deleteParagraph',
			200,
			{ msg: 'Internal server error' },
			'serviceError refused',
		],
		[
			'assistant.setLock',
			400,
			{ error: 'Invalid workspace or assistant ID' },
			'invalidInput refused',
		],
		[
			'assistant.setLock',
			200,
			{ error: 'Invalid workspace or assistant ID' },
			'invalidInput refused',
		],
		['assistant.setLock', 400, { error: 'Assistant not found' }, 'notFound refused'],
		['assistant.setLock', 200, { error: 'Internal server error' }, 'serviceError refused'],
		[
			'assistant.getPrompt',
			400,
			{ error: 'Failed to retrieve model settings' },
			'serviceError refused',
		],
		[
			'assistant.updatePrompt',
			200,
			{ error: 'Failed to retrieve model settings' },
			'serviceError refused',
		],
	])('%s: %s %j is %s', (path, status, body, meaning) => {
		expect(meaningOf(path, status, body)).toBe(meaning);
	});
});

describe('an answer of success that contradicts itself', () => {
	test.each<[path: string, body: unknown, meaning: string]>([
		['assistant.setLock', { success: false, error: 'Assistant not found' }, 'notFound refused'],
		['call.place', { msg: KEY, status: 401 }, 'invalidApiKey refused'],
		['call.place', { callId: 'c', status: 'placed', error: 'odd' }, 'badResponse unknown'],
		['call.place', { callId: 'c', status: 'placed', error: '' }, 'accepted'],
		['call.place', { callId: 'c', status: 'placed', error: null }, 'accepted'],
	])('%s %j is %s', (path, body, meaning) => {
		expect(meaningOf(path, 200, body)).toBe(meaning);
	});
});
