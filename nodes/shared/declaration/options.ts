import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { flagField, menuField, numberField, optionalText, type Field } from './field';
import { label, uuid } from './schemas';

/** One hour, in milliseconds. */
const MAX_TIMEOUT = 3_600_000;

/** It has a value to send even if it was not added: that of the credential. */
export const workspaceId: Field = {
	...optionalText({
		displayName: 'Workspace ID',
		name: 'workspaceId',
		placeholder: 'e.g. 9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
		description:
			'The ID of the workspace to use instead of the one in the credential, from the dashboard of the service',
		schema: uuid,
	}),
	expression: '$value || $credentials.workspaceId',
};

const simplify = flagField({
	displayName: 'Simplify',
	name: 'simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const maxConcurrentRequests = numberField(1, 200, {
	displayName: 'Max Concurrent Requests',
	name: 'maxConcurrentRequests',
	default: 50,
	description: 'How many requests may be under way at once. The value of the first item counts.',
	isHiddenInTool: true,
});

const requestsPerSecond = numberField(0, 1000, {
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	default: 0,
	description:
		'How many requests to start in a second at most, 0 for no limit. The value of the first item counts.',
	isHiddenInTool: true,
	mayBeFraction: true,
});

const maxWait: Field<number> = {
	...numberField(0, 3_600, {
		displayName: 'Max Wait',
		name: 'maxWait',
		default: 600,
		description:
			"How many seconds an item may wait while the rate limit of the service, or of n8n's API, is reached",
		mayBeFraction: true,
	}),
	// An agent, and the person behind it, wait for the answer of a tool.
	toolDefault: 30,
};

export const timeoutOf = (milliseconds: number): Field<number> =>
	numberField(1, MAX_TIMEOUT, {
		displayName: 'Timeout',
		name: 'timeout',
		default: milliseconds,
		description: 'How long to wait for an answer of the service, in milliseconds',
	});

export const ifOutcomeUnknown = menuField({
	displayName: 'If Unsure Whether It Was Sent',
	name: 'ifOutcomeUnknown',
	options: [
		{
			name: 'Do Not Send Again',
			value: 'keepFailed',
			description: 'Let the item fail again, because it may have been sent',
		},
		{
			name: 'Send Again',
			value: 'sendAgain',
			description:
				'Send the item, even if somebody may be reached twice, unless the contact book has it as accepted',
		},
	],
	default: 'keepFailed',
	description: 'What a retry does with an item that was sent and got no clear answer',
});

export const checkOnly = flagField({
	displayName: 'Check Only',
	name: 'checkOnly',
	default: true,
	noDataExpression: true,
	description:
		'Whether to check the items and send nothing, whatever the mode of the credential. Held-back items show who is not due. The value of the first item counts.',
	isHiddenInTool: true,
});

export const reference = optionalText({
	displayName: 'Reference',
	name: 'reference',
	sentAs: undefined,
	placeholder: 'e.g. {{ $json.contactId }}',
	description:
		'Your own ID of the contact, such as the one in your CRM. It is not sent. Output and errors show it beside the phone number.',
	schema: label,
	mayBeBlank: true,
});

const collection = (property: Omit<INodeProperties, 'type' | 'default'>) => ({
	property: { ...property, type: 'collection' as const, default: {} },
	schema: z.record(z.unknown(), { message: 'expected the entries that were added' }),
});

export const rulesField = collection({
	displayName: 'Rules of Contact',
	name: 'contactRules',
	placeholder: 'Add Rule',
	description:
		'Who may be contacted, and when. With expressions, a rule can differ for each contact.',
});

export const optionsField = collection({
	displayName: 'Options',
	name: 'options',
	placeholder: 'Add Option',
});

/** The options that every operation has, beside its timeout. */
export const commonOptions = [
	maxConcurrentRequests,
	maxWait,
	requestsPerSecond,
	simplify,
	workspaceId,
];

/** What an item's options say about delivery; `timeout` in milliseconds, `maxWait` in seconds. */
export const itemOptions = z.object({
	maxConcurrentRequests: maxConcurrentRequests.schema,
	maxWait: maxWait.schema,
	requestsPerSecond: requestsPerSecond.schema,
	timeout: timeoutOf(MAX_TIMEOUT).schema,
	ifOutcomeUnknown: ifOutcomeUnknown.schema.default('keepFailed'),
	/** In hours; of an operation that waits. */
	waitAtMost: z.number().optional(),
});

export type ItemOptions = z.output<typeof itemOptions>;
