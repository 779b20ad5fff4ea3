import fc from 'fast-check';

import {
	ASSISTANT_ID,
	GOOD_VALUES,
	KNOWLEDGE_BASE_ID,
	namesRead,
	operationOf,
	operations,
	OTHER_ID,
	planOf,
	planOrProblems,
	WORKSPACE_ID,
	type Values,
} from '../samples';

const paths = [...operations.keys()];

describe('path and body', () => {
	const group = `${WORKSPACE_ID}/${ASSISTANT_ID}`;
	const base = `${WORKSPACE_ID}/${KNOWLEDGE_BASE_ID}`;
	const to = { toNumber: '+4915112345678' };
	const fromTo = { fromNumber: '+4930123456', ...to };
	const assistant = { assistantId: ASSISTANT_ID };
	const chat = { workspaceId: WORKSPACE_ID, ...assistant, question: 'When are you open?' };
	const campaign = { campaignType: 'call', ...assistant, fromNumber: '+4930123456' };
	const template = { templateName: 'appointment_reminder', language: 'de' };
	const user = { userIdentifier: 'customer-4711' };
	const fields = { customFields: { customField1: 'Ada', customField2: '' } };
	const attributes = { attributes: { customField1: 'Ada' } };
	const rows = { attributes: { values: [{ name: 'first', value: 'Ada' }] } };
	const data = (text: string) => ({ value: { data: text } });

	test.each<[path: string, values: Values, request: string, body: unknown]>([
		['chat.start', fields, 'POST /v1/chatbot', { ...chat, ...user, ...attributes }],
		['chat.continue', {}, 'POST /v1/chatbot', { ...chat, ...user }],
		[
			'chat.continue',
			{ continueBy: 'conversationId', options: { userIdentifier: ' u ' } },
			'POST /v1/chatbot',
			{ ...chat, conversationId: GOOD_VALUES.conversationId, userIdentifier: 'u' },
		],
		[
			'chat.getConversation',
			{},
			`GET /v1/conversation/workspace/${WORKSPACE_ID}/customer-4711`,
			undefined,
		],
		[
			'call.place',
			{ ...fields, priority: 0 },
			`POST /v1/voice/placeoutboundcall/${group}`,
			{ ...fromTo, priority: 0, ...attributes },
		],
		[
			'sms.start',
			fields,
			`POST /v1/sms/startSMSThread/${ASSISTANT_ID}`,
			{ workspaceId: WORKSPACE_ID, ...fromTo, message: 'Hello', ...attributes },
		],
		[
			'campaign.createSingle',
			{ ...fields, ignorePreviousCampaigns: true },
			`POST /v1/campaigns/createCampaign/${WORKSPACE_ID}`,
			{
				...campaign,
				...to,
				triggerType: 'triggerImmediately',
				ignorePreviousCampaigns: true,
				...attributes,
			},
		],
		[
			'campaign.createSingle',
			{ campaignType: 'sms' },
			`POST /v1/campaigns/createCampaign/${WORKSPACE_ID}`,
			{
				...campaign,
				...to,
				campaignType: 'sms',
				triggerType: 'triggerImmediately',
				message: 'Hello',
			},
		],
		[
			'campaign.createBulk',
			{ campaignType: 'msgapp', campaignName: ' Spring ', description: '', templateLanguage: '' },
			`POST /v1/bulkCampaigns/createBulkCampaign/${WORKSPACE_ID}`,
			{
				...campaign,
				name: 'Spring',
				campaignType: 'msgapp',
				sheetURL: 'https://example.com/contacts.xlsx',
				triggerType: 'triggerImmediately',
				templateName: 'appointment_reminder',
			},
		],
		[
			'msgapp.startConversation',
			rows,
			`POST /v1/msgapp/manage/startMsgappThread/${group}`,
			{ ...to, ...template, attributes: { first: 'Ada' } },
		],
		[
			'msgapp.continueConversation',
			{ ...rows, message: 'Hello {first}' },
			`POST /v1/msgapp/manage/addToMsgappThread/${group}`,
			{ ...to, message: 'Hello {first}', attributes: { first: 'Ada' } },
		],
		[
			'msgapp.sendTemplate',
			{ specifyAttributes: 'json', attributesJson: '{"first":"Ada"}' },
			`POST /v1/msgapp/manage/sendTemplateMessage/${group}`,
			{ ...to, ...template, parameters: { first: 'Ada' } },
		],
		[
			'knowledgeBase.addParagraphs',
			{ paragraphSource: 'text' },
			`POST /v1/knowledgeBase/addParagraph/${base}`,
			{ paragraphs: [data('One'), data('Two')] },
		],
		['knowledgeBase.get', {}, `GET /v1/knowledgeBase/getKnowledgeBase/${base}`, undefined],
		[
			'knowledgeBase.deleteParagraph',
			{},
			`DELETE /v1/knowledgeBase/deleteParagraph/${base}/p-1`,
			undefined,
		],
		['assistant.getPrompt', {}, `GET /v1/assistants/getPrompt/${group}`, undefined],
		[
			'assistant.setLock',
			{ locked: false },
			`PUT /v1/assistants/updateAssistantVisibility/${group}`,
			{ locked: false },
		],
		[
			'assistant.updatePrompt',
			{},
			`POST /v1/assistants/updatePrompt/${group}`,
			{ prompt: 'Be brief.' },
		],
	])('%s with %j', (path, values, request, body) => {
		const { main } = planOf(path, values);

		expect(`${main.method} ${main.url}`).toBe(request);
		expect(main.body).toEqual(body);
		expect(main.timeout).toBe(path.startsWith('chat.') ? 300_000 : 60_000);
	});
});

