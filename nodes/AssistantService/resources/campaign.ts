import { customAttributeFields } from '../../shared/declaration/attributes';
import {
	assistantId,
	campaignType,
	fromNumber,
	ignorePreviousCampaigns,
	message,
	optionalField,
	send,
	shownFor,
	templateLanguage,
	templateName,
	toNumber,
	triggerType,
} from '../../shared/declaration/fields';
import {
	TIMEOUT,
	type Field,
	type Operation,
	type Resource,
} from '../../shared/declaration/operation';
import { identifierIn, pick } from '../../shared/answer/output';
import { promised } from '../../shared/declaration/promises';
import { label, optional, webAddress } from '../../shared/declaration/schemas';

/** A 403 of the campaign operations means a bad key, unlike elsewhere (S 7.1). */
const statusKinds = { 403: 'invalidApiKey' } as const;

const simplify: Operation['simplify'] = (answer) => ({
	...pick('message')(answer),
	campaignId: identifierIn(answer.message),
});

const createSingle: Operation = {
	name: 'Create Single',
	value: 'createSingle',
	action: 'Create a single campaign',
	description: 'Reach one contact by call, SMS or msgapp message as part of a campaign',
	specification: '4.6',
	routing: { request: { method: 'POST', url: '/v1/campaigns/createCampaign/{workspaceId}' } },
	fields: [
		campaignType,
		assistantId,
		fromNumber,
		toNumber,
		triggerType,
		shownFor('campaignType', ['sms'], message),
		shownFor('campaignType', ['msgapp'], templateName),
		shownFor('campaignType', ['msgapp'], templateLanguage),
		ignorePreviousCampaigns,
		...customAttributeFields(3),
	],
	recipient: 'toNumber',
	repeatable: false,
	timeout: TIMEOUT.standard,
	promises: { message: promised.filledText },
	statusKinds,
	simplify,
};

const campaignName: Field = {
	property: {
		displayName: 'Campaign Name',
		name: 'campaignName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Spring reminders',
		description: 'The name of the campaign',
		routing: send('name'),
	},
	schema: optional(label),
};

const sheetUrl: Field = {
	property: {
		displayName: 'Sheet URL',
		name: 'sheetUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/contacts.xlsx',
		description: 'The address of the spreadsheet that lists the contacts',
		routing: send('sheetURL'),
	},
	schema: optional(webAddress),
};

const description: Field = {
	property: {
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Reminds customers of their spring appointment',
		description: 'What the campaign is for',
		routing: send('description'),
	},
	schema: optional(label),
};

/** Which fields the service requires is not shown (S 4.7), so only what is given is checked. */
const createBulk: Operation = {
	name: 'Create Bulk',
	value: 'createBulk',
	action: 'Create a bulk campaign',
	description: 'Reach all contacts of a spreadsheet by call, SMS or msgapp message',
	specification: '4.7',
	routing: {
		request: { method: 'POST', url: '/v1/bulkCampaigns/createBulkCampaign/{workspaceId}' },
	},
	fields: [
		campaignName,
		campaignType,
		optionalField(assistantId),
		optionalField(fromNumber),
		sheetUrl,
		description,
		triggerType,
		shownFor('campaignType', ['sms'], optionalField(message)),
		shownFor('campaignType', ['msgapp'], optionalField(templateName)),
		shownFor('campaignType', ['msgapp'], optionalField(templateLanguage)),
		ignorePreviousCampaigns,
	],
	recipient: 'sheetURL',
	repeatable: false,
	timeout: TIMEOUT.standard,
	promises: { message: promised.filledText },
	statusKinds,
	simplify,
};

/** Campaigns that reach one contact or many (S 4.6, S 4.7). */
export const campaign: Resource = {
	name: 'Campaign',
	value: 'campaign',
	operations: [createBulk, createSingle],
	defaultOperation: createSingle,
};
