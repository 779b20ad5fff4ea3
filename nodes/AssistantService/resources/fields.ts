import { textField } from '../../shared/declaration/field';
import { phoneNumber, recipientNumber } from '../../shared/declaration/phoneNumber';
import { label, text, uuid } from '../../shared/declaration/schemas';

export const assistantId = textField({
	displayName: 'Assistant ID',
	name: 'assistantId',
	placeholder: 'e.g. 3f2b8c1e-5d4a-4e7b-9c6f-1a2b3c4d5e6f',
	description: 'The ID of the assistant, from the dashboard of the service',
	schema: uuid,
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
export const USUAL_MISTAKE =
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

const languageField = (name: string) =>
	textField({
		displayName: 'Template Language',
		name,
		placeholder: 'e.g. en',
		description: 'The language code of the template',
		schema: label,
	});

export const templateLanguage = languageField('templateLanguage');

/** Where the service calls it `language` (S 4.8, S 4.10). */
export const language = languageField('language');

/** What holds for each operation that only reads. */
export const reading = { writesFor: { nobody: 'reads' }, repeatable: true, done: 'read' } as const;
