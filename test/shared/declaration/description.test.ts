import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { AssistantService } from '../../../nodes/AssistantService/AssistantService.node';
import type { Operation } from '../../../nodes/shared/declaration/operation';
import { operationOf, operations } from '../samples';

const { properties } = new AssistantService().description;

const CUSTOM = ['specifyAttributes', 'customFields', 'attributesJson'];
const FREE = ['specifyAttributes', 'attributes', 'attributesJson'];
const MSGAPP = '/v1/msgapp/manage';
const CAMPAIGN = [
	'campaignType',
	'assistantId',
	'fromNumber',
	'triggerType',
	'message',
	'templateName',
	'templateLanguage',
	'ignorePreviousCampaigns',
];

interface Row {
	readonly request: string;
	readonly section: string;
	readonly fields: string[];
	/** Reaches people or adds data, so that it must not be sent twice. */
	readonly unsafe?: boolean;
	readonly options?: string[];
}

/** The contract's operations, with the requests of the specification. */
const CONTRACT: Record<string, Row> = {
	'chat.start': {
		request: 'POST /v1/chatbot',
		section: '4.1',
		fields: ['assistantId', 'userIdentifier', 'question', ...CUSTOM],
		unsafe: true,
	},
	'chat.continue': {
		request: 'POST /v1/chatbot',
		section: '4.2',
		fields: ['assistantId', 'continueBy', 'userIdentifier', 'conversationId', 'question'],
		unsafe: true,
		options: ['userIdentifier'],
	},
	'chat.getConversation': {
		request: 'GET /v1/conversation/workspace/{workspaceId}/{userIdentifier}',
		section: '4.3',
		fields: ['userIdentifier'],
	},
	'call.place': {
		request: 'POST /v1/voice/placeoutboundcall/{workspaceId}/{assistantId}',
		section: '4.4',
		fields: ['assistantId', 'fromNumber', 'toNumber', 'priority', ...CUSTOM],
		unsafe: true,
	},
	'sms.start': {
		request: 'POST /v1/sms/startSMSThread/{assistantId}',
		section: '4.5',
		fields: ['assistantId', 'fromNumber', 'toNumber', 'message', ...CUSTOM],
		unsafe: true,
	},
	'campaign.createSingle': {
		request: 'POST /v1/campaigns/createCampaign/{workspaceId}',
		section: '4.6',
		fields: [...CAMPAIGN, 'toNumber', ...CUSTOM],
		unsafe: true,
	},
	'campaign.createBulk': {
		request: 'POST /v1/bulkCampaigns/createBulkCampaign/{workspaceId}',
		section: '4.7',
		fields: [...CAMPAIGN, 'campaignName', 'sheetUrl', 'description'],
		unsafe: true,
	},
	'msgapp.startConversation': {
		request: `POST ${MSGAPP}/startMsgappThread/{workspaceId}/{assistantId}`,
		section: '4.8',
		fields: ['assistantId', 'toNumber', 'templateName', 'language', ...FREE],
		unsafe: true,
	},
	'msgapp.continueConversation': {
		request: `POST ${MSGAPP}/addToMsgappThread/{workspaceId}/{assistantId}`,
		section: '4.9',
		fields: [
			'assistantId',
			'toNumber',
			'message',
			...FREE,
			'whenWindowClosed',
			'templateName',
			'language',
		],
		unsafe: true,
	},
	'msgapp.sendTemplate': {
		request: `POST ${MSGAPP}/sendTemplateMessage/{workspaceId}/{assistantId}`,
		section: '4.10',
		fields: ['assistantId', 'toNumber', 'templateName', 'language', ...FREE],
		unsafe: true,
	},
	'knowledgeBase.addParagraphs': {
		request: 'POST /v1/knowledgeBase/addParagraph/{workspaceId}/{kbId}',
		section: '4.11',
		fields: ['knowledgeBaseId', 'paragraphSource', 'paragraphs', 'text', 'paragraphsJson'],
		unsafe: true,
	},
	'knowledgeBase.get': {
		request: 'GET /v1/knowledgeBase/getKnowledgeBase/{workspaceId}/{kbId}',
		section: '4.12',
		fields: ['knowledgeBaseId'],
	},
	'knowledgeBase.deleteParagraph': {
		request: 'DELETE /v1/knowledgeBase/deleteParagraph/{workspaceId}/{kbId}/{paragraphKey}',
		section: '4.13',
		fields: ['knowledgeBaseId', 'paragraphKey'],
	},
	'assistant.getPrompt': {
		request: 'GET /v1/assistants/getPrompt/{workspaceId}/{assistantId}',
		section: '4.16',
		fields: ['assistantId'],
	},
	'assistant.setLock': {
		request: 'PUT /v1/assistants/updateAssistantVisibility/{workspaceId}/{assistantId}',
		section: '4.14',
		fields: ['assistantId', 'locked'],
	},
	'assistant.updatePrompt': {
		request: 'POST /v1/assistants/updatePrompt/{workspaceId}/{assistantId}',
		section: '4.15',
		fields: ['assistantId', 'prompt'],
		options: ['returnPreviousPrompt'],
	},
};

