import fc from 'fast-check';

import { readAnswer } from '../../../nodes/shared/answer/answer';
import { doneWord } from '../../../nodes/shared/output/summary';
import { operationOf, operations } from '../samples';
import { meaningOf } from './meaning';

const ASSISTANT = { id: 'a', locked: true };

describe('an answer of success that says no', () => {
	test.each<[path: string, body: unknown, meaning: string]>([
		['call.place', { status: 'failed', callId: 'c' }, 'badResponse unknown'],
		['call.place', { status: 'failed', callId: 'c', msg: 'Forbidden' }, 'forbidden refused'],
		['call.place', { status: 'failed', callId: 'c', msg: 'Server error' }, 'serviceError unknown'],
		['call.place', { status: 7, callId: 'c' }, 'badResponse unknown'],
		['call.place', { status: {}, callId: 'c' }, 'badResponse unknown'],
		['call.place', { status: 'placed', callId: 'c', success: false }, 'badResponse unknown'],
		['sms.start', { success: false, msg: 'Failed to send SMS' }, 'badResponse unknown'],
		[
			'sms.start',
			{ success: false, msg: 'Failed to send SMS: account upgrade is needed' },
			'upgradeRequired refused',
		],
		['sms.start', { success: 'false', msg: 'SMS sent' }, 'badResponse unknown'],
		['sms.start', { success: ' No ', msg: 'SMS sent' }, 'badResponse unknown'],
		['sms.start', { success: 0, msg: 'SMS sent' }, 'badResponse unknown'],
		['sms.start', { error: 'Odd', msg: 'SMS sent' }, 'badResponse unknown'],
		['sms.start', { code: 7, moreInfo: 'https://x', msg: 'Blocked' }, 'badResponse unknown'],
		['chat.start', { code: 'E7', moreInfo: 'https://x', response: '' }, 'badResponse unknown'],
		['campaign.createSingle', { status: 400, message: 'Blocked' }, 'badResponse unknown'],
		['campaign.createSingle', { status: '500', message: 'Odd' }, 'badResponse unknown'],
		['msgapp.sendTemplate', { msg: 'Internal server error', data: {} }, 'serviceError unknown'],
		['msgapp.sendTemplate', { msg: 'API key not valid', data: {} }, 'invalidApiKey refused'],
		['assistant.setLock', { message: 'Assistant not found', assistant: {} }, 'notFound refused'],
		['assistant.setLock', { success: false, assistant: ASSISTANT }, 'badResponse refused'],
		['assistant.setLock', { success: false }, 'badResponse refused'],
		['assistant.getPrompt', { success: false, prompt: 'x' }, 'badResponse refused'],
		[
			'assistant.setLock',
			{ success: false, assistant: ASSISTANT, message: 'Internal server error' },
			'serviceError refused',
		],
	])('%s: %j is %s', (path, body, meaning) => {
		expect(meaningOf(path, 200, body)).toBe(meaning);
	});

	test('a text of S 7 within a value of the request is not what the service says', () => {
		const name = 'Account upgrade reminder';
		const answer = readAnswer(
			operationOf('campaign.createBulk'),
			{ status: 200, body: { success: false, message: `${name} could not be triggered` } },
			{ name },
		);

		expect(answer).toMatchObject({ failure: { kind: 'badResponse', outcome: 'unknown' } });
	});
});

describe('an answer of success that does not say no', () => {
	test.each<[path: string, body: unknown]>([
		['call.place', { callId: 'c' }],
		['call.place', { callId: 'c', status: null }],
		['call.place', { callId: 'c', status: ' ' }],
		['call.place', { callId: 'c', status: ' Placed ' }],
		['call.place', { callId: 'c', status: 'QUEUED' }],
		['call.place', { status: 'queued' }],
		['sms.start', { success: true, msg: 'SMS sent' }],
		['sms.start', { success: 'true', msg: 'SMS sent' }],
		['sms.start', { success: null, msg: 'SMS sent' }],
		['sms.start', { status: 'sent', msg: 'SMS sent' }],
		['campaign.createSingle', { message: 'Campaign created. Campaign id: 1', status: 200 }],
		['campaign.createSingle', { message: 'Campaign created. Campaign id: 1', code: 200 }],
		['sms.start', { msg: 'SMS sent', code: null, moreInfo: '' }],
		['sms.start', { msg: 'SMS sent', moreInfo: 'https://x' }],
		['msgapp.sendTemplate', { msg: 'Template sent', data: {} }],
	])('%s: %j', (path, body) => {
		expect(meaningOf(path, 200, body)).toBe('accepted');
	});

	test.each(['', ' ', null, false, 0])('an error that is %j is none', (error) => {
		expect(meaningOf('sms.start', 200, { msg: 'SMS sent', error })).toBe('accepted');
		expect(meaningOf('call.place', 200, { callId: 'c', status: 'placed', error })).toBe('accepted');
	});
});

test('no answer with `success: false` is accepted, whatever else it holds', () => {
	const property = fc.constantFrom(
		...[...operations.values()].flatMap(({ successMarkers }) => Object.keys(successMarkers)),
	);
	const body = fc.dictionary(property, fc.oneof(fc.string(), fc.constant('placed'), fc.object()));
	fc.assert(
		fc.property(fc.constantFrom(...operations.values()), body, (operation, given) => {
			const answer = readAnswer(operation, { status: 200, body: { ...given, success: false } });

			expect(answer).toMatchObject({ accepted: false });
		}),
	);
});

test.each([
	[' Placed ', 'placed'],
	['QUEUED', 'queued'],
	[undefined, 'placed'],
])('the status %j of a call is the result %s', (status, expected) => {
	const body = { callId: 'c', ...(status !== undefined && { status }) };

	expect(doneWord(operationOf('call.place'), body)).toBe(expected);
});
