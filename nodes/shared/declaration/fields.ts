import { menuField, textField, type Field } from './field';
import { phoneNumber, recipientNumber } from './phoneNumber';
import { flag, identifier, label, optional, quotedText, text, uuid } from './schemas';

export const assistantId = textField({
	displayName: 'Assistant ID',
	name: 'assistantId',
	placeholder: 'e.g. 3f2b8c1e-5d4a-4e7b-9c6f-1a2b3c4d5e6f',
	description: 'The ID of the assistant, from the dashboard of the service',
	schema: uuid,
});

export const userIdentifier = textField({
	displayName: 'User Identifier',
	name: 'userIdentifier',
	placeholder: 'e.g. customer-4711',
	description:
		'Your own name for the user or customer, such as a customer number. The conversation is stored and found by it.',
	schema: identifier,
});

export const conversationId = textField({
	displayName: 'Conversation ID',
	name: 'conversationId',
	placeholder: 'e.g. 665f1c2e9b1e8a0012ab34cd',
	description: 'The ID of the conversation, which Start Conversation outputs as conversationId',
	schema: identifier,
});

export const question = textField({
	displayName: 'Question',
	name: 'question',
	placeholder: 'e.g. When are you open on Saturday?',
	description: 'What the user says to the assistant',
	typeOptions: { rows: 3 },
	schema: quotedText,
});

export const fromNumber = textField({
	displayName: 'From Number',
	name: 'fromNumber',
	placeholder: 'e.g. +4930123456',
	description:
		'The phone number that the call or message comes from. It must be linked to the assistant.',
	schema: phoneNumber,
});

export const toNumber = textField({
	displayName: 'To Number',
	name: 'toNumber',
	placeholder: 'e.g. +4915112345678',
	description:
		'The phone number of the person to reach. Begin with + or 00 and the country code. Spaces, dots, dashes and brackets are removed.',
	builderHint: {
		propertyHint:
			'A real person is reached at this number. Take it from the data, with + and the country code; never make one up.',
	},
	schema: recipientNumber,
});

/** What the description of a tool that takes phone numbers ends with. */
export const NUMBER_FORMAT =
	'A phone number begins with + and the country code, e.g. +4915112345678.';

/** What the service usually rejects where both numbers are sent (S 4.4 to 4.6). */
export const USUAL_MISTAKE_OF_NUMBERS =
	'Usually "Assistant ID" is wrong, "From Number" is not linked to the assistant, or "To Number" is wrong. Check all three.';

export const message = textField({
	displayName: 'Message',
	name: 'message',
	placeholder: 'e.g. Hello, this is your reminder for tomorrow at 10.',
	description: 'The text that the recipient gets',
	typeOptions: { rows: 3 },
	schema: text,
});

export const templateName = textField({
	displayName: 'Template Name',
	name: 'templateName',
	placeholder: 'e.g. appointment_reminder',
	description: 'The name of an approved msgapp template',
	schema: label,
});

export const templateLanguage = textField({
	displayName: 'Template Language',
	name: 'templateLanguage',
	placeholder: 'e.g. en',
	description: 'The language code of the template',
	schema: label,
});

/** The language of a template where the service calls it `language` (S 4.8, S 4.10). */
export const language: Field = {
	...templateLanguage,
	property: { ...templateLanguage.property, name: 'language' },
};

export const knowledgeBaseId = textField({
	displayName: 'Knowledge Base ID',
	name: 'knowledgeBaseId',
	placeholder: 'e.g. 7d9e2f40-1b3c-4a5d-8e6f-0a1b2c3d4e5f',
	description: 'The ID of the knowledge base, from the dashboard of the service',
	schema: uuid,
});

/** What kind of campaign it is (S 4.6, S 4.7). */
export const campaignType = menuField({
	displayName: 'Campaign Type',
	name: 'campaignType',
	options: [
		{ name: 'Call', value: 'call' },
		{ name: 'Msgapp', value: 'msgapp' },
		{ name: 'SMS', value: 'sms' },
	],
	default: 'call',
	description: 'How the campaign reaches its contacts',
});

/** When a campaign starts (S 4.6, S 4.7). */
export const triggerType = menuField({
	displayName: 'When to Start',
	name: 'triggerType',
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
export const ignorePreviousCampaigns: Field = {
	property: {
		displayName: 'Ignore Previous Campaigns',
		name: 'ignorePreviousCampaigns',
		type: 'boolean',
		default: false,
		description: 'Whether to reach contacts again that an earlier campaign has reached',
	},
	schema: optional(flag).transform((value) => (value === true ? true : undefined)),
	expression: '$value || undefined',
};
