import type { INodeProperties, INodeType } from 'n8n-workflow';
import { benchNode, textField } from './description';

const shown = { displayOptions: { show: { resource: ['call'], operation: ['place'] } } };

const inBody = (property: string): Partial<INodeProperties> => ({
	...shown,
	routing: { send: { type: 'body', property } },
});

/** A declarative node as n8n's documentation shows it: n8n's own router reads it and sends. */
export class BenchDeclarative implements INodeType {
	description = benchNode('Declarative', 'Places calls by n8n’s router', {
		group: ['output'],
		credentials: [{ name: 'assistantServiceApi', required: true }],
		requestDefaults: { json: true },
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [{ name: 'Call', value: 'call' }],
				default: 'call',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['call'] } },
				options: [
					{
						name: 'Place',
						value: 'place',
						action: 'Place a phone call',
						routing: {
							request: {
								method: 'POST',
								url: '=/v1/voice/placeoutboundcall/{{ $credentials.workspaceId }}/{{ $parameter.assistantId }}',
							},
						},
					},
				],
				default: 'place',
			},
			textField('assistantId', 'Assistant ID', shown),
			textField('fromNumber', 'From Number', inBody('fromNumber')),
			textField('toNumber', 'To Number', inBody('toNumber')),
			textField('priority', 'Priority', { type: 'number', default: 1, ...inBody('priority') }),
		],
	});
}
