import type { INodeProperties } from 'n8n-workflow';

import { AssistantServiceApi } from '../credentials/AssistantServiceApi.credentials';
import { AssistantService } from '../nodes/AssistantService/AssistantService.node';
import { AssistantServiceTrigger } from '../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';

/** The default of each of these is the empty text. */
const empty = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']));

/** The options of an operation that is safe to repeat. */
const SAFE = {
	options: {},
	'options.maxConcurrentRequests': 50,
	'options.maxWait': 600,
	'options.requestsPerSecond': 0,
	'options.simplify': true,
	'options.timeout': 60_000,
	'options.workspaceId': '',
};

const SENT_ONCE = {
	...SAFE,
	'options.checkOnly': true,
	'options.ifOutcomeUnknown': 'keepFailed',
};

/** The rules of contact, and what goes with them. */
const ONE_PERSON = {
	...SENT_ONCE,
	contactRules: {},
	'contactRules.allowedHours': 'Mon-Fri 09:00-18:00',
	'contactRules.atMostContacts': 3,
	'contactRules.atMostDays': 7,
	'contactRules.doNotContact': '',
	'contactRules.heldBackItems': 'output',
	'contactRules.atMostPerRun': 100,
	'contactRules.list': '',
	'contactRules.notAgainWithin': 24,
	'contactRules.timezone': '',
	'contactRules.timezoneFromNumber': false,
	'options.reference': '',
};

const { 'contactRules.heldBackItems': _, ...WITHOUT_HELD_BACK } = ONE_PERSON;

const ATTEMPTS = { 'contactRules.attempts': 3, 'contactRules.noResultAfter': 24 };

const CHAT = { 'options.timeout': 300_000 };

const ATTRIBUTES = { specifyAttributes: 'fields', attributesJson: '{}' };

const custom = (count: number) => {
	const names = Array.from({ length: count }, (_, index) => `customFields.customField${index + 1}`);
	return { ...ATTRIBUTES, customFields: {}, ...empty(...names) };
};

const CUSTOM_8 = custom(8);

/** What both operations that call have. */
const CALL = {
	...ATTEMPTS,
	...CUSTOM_8,
	...empty('assistantId', 'fromNumber', 'toNumber'),
	priority: 1,
};

const FREE = {
	...ATTRIBUTES,
	attributes: {},
	...empty('attributes.values.name', 'attributes.values.value'),
};

const TEMPLATE = {
	...ONE_PERSON,
	...FREE,
	...empty('assistantId', 'toNumber', 'templateName', 'language'),
};

const CAMPAIGN = {
	campaignType: 'call',
	triggerType: 'triggerImmediately',
	ignorePreviousCampaigns: false,
	...empty('assistantId', 'fromNumber', 'message', 'templateName', 'templateLanguage'),
};

/**
 * Every default as saved workflows rely on it, by type, by where the parameter is shown, and by its path. n8n leaves a
 * parameter that equals its default out of a saved workflow, so no value here may ever change.
 */
