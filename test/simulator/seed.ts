import type { StoredConversation } from './conversations';

/** What the simulated service holds at the start; fixed, so that tests and examples can hard-code it. */
export const API_PREFIX = '/api';
export const API_KEY = 'simulator-api-key';
export const FORBIDDEN_API_KEY = 'simulator-forbidden-api-key';
export const WORKSPACE_ID = '11111111-1111-4111-8111-111111111111';
export const ASSISTANT_ID = '22222222-2222-4222-8222-222222222222';
export const KNOWLEDGE_BASE_ID = '33333333-3333-4333-8333-333333333333';
export const FROM_NUMBER = '+15550100001';
/** Somebody the service does not know yet. */
export const TO_NUMBER = '+4915112345678';
/** A msgapp customer who has just written. */
export const CUSTOMER_NUMBER = '+4915187654321';
export const PHONE_NUMBER_ID = '100200300400500';
export const PROMPT = 'You are the friendly assistant of a dental practice.';

export const TEMPLATES = [
	{ name: 'appointment_reminder', language: 'en' },
	{ name: 'appointment_reminder', language: 'de' },
	{ name: 'reopen_conversation', language: 'en' },
] as const;

export const KNOWLEDGE_BASE = {
	label: 'Practice handbook',
	paragraphs: {
		'opening-hours': 'The practice is open on weekdays from 8:00 to 18:00.',
		'how-to-cancel': 'Appointments can be cancelled up to 24 hours before.',
		parking: 'There are free parking places behind the building.',
	},
};

export const KNOWN_USER = 'customer-4711';

/** The stored conversations by user identifier. */
export const CONVERSATIONS = {
	[KNOWN_USER]: {
		_id: '55555555-5555-4555-8555-555555555551',
		messages: [
			{ role: 'user', content: 'Do you speak English?', createdAt: '2026-01-05T09:00:00.000Z' },
			{ role: 'assistant', content: 'Yes, we do.', createdAt: '2026-01-05T09:00:01.000Z' },
		],
		attributes: { customField1: 'Ada' },
	},
	'Zoë/1 %?': { _id: '55555555-5555-4555-8555-555555555552', messages: [], attributes: {} },
} satisfies Record<string, StoredConversation>;
