import { CUSTOMER_NUMBER, KNOWN_USER, PROMPT, TO_NUMBER } from './seed';
import { changed, elsewhere, good, type ClientRequest, useService } from './testClient';

const HOUR_MS = 60 * 60 * 1000;
const { simulator, send } = useService();

/** A request with the status of its answer and what that holds, or something that happens in between. */
type Step = [request: ClientRequest, status: number, body?: unknown] | (() => void);

const containing = (text: string): unknown => expect.stringContaining(text);
const anyText: unknown = expect.any(String);
const call = (fields: Record<string, unknown>) => changed('placeCall', fields);
const chat = (fields: Record<string, unknown>) =>
	changed('chat', { userIdentifier: undefined, ...fields });
const say = (message = 'Hello', attributes?: Record<string, unknown>) =>
	changed('continueMsgapp', { toNumber: TO_NUMBER, message, attributes });
const conversationOf = (user: string): ClientRequest =>
	elsewhere(good('getConversation'), KNOWN_USER, encodeURIComponent(user));
const paragraphs = (...texts: string[]) => ({
	knowledgeBase: { paragraphs: texts.map((data) => ({ value: { data } })) },
});
const campaign = (fields: Record<string, unknown>) => changed('createCampaign', fields);
const sms = { campaignType: 'sms', message: 'Hello' };
const replies = (): void => {
	simulator().customerReplies(TO_NUMBER);
};
const later = (ms: number) => (): void => {
	simulator().clock.advance(ms);
};
const KNOWN_ID = '55555555-5555-4555-8555-555555555551';
const [NOT_OPEN, CLOSED] = ['not responded yet', 'More than 24 hours'].map((text) => ({
	msg: containing(text),
}));