describe('requests beside the main one', () => {
	test('the template takes what the message would have had', () => {
		const rows = { attributes: { values: [{ name: 'first', value: 'Ada' }] } };
		const { main, fallback } = planOf('msgapp.continueConversation', {
			...rows,
			whenWindowClosed: 'sendTemplate',
			options: { timeout: 5, workspaceId: OTHER_ID },
		});

		expect(main.body).toEqual({
			toNumber: '+4915112345678',
			message: 'Hello',
			attributes: { first: 'Ada' },
		});
		expect(fallback).toMatchObject({
			url: `/v1/msgapp/manage/sendTemplateMessage/${OTHER_ID}/${ASSISTANT_ID}`,
			timeout: 5,
		});
		expect(fallback?.body).toEqual({
			toNumber: '+4915112345678',
			templateName: 'appointment_reminder',
			language: 'de',
			parameters: { first: 'Ada' },
		});
	});

	test('the previous prompt is asked for only if it is wanted', () => {
		expect(planOf('assistant.updatePrompt').before).toBeUndefined();

		const { before } = planOf('assistant.updatePrompt', {
			options: { returnPreviousPrompt: true },
		});
		expect(before).toMatchObject({
			method: 'GET',
			url: `/v1/assistants/getPrompt/${WORKSPACE_ID}/${ASSISTANT_ID}`,
		});
		expect(before).not.toHaveProperty('body');
	});
});

/** Settings under which every field of every operation is shown at some time. */
const SETTINGS: Values[] = [
	{},
	{ specifyAttributes: 'json', campaignType: 'sms', continueBy: 'conversationId' },
	{ campaignType: 'msgapp', paragraphSource: 'text', whenWindowClosed: 'sendTemplate' },
	{ paragraphSource: 'json', options: { returnPreviousPrompt: true } },
];

describe.each(paths)('%s', (path) => {
	test.each(SETTINGS)('reads every parameter once, with %j', (settings) => {
		const names = namesRead(path, settings);

		expect(new Set(names).size).toBe(names.length);
		expect(names).toContain('options');
	});

	test('takes the workspace of the options before that of the credential', () => {
		const of = (values: Values, credential: string) => {
			const { url, body } = planOf(path, values, credential).main;
			return JSON.stringify([url, body]);
		};

		expect(of({}, WORKSPACE_ID)).toContain(WORKSPACE_ID);
		const other = of({ options: { workspaceId: OTHER_ID } }, WORKSPACE_ID);
		expect(other).toContain(OTHER_ID);
		expect(other).not.toContain(WORKSPACE_ID);
		expect(of({ options: { workspaceId: OTHER_ID } }, 'no UUID')).toContain(OTHER_ID);
	});

	test('sends nothing blank, whatever is left empty', () => {
		const blanks = fc.dictionary(
			fc.constantFrom(...operationOf(path).fields.map(({ property }) => property.name)),
			fc.constantFrom('', '  ', null, undefined, {}, { values: [] }),
		);
		fc.assert(
			fc.property(blanks, fc.constantFrom(...SETTINGS), (empty, settings) => {
				const plan = planOrProblems(path, { ...settings, ...empty });

				if ('problems' in plan) return;
				for (const value of Object.values(plan.main.body ?? {})) {
					expect(['', null, undefined]).not.toContain(value);
					expect(JSON.stringify(value)).not.toMatch(/^(?:\{\}|\[\]|"\s*")$/);
				}
			}),
		);
	});
});
