import type { INodeParameters } from 'n8n-workflow';

import { AssistantService } from '../../nodes/AssistantService/AssistantService.node';
import { OPERATION_ROWS } from '../operations';
import { pathOf } from '../operations/row';
import { OTHER_ID } from '../shared/samples';
import { addNodeType, NODE_TYPE, runNode } from './engine';
import { credentialFor, useSimulator } from './world';

/**
 * The description alone, run by n8n's own router, sends what the node sends. That holds for good values that need no
 * cleaning; the schemas that clean and refuse are the node's own.
 */

const STOCK_TYPE = 'test.stockAssistantService';
addNodeType(STOCK_TYPE, { description: new AssistantService().description });

const simulator = useSimulator();

/** A failed item stops no other: what is on the wire does not depend on how fast the service refuses one. */
const settings = { onError: 'continueRegularOutput' as const };

/** What is on the wire. */
async function requestsOf(type: string, parameters: INodeParameters) {
	simulator().requests.length = 0;
	await runNode({ type, parameters, settings, credential: credentialFor(simulator()) });
	return simulator().requests.map(({ method, path, query, body, rawBody, headers }) => ({
		method,
		path,
		query,
		body,
		hasBody: rawBody !== '',
		key: headers['x-api-key'],
		type: headers['content-type'],
	}));
}

/** Values of the rows that need cleaning, cleaned. */
const CLEANED: Readonly<Record<string, INodeParameters>> = {
	'chat.start': {
		userIdentifier: 'customer/47 11?',
		customFields: { customField1: 'Ada', customField8: '8', customField2: '' },
	},
	'call.place': { toNumber: '+4915112345678' },
};

// What waits sends what another operation does, and needs a contact book.
const ROWS = OPERATION_ROWS.filter(({ waits }) => !waits).map((row) => {
	const { resource, operation, parameters } = row;
	const path = pathOf(row);
	return { path, parameters: { resource, operation, ...parameters, ...CLEANED[path] } };
});

const continuing = { continueBy: 'conversationId', conversationId: '665f1c2e9b1e8a0012ab34cd' };
const asJson = (attributesJson: string) => ({ specifyAttributes: 'json', attributesJson });
const paragraphs = (list: unknown) => ({
	paragraphSource: 'json',
	paragraphsJson: JSON.stringify(list),
});

/** Other ways to fill the fields of an operation. */
const VARIANTS: Readonly<Record<string, readonly INodeParameters[]>> = {
	'chat.start': [{ customFields: {} }, asJson('={{ ({ customField2: "x" }) }}')],
	'chat.continue': [
		continuing,
		{ ...continuing, options: { userIdentifier: 'customer-4711', workspaceId: OTHER_ID } },
		{ options: { userIdentifier: 'hidden, so it is not sent' } },
	],
	'call.place': [{ priority: 0 }, { priority: '={{ undefined }}' }, { attributesJson: '' }],
	'campaign.createSingle': [
		{ campaignType: 'call', ignorePreviousCampaigns: false },
		{ campaignType: 'sms', triggerType: 'triggerBasedOnCampaign' },
	],
	'campaign.createBulk': [
		{
			campaignName: '',
			assistantId: '={{ "" }}',
			fromNumber: '',
			sheetUrl: '={{ "" }}',
			message: '',
		},
		{ campaignType: 'msgapp', templateName: 'x', templateLanguage: '' },
	],
	'msgapp.startConversation': [
		{
			attributes: {
				values: [
					{ name: 'first.name', value: 'Ada' },
					{ name: 'street', value: '={{ undefined }}' },
					{ name: '', value: '' },
				],
			},
		},
		{ attributes: {} },
		asJson('{ "a.b": "", "c": { "d": [1, null] } }'),
	],
	'knowledgeBase.addParagraphs': [
		{ paragraphs: { values: [{ text: 'One.' }, { text: 'Two,\nstill two.' }, { text: '' }] } },
		paragraphs([{ value: { data: 'One.' } }, 'Two.']),
		{
			paragraphSource: 'text',
			text: '\u200b\nOne.\r\nStill one.\r\n\u200b\r\nTwo.\r\rThree.\n\u00a0\ufeff\nFour.\n\u200b',
		},
	],
	'knowledgeBase.deleteParagraph': [
		{ paragraphKey: { __rl: true, mode: 'id', value: '={{ "a/" + "ü" }}' } },
	],
	'assistant.setLock': [{ locked: false }],
};

describe.each(ROWS)('$path', ({ path, parameters }) => {
	const workspaces = [{ options: {} }, { options: { workspaceId: OTHER_ID } }];

	test.each([{}, ...workspaces, ...(VARIANTS[path] ?? [])])(
		'is the same request by the router and by the node, with %j',
		async (variant) => {
			const all = { ...parameters, ...variant };

			const byNode = await requestsOf(NODE_TYPE, all);
			const byRouter = await requestsOf(STOCK_TYPE, all);

			expect(byNode).toHaveLength(1);
			expect(byRouter).toEqual(byNode);
		},
	);
});
