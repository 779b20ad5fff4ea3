import type { IDataObject } from 'n8n-workflow';

import { customAttributeFields } from '../../shared/declaration/attributes';
import {
	defineField,
	menuField,
	optionalField,
	optionalText,
	shownFor,
	textField,
	type Field,
} from '../../shared/declaration/field';
import { defineOperation, endpoint, type Resource } from '../../shared/declaration/operation';
import { identifierIn, pick } from '../answerParts';
import { marker } from '../../shared/answer/answerRules';
import { flag, label, optional, webAddress } from '../../shared/declaration/schemas';
import * as common from './fields';
import { toPerson } from './toPerson';

/** What holds for both. A 403 of theirs means a bad key, unlike elsewhere (S 7.1). */
const creating = {
	repeatable: false,
	done: 'created',
	reaches: 'reached',
	successMarkers: { message: marker.filledText },
	statusKinds: { 403: 'invalidApiKey' },
	simplify: (answer: IDataObject): IDataObject => ({
		...pick('message')(answer),
		campaignId: identifierIn(answer.message),
	}),
} as const;

const campaignType = menuField({
	displayName: 'Campaign Type',
	name: 'campaignType',
	sentAs: 'campaignType',
	options: [
		{ name: 'Call', value: 'call' },
		{ name: 'Msgapp', value: 'msgapp' },
		{ name: 'SMS', value: 'sms' },
	],
	default: 'call',
	description: 'How the campaign reaches its contacts',
});

const triggerType = menuField({
	displayName: 'When to Start',
	name: 'triggerType',
	sentAs: 'triggerType',
	options: [
		{
			name: 'As Set in the Campaign',
			value: 'triggerBasedOnCampaign',
			description: 'Reach the contacts when the campaign is set to start at the service',
		},
		{
			name: 'Immediately',
			value: 'triggerImmediately',
			description: 'Reach the contacts as soon as the campaign is created',
		},
	],
	default: 'triggerImmediately',
	description: 'When the campaign reaches its contacts',
});

/** Whether a contact is reached again; sent only when true (S 4.6, S 4.7). */
const ignorePreviousCampaigns = defineField({
	displayName: 'Ignore Previous Campaigns',
	name: 'ignorePreviousCampaigns',
	type: 'boolean',
	default: false,
	description: 'Whether to reach contacts again that an earlier campaign has reached',
	sentAs: 'ignorePreviousCampaigns',
	schema: optional(flag).transform((value) => value === true || undefined),
	expression: '$value || undefined',
});

const createSingle = defineOperation({
	name: 'Create Single',
	value: 'createSingle',
	action: 'Create a campaign for one contact',
	description: 'Reach one contact by call, SMS or msgapp message as part of a campaign',
	specification: '4.6',
	request: endpoint('POST', '/v1/campaigns/createCampaign/{workspaceId}'),
	toolDescription: `Reaches one person by a real phone call, SMS or msgapp message, as part of a campaign. Each use is another campaign. ${common.NUMBER_FORMAT}`,
	fields: [
		campaignType,
		common.assistantId,
		common.fromNumber,
		common.toNumber,
		triggerType,
		shownFor(campaignType, ['sms'], common.message),
		shownFor(campaignType, ['msgapp'], common.templateName),
		shownFor(campaignType, ['msgapp'], common.templateLanguage),
		ignorePreviousCampaigns,
		...customAttributeFields(3),
	],
	...toPerson,
	...creating,
	usualMistake: common.USUAL_MISTAKE,
});

const campaignName = optionalText({
	displayName: 'Campaign Name',
	name: 'campaignName',
	sentAs: 'name',
	placeholder: 'e.g. Spring reminders',
	description: 'The name of the campaign',
	schema: label,
});

const sheetUrl = textField({
	displayName: 'Sheet URL',
	name: 'sheetUrl',
	sentAs: 'sheetURL',
	placeholder: 'e.g. https://example.com/contacts.xlsx',
	description: 'The web address of the spreadsheet that lists the contacts',
	schema: webAddress,
});

const description = optionalText({
	displayName: 'Description',
	name: 'description',
	placeholder: 'e.g. Reminds customers of their spring appointment',
	description: 'What the campaign is for',
	schema: label,
});

/**
 * Keeps a field required, so n8n asks for it: else there is nobody to reach or to speak. The
 * service does not show what it requires (S 4.7). An expression that finds nothing leaves it out.
 */
const needed = (field: Field): Field => ({ ...optionalField(field), property: field.property });

const createBulk = defineOperation({
	name: 'Create Bulk',
	value: 'createBulk',
	action: 'Create a bulk campaign from a spreadsheet',
	description: 'Reach the contacts of a spreadsheet by call, SMS or msgapp message',
	notice:
		'No rule of contact, such as Allowed Hours, applies to the people in the spreadsheet: the service reads it itself.',
	specification: '4.7',
	request: endpoint('POST', '/v1/bulkCampaigns/createBulkCampaign/{workspaceId}'),
	toolDescription:
		'Reaches all contacts of a spreadsheet by real phone calls, SMS or msgapp messages. Each use is another campaign. The spreadsheet is given by its URL.',
	fields: [
		campaignName,
		campaignType,
		needed(common.assistantId),
		optionalField(common.fromNumber),
		needed(sheetUrl),
		description,
		triggerType,
		shownFor(campaignType, ['sms'], optionalField(common.message)),
		shownFor(campaignType, ['msgapp'], optionalField(common.templateName)),
		shownFor(campaignType, ['msgapp'], optionalField(common.templateLanguage)),
		ignorePreviousCampaigns,
	],
	recipient: 'sheetURL',
	writesFor: ['sheetURL'],
	...creating,
});

/** Campaigns that reach one contact or many (S 4.6, S 4.7). */
export const campaign: Resource = {
	name: 'Campaign',
	value: 'campaign',
	operations: [createBulk, createSingle],
	defaultOperation: createSingle,
};