const shownFor = (name: string, value: string, { displayOptions }: INodeProperties): boolean =>
	displayOptions?.show?.[name]?.includes(value) === true;

const entriesOf = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

/** The menu entry and the fields of an operation as n8n shows them. */
function shown(path: string): { entry?: INodePropertyOptions; fields: INodeProperties[] } {
	const [resource = '', operation = ''] = path.split('.');
	const ofResource = properties.filter((property) => shownFor('resource', resource, property));
	const menu = ofResource.find(({ name }) => name === 'operation');
	return {
		entry: menu && entriesOf(menu).find(({ value }) => value === operation),
		fields: ofResource.filter((property) => shownFor('operation', operation, property)),
	};
}

test('the menu offers the operations of the contract, and no other', () => {
	const resource = properties.find(({ name }) => name === 'resource');
	const menus = properties.filter(({ name }) => name === 'operation');

	const offered = menus.flatMap((menu) =>
		entriesOf(menu).map(
			({ value }) => `${JSON.stringify(menu.displayOptions?.show?.resource)}.${value.toString()}`,
		),
	);

	const wanted = Object.keys(CONTRACT);
	const groups = new Set(wanted.map((path) => path.split('.')[0]));
	expect(offered.sort()).toEqual(wanted.map((path) => path.replace(/^\w+/, '["$&"]')).sort());
	expect([...operations.keys()].sort()).toEqual(wanted.sort());
	expect(resource && entriesOf(resource).map(({ value }) => value)).toEqual([...groups].sort());
});

/** A property with those inside of it: options of a collection, fields of its rows. */
const withInner = (property: INodeProperties): INodeProperties[] => {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...inner.flatMap(withInner)];
};

describe.each(Object.entries(CONTRACT))('%s', (path, row) => {
	const operation: Operation = operationOf(path);
	const { entry, fields } = shown(path);
	const byName = new Map(operation.options.map(({ property }) => [property.name, property]));

	test('makes the request of the specification', () => {
		const { method, url } = operation.request;

		expect(`${method} ${url}`).toBe(row.request);
		expect(operation.specification).toBe(row.section);
		expect(entry?.routing).toEqual({ request: { method } });
	});

	test('has the fields of the contract, each of them once', () => {
		expect(fields.map(({ name }) => name).sort()).toEqual([...row.fields, 'options'].sort());
	});

	test('fills each part of its path', () => {
		const sent = [...operation.fields, ...operation.options].map(({ place }) => place?.name);
		const inPath = Array.from(row.request.matchAll(/\{(\w+)\}/g), ([, name]) => name);

		expect(inPath.filter((name) => !sent.includes(name))).toEqual([]);
	});

	test('has the options of the contract', () => {
		const always = ['workspaceId', 'simplify', 'maxConcurrentRequests', 'timeout'];
		const offered = fields.find(({ name }) => name === 'options')?.options?.map(({ name }) => name);

		expect(offered).toEqual([...byName.keys()]);
		expect(offered).toEqual(expect.arrayContaining([...always, ...(row.options ?? [])]));
		expect(byName.has('ifOutcomeUnknown')).toBe(row.unsafe === true);
		expect(operation.repeatable).toBe(row.unsafe !== true);
		expect(byName.get('timeout')?.default).toBe(path.startsWith('chat.') ? 300_000 : 60_000);
	});

	test('explains itself', () => {
		expect(entry?.description).toMatch(/^[A-Z].+/);
		expect(entry?.action).toMatch(/^[A-Z].+/);
		const all = fields.flatMap(withInner).filter(({ name }) => name !== 'options');
		for (const property of all) {
			const { name, type, description, placeholder } = property;
			expect({ name, description }).toEqual({
				name,
				description: expect.stringMatching(/^[A-Z].+/) as unknown,
			});
			if (type !== 'string' && type !== 'json') continue;
			expect({ name, placeholder }).toEqual({
				name,
				placeholder: expect.stringMatching(/^e\.g\. ./) as unknown,
			});
		}
	});
});