it.each<[title: string, steps: Step[]]>([
	[
		'a prompt is read back, and a reset restores it',
		[
			[good('getPrompt'), 200, { prompt: PROMPT }],
			[good('updatePrompt'), 200, { prompt: 'Be brief.' }],
			[good('getPrompt'), 200, { prompt: 'Be brief.' }],
			() => {
				simulator().reset();
			},
			[good('getPrompt'), 200, { prompt: PROMPT }],
		],
	],
	[
		'a lock is told',
		[[changed('setLock', { locked: false }), 200, { success: true, assistant: { locked: false } }]],
	],
	[
		'paragraphs are added, listed and deleted, each once',
		[
			[good('deleteParagraph'), 200],
			[good('deleteParagraph'), 404],
			[elsewhere(good('deleteParagraph'), 'parking', 'opening-hours'), 200],
			[elsewhere(good('deleteParagraph'), 'parking', 'how-to-cancel'), 200],
			[changed('addParagraphs', { paragraphs: [{ value: { data: 'One.' } }] }), 200],
			[good('addParagraphs'), 200],
			[good('getKnowledgeBase'), 200, paragraphs('One.', 'Closed on holidays.')],
		],
	],
	[
		'empty and malformed paragraphs are refused',
		[[], ['text'], [{ data: 'x' }], [{ value: { data: '' } }]].map((texts): Step => [
			changed('addParagraphs', { paragraphs: texts }),
			400,
		]),
	],
	[
		'a call has priority 0, 1 or 2',
		[
			...[0, 1, 2].map((priority): Step => [call({ priority }), 201]),
			...[3, -1, 0.5, '1'].map((priority): Step => [
				call({ priority }),
				400,
				{ msg: containing('Invalid input') },
			]),
		],
	],
	...(['createCampaign', 'createBulkCampaign'] as const).map((name): [string, Step[]] => {
		const template = { campaignType: 'msgapp', templateName: 'appointment_reminder' };
		return [
			`${name} requires the content of its type`,
			[
				[changed(name, { campaignType: 'sms' }), 400],
				[changed(name, sms), 200],
				[changed(name, template), 400],
				[changed(name, { ...template, templateLanguage: 'fr' }), 400],
				[changed(name, { ...template, templateLanguage: 'de' }), 200],
				[changed(name, { campaignType: 'fax' }), 400],
				[changed(name, { triggerType: 'later' }), 400],
			],
		];
	}),
	[
		'a single campaign repeats the status of a refusal in its body and allows null',
		[
			[campaign({ toNumber: 'x' }), 400, { status: 400, message: containing('toNumber') }],
			[campaign({ message: null, templateName: null, templateLanguage: null }), 200],
		],
	],
	[
		'a contact is reached again only when earlier campaigns are ignored',
		[
			[campaign(sms), 200, { message: containing('created') }],
			[campaign(sms), 200, { message: containing('updated') }],
			[
				campaign({ ...sms, ignorePreviousCampaigns: true }),
				200,
				{ message: containing('created') },
			],
			[campaign({ ...sms, toNumber: CUSTOMER_NUMBER }), 200, { message: containing('created') }],
			[conversationOf(TO_NUMBER), 200, { messages: [{}, {}] }],
		],
	],
	['a spreadsheet has a real address', [[changed('createBulkCampaign', { sheetURL: 'x' }), 400]]],
	[
		'a chat continues by user identifier, by conversation id, or both',
		[
			[chat({ userIdentifier: KNOWN_USER }), 200, { conversationId: KNOWN_ID }],
			[chat({ conversationId: KNOWN_ID, question: 'Why?' }), 200, { response: containing('Why?') }],
			[chat({ conversationId: KNOWN_ID, userIdentifier: 'x' }), 200, { conversationId: KNOWN_ID }],
			[good('getConversation'), 200, { _id: KNOWN_ID, messages: Array(8).fill({}) }],
			[chat({ userIdentifier: 'other', attributes: { customField1: 'gold' } }), 200],
			[conversationOf('other'), 200, { attributes: { customField1: 'gold' }, messages: [{}, {}] }],
		],
	],
	[
		'a bad continuation and conversation are told by code and moreInfo, a bad start by a message',
		[
			[chat({ conversationId: 'unknown' }), 400, { code: 40000, moreInfo: anyText }],
			[chat({}), 400, { message: anyText }],
			[conversationOf('nobody'), 404, { message: 'Conversation not found' }],
			[elsewhere(good('getConversation'), '11111111-', ''), 400, { code: 40000 }],
			[{ ...good('getConversation'), path: `${good('getConversation').path}%` }, 400],
			[conversationOf(''), 404],
		],
	],
	[
		'a customer window is open for 24 hours from the last reply of this customer',
		[
			[say(), 400, NOT_OPEN],
			[good('sendMsgappTemplate'), 200],
			[say(), 400, NOT_OPEN],
			replies,
			[say(), 200],
			later(24 * HOUR_MS - 60_000),
			[say(), 200],
			later(60_001),
			[say(), 400, CLOSED],
			[good('sendMsgappTemplate'), 200],
			[say(), 400, CLOSED],
			replies,
			[say(), 200],
			() => {
				simulator().reset();
			},
			[say(), 400, NOT_OPEN],
		],
	],
	[
		'placeholders are filled from the attributes',
		[
			replies,
			[say('Hi {first_name}, {unknown}', { first_name: 'Ada' }), 200],
			[conversationOf(TO_NUMBER), 200, { messages: [{ content: 'Hi Ada, {unknown}' }] }],
		],
	],
	[
		'templates are those of the workspace',
		(['startMsgapp', 'sendMsgappTemplate'] as const).flatMap((name): Step[] => [
			[changed(name, { templateName: 'other' }), 400],
			[changed(name, { language: 'fr' }), 400],
		]),
	],
	[
		'a conversation is not started without a sender number',
		[
			() => {
				simulator().removeSenderNumbers();
			},
			[good('startMsgapp'), 409, { msg: containing('phone number ids') }],
		],
	],
])('%s', async (_, steps) => {
	for (const step of steps) {
		if (typeof step === 'function') {
			step();
			continue;
		}
		const [request, status, body = {}] = step;
		expect(await send(request)).toMatchObject({ status, data: body });
	}
});
