import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_CALL_ID_PROPERTY } from './event';
import { PROPERTY_OPTIONS } from './namedProperties';
import { NOTICE } from './panel';

/** An option that names a property of the event. */
const propertyOption = (
	name: keyof typeof PROPERTY_OPTIONS,
	placeholder: string,
	description: string,
): INodeProperties => ({
	displayName: PROPERTY_OPTIONS[name],
	name,
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder,
	description,
});

export const triggerProperties: INodeProperties[] = [
	{ displayName: NOTICE, name: 'notice', type: 'notice', default: '' },
	{
		// Not shown: it names the event in n8n's list of triggers and actions.
		displayName: 'Trigger On',
		name: 'event',
		type: 'hidden',
		options: [
			{ name: 'Call Ended', value: 'callEnded', action: "When an assistant's call has ended" },
		],
		default: 'callEnded',
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'None',
				value: 'none',
				description: 'Accept all events: anyone who knows the URL can start the workflow',
			},
			{
				name: 'Secret',
				value: 'secret',
				description:
					'Accept only events with the secret of the credential, in a header or in the URL',
			},
		],
		default: 'secret',
		description: 'How to make sure that an event comes from the service',
	},
	{
		// Where n8n shows the credential.
		displayName: 'Credentials',
		name: 'credentials',
		type: 'credentials',
		default: '',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			propertyOption(
				'callBackProperty',
				'e.g. callBackAt or analysis.callBack',
				'The property of the event that says when the person wants to be called again, in ISO 8601. Under a List, the next call waits until then.',
			),
			{
				displayName: 'Call ID Property',
				name: 'callIdProperty',
				type: 'string',
				// An expression could change the property at each delivery, and one call count as two.
				noDataExpression: true,
				default: DEFAULT_CALL_ID_PROPERTY,
				placeholder: 'e.g. callId',
				description:
					'The property of the event that holds the ID of the call. It is output as callId. Events with the same ID are repeats.',
			},
			{
				displayName: 'Ignore Repeats',
				name: 'ignoreRepeats',
				type: 'boolean',
				default: true,
				description:
					'Whether to ignore an event that arrived before, within 24 hours. An event with neither a call ID nor a transcript is never a repeat.',
			},
			{
				displayName: 'IP Allowlist',
				name: 'ipAllowlist',
				type: 'string',
				default: '',
				placeholder: 'e.g. 192.0.2.10, 2001:db8::/32',
				description:
					'The IP addresses and ranges that may send events, separated by commas. Leave empty to allow all addresses.',
			},
			propertyOption(
				'optOutProperty',
				'e.g. optOut or analysis.stop',
				'The property of the event that says yes if the person wants no more contact. The contact book then holds back the number in all workflows.',
			),
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				options: [
					{ name: 'Raw', value: 'raw', description: 'Output the event as it was sent' },
					{
						name: 'Simplified',
						value: 'simplified',
						description:
							'Output summary, transcript, start time and call ID, with all other values under variables',
					},
				],
				default: 'simplified',
				description: 'How to output an event',
			},
			propertyOption(
				'reachedProperty',
				'e.g. reached or analysis.reached',
				'The property of the event that says yes or no: whether the call reached the person. Under a List, people who were not reached are called again.',
			),
		],
	},
];
