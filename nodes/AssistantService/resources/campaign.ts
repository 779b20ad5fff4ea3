import { customAttributeFields } from '../../shared/declaration/attributes';
import {
	optionalField,
	optionalText,
	sent,
	shownFor,
	textField,
	type Field,
} from '../../shared/declaration/field';
import {
	assistantId,
	campaignType,
	fromNumber,
	ignorePreviousCampaigns,
	message,
	NUMBER_FORMAT,
	templateLanguage,
	templateName,
	toNumber,
	triggerType,
	USUAL_MISTAKE_OF_NUMBERS,
} from '../../shared/declaration/fields';
import { defineOperation, type Operation, type Resource } from '../../shared/declaration/operation';
import { identifierIn, pick } from '../answerParts';
import { marker } from '../../shared/answer/answerRules';
import { label, webAddress } from '../../shared/declaration/schemas';
import { onePerson } from '../../shared/rules/contactRules';

/** A 403 of the campaign operations means a bad key, unlike elsewhere (S 7.1). */
const statusKinds = { 403: 'invalidApiKey' } as const;

const simplify: Operation['simplify'] = (answer) => ({
	...pick('message')(answer),
	campaignId: identifierIn(answer.message),
});

const createSingle = defineOperation({
	name: 'Create Single',
	value: 'createSingle',
	action: 'Create a campaign for one contact',
	description: 'Reach one contact by call, SMS or msgapp message as part of a campaign',
	specification: '4.6',
	request: { method: 'POST', url: '/v1/campaigns/createCampaign/{workspaceId}' },
	toolDescription: `Reaches one person by a real phone call, SMS or msgapp message, as part of a campaign. Each use is another campaign. ${NUMBER_FORMAT}`,
	fields: [
		sent(campaignType),
		sent(assistantId),
		sent(fromNumber),
		sent(toNumber),
		sent(triggerType),
		shownFor(campaignType, ['sms'], sent(message)),
		shownFor(campaignType, ['msgapp'], sent(templateName)),
		shownFor(campaignType, ['msgapp'], sent(templateLanguage)),
		sent(ignorePreviousCampaigns),
		...customAttributeFields(3),
	],
	...onePerson,
	done: 'created',
	reaches: 'reached',
	usualMistake: USUAL_MISTAKE_OF_NUMBERS,
	successMarkers: { message: marker.filledText },
	statusKinds,
	simplify,
});

const campaignName = optionalText({
	displayName: 'Campaign Name',
	name: 'campaignName',
	placeholder: 'e.g. Spring reminders',
	description: 'The name of the campaign',
	schema: label,
});

const sheetUrl = textField({
	displayName: 'Sheet URL',
	name: 'sheetUrl',
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
 * Marks a field as required, so n8n asks for it: else there is nobody to reach or to speak. The
 * service does not show what it requires (S 4.7). An expression that finds nothing leaves it out.
 */
const needed = (field: Field): Field => {
	const { property, ...rest } = optionalField(field);
	return { ...rest, property: { ...property, required: true } };
};

const createBulk = defineOperation({
	name: 'Create Bulk',
	value: 'createBulk',
	action: 'Create a bulk campaign from a spreadsheet',
	description: 'Reach the contacts of a spreadsheet by call, SMS or msgapp message',
	notice:
		'No rule of contact, such as Allowed Hours, applies to the people in the spreadsheet: the service reads it itself.',
	specification: '4.7',
	request: { method: 'POST', url: '/v1/bulkCampaigns/createBulkCampaign/{workspaceId}' },
	toolDescription:
		'Reaches all contacts of a spreadsheet by real phone calls, SMS or msgapp messages. Each use is another campaign. The spreadsheet is given by its URL.',
	fields: [
		sent(campaignName, 'name'),
		sent(campaignType),
		sent(needed(assistantId)),
		sent(optionalField(fromNumber)),
		sent(needed(sheetUrl), 'sheetURL'),
		sent(description),
		sent(triggerType),
		shownFor(campaignType, ['sms'], sent(optionalField(message))),
		shownFor(campaignType, ['msgapp'], sent(optionalField(templateName))),
		shownFor(campaignType, ['msgapp'], sent(optionalField(templateLanguage))),
		sent(ignorePreviousCampaigns),
	],
	recipient: 'sheetURL',
	writesFor: ['sheetURL'],
	repeatable: false,
	done: 'created',
	reaches: 'reached',
	successMarkers: { message: marker.filledText },
	statusKinds,
	simplify,
});

/** Campaigns that reach one contact or many (S 4.6, S 4.7). */
export const campaign: Resource = {
	name: 'Campaign',
	value: 'campaign',
	operations: [createBulk, createSingle],
	defaultOperation: createSingle,
};