const FROZEN_DEFAULTS = {
	assistantService: {
		'': { resource: 'call' },
		assistant: { operation: 'getPrompt' },
		call: { operation: 'place' },
		campaign: { operation: 'createSingle' },
		chat: { operation: 'continue' },
		knowledgeBase: { operation: 'addParagraphs' },
		msgapp: { operation: 'continueConversation' },
		sms: { operation: 'start' },
		'assistant.getPrompt': { ...SAFE, ...empty('assistantId') },
		'assistant.setLock': { ...SAFE, ...empty('assistantId'), locked: true },
		'assistant.updatePrompt': { ...SAFE, ...empty('assistantId', 'prompt') },
		'call.place': { ...ONE_PERSON, ...CALL },
		'call.placeAndWait': { ...WITHOUT_HELD_BACK, ...CALL, waitAtMost: 24 },
		'campaign.createBulk': {
			...SENT_ONCE,
			...CAMPAIGN,
			...empty('campaignName', 'sheetUrl', 'description'),
		},
		'campaign.createSingle': { ...ONE_PERSON, ...custom(3), ...CAMPAIGN, ...empty('toNumber') },
		'chat.continue': {
			...SENT_ONCE,
			...CHAT,
			...empty('assistantId', 'userIdentifier', 'conversationId', 'question'),
			...empty('options.userIdentifier'),
			continueBy: 'userIdentifier',
		},
		'chat.getConversation': { ...SAFE, ...CHAT, ...empty('userIdentifier') },
		'chat.start': {
			...SENT_ONCE,
			...CHAT,
			...CUSTOM_8,
			...empty('assistantId', 'userIdentifier', 'question'),
		},
		'knowledgeBase.addParagraphs': {
			...SENT_ONCE,
			...empty('knowledgeBaseId', 'paragraphs.values.text', 'text'),
			paragraphSource: 'fields',
			paragraphs: {},
			paragraphsJson: '[]',
		},
		'knowledgeBase.deleteParagraph': {
			...SAFE,
			...empty('knowledgeBaseId'),
			paragraphKey: { mode: 'list', value: '' },
		},
		'knowledgeBase.get': { ...SAFE, ...empty('knowledgeBaseId') },
		'msgapp.continueConversation': {
			...ONE_PERSON,
			...FREE,
			...empty('assistantId', 'toNumber', 'message', 'templateName', 'language'),
			whenWindowClosed: 'fail',
		},
		'msgapp.sendTemplate': TEMPLATE,
		'msgapp.startConversation': TEMPLATE,
		'sms.start': {
			...ONE_PERSON,
			...CUSTOM_8,
			...empty('assistantId', 'fromNumber', 'toNumber', 'message'),
		},
	},
	assistantServiceTrigger: {
		'': {
			...empty('notice', 'options.ipAllowlist', 'options.optOutProperty'),
			...empty('options.callBackProperty', 'options.reachedProperty'),
			authentication: 'secret',
			options: {},
			'options.callIdProperty': 'callId',
			'options.ignoreRepeats': true,
			'options.output': 'simplified',
		},
	},
	assistantServiceApi: {
		'': {
			...empty('baseUrl', 'apiKey', 'workspaceId', 'testNumber', 'n8nUrl', 'n8nApiKey'),
			...empty('webhookSecret', 'previousWebhookSecret'),
			mode: 'checkOnly',
			contactBook: false,
			contactBookTable: 'Contact book',
			webhookHeader: 'x-webhook-secret',
		},
	},
};

const isOfTool = ({ displayOptions }: INodeProperties): boolean =>
	displayOptions?.show?.['@tool'] !== undefined;

/** The defaults of a property and of all within it, by their paths. */
const defaultsOf = (property: INodeProperties, parent = ''): [path: string, value: unknown][] => {
	const path = parent + property.name;
	const inner = (property.options ?? []).flatMap((option) => {
		if ('type' in option) return isOfTool(option) ? [] : defaultsOf(option, `${path}.`);
		if (!('values' in option)) return [];
		return option.values.flatMap((value) => defaultsOf(value, `${path}.${option.name}.`));
	});
	return [[path, property.default], ...inner];
};

/** Where a parameter is shown: "call.place", "call", or "" if everywhere. */
function placesOf({ displayOptions }: INodeProperties): string[] {
	const { resource = [''], operation = [''] } = displayOptions?.show ?? {};
	const both = [resource, operation].map((values) => (Array.isArray(values) ? values : []));
	const [resources = [], operations = []] = both.map((values) => values.map(String));
	return resources.flatMap((group) =>
		operations.map((one) => [group, one].filter((part) => part !== '').join('.')),
	);
}

function readDefaults(properties: INodeProperties[]) {
	const read: Record<string, Record<string, unknown>> = {};
	for (const property of properties) {
		for (const place of placesOf(property)) {
			read[place] = { ...read[place], ...Object.fromEntries(defaultsOf(property)) };
		}
	}
	return read;
}

test.each([
	['assistantService', new AssistantService().description],
	['assistantServiceTrigger', new AssistantServiceTrigger().description],
	['assistantServiceApi', new AssistantServiceApi()],
] as const)('the defaults of %s are those that saved workflows rely on', (name, { properties }) => {
	expect(readDefaults(properties)).toMatchObject(FROZEN_DEFAULTS[name]);
});
