import type { INodeParameters } from 'n8n-workflow';

import { ASSISTANT_ID, KNOWLEDGE_BASE_ID } from '../simulator/seed';
import { runNode } from './engine';
import { useFastClock } from './fastClock';
import { credentialFor, numbers, placeCall, useSimulator } from './world';

useFastClock();
const simulator = useSimulator();

const continueMsgapp: INodeParameters = {
	resource: 'msgapp',
	operation: 'continueConversation',
	assistantId: ASSISTANT_ID,
	toNumber: '+4915112345678',
	message: 'Hello',
};

const startMsgapp: INodeParameters = {
	...continueMsgapp,
	operation: 'startConversation',
	templateName: 'appointment_reminder',
	language: 'en',
};

const getParagraphs: INodeParameters = {
	resource: 'knowledgeBase',
	operation: 'get',
	knowledgeBaseId: KNOWLEDGE_BASE_ID.replace(/^3/, '4'),
};

const nothing = (): void => undefined;

const removeSenderNumbers = (): void => {
	simulator().removeSenderNumbers();
};

/** The customer has written, a day and an hour ago. */
const closeWindow = (): void => {
	simulator().customerReplies('+4915112345678');
	simulator().clock.advance(25 * 3_600_000);
};

test.each<[name: string, kind: string, parameters: INodeParameters, before: () => void]>([
	['an unknown knowledge base', 'invalidInput refused', getParagraphs, nothing],
	['no sender number', 'noSenderNumber refused', startMsgapp, removeSenderNumbers],
	['a customer who never wrote', 'windowNotOpen refused', continueMsgapp, nothing],
	['a customer who wrote too long ago', 'windowClosed refused', continueMsgapp, closeWindow],
	['an ID that is no UUID', 'invalidInput notSent', { ...placeCall, assistantId: 'mine' }, nothing],
])('%s is %s: an item that says why', async (_, meaning, parameters, before) => {
	before();

	const { error, items } = await runNode({
		credential: credentialFor(simulator()),
		parameters,
		items: numbers(1),
		settings: { onError: 'continueRegularOutput' },
	});

	const [kind, outcome] = meaning.split(' ');
	const isSent = outcome === 'refused';
	expect(error).toBeUndefined();
	expect(items).toEqual([
		{
			json: {
				error: expect.stringMatching(/\S/) as unknown,
				details: expect.objectContaining({
					kind,
					outcome,
					httpStatus: isSent ? (expect.any(Number) as unknown) : null,
					hint: expect.stringMatching(/\.$/) as unknown,
				}) as unknown,
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(simulator().requests).toHaveLength(isSent ? 1 : 0);
});

describe('the API key', () => {
	const echo = (key: string) => ({
		error: `Key ${key} is wrong`,
		moreInfo: `https://x/?k=${encodeURIComponent(key)}`,
		[key]: [key],
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'is nowhere in what n8n saves when the service echoes it (%s)',
		async (onError) => {
			const apiKey = 'sk-"quoted"/and+strange=';
			for (const status of [400, 200]) {
				simulator().addFault({ kind: 'respond', status, body: echo(apiKey), times: 1 });
			}
			const { run, error } = await runNode({
				credential: { ...credentialFor(simulator()), apiKey },
				parameters: { ...placeCall, options: { simplify: false, maxConcurrentRequests: 1 } },
				items: numbers(2),
				settings: { onError },
			});

			expect(simulator().requests[0]?.headers['x-api-key']).toBe(apiKey);
			const saved = JSON.stringify([run, error, error?.stack, error?.cause]);
			expect(saved).not.toContain('quoted');
			expect(saved).toContain('*****');
		},
	);

	test('is nowhere in what n8n saves when the connection breaks', async () => {
		const { apiKey } = simulator();
		simulator().addFault({ kind: 'resetBefore' });

		const { run, error } = await runNode({
			credential: credentialFor(simulator()),
			parameters: placeCall,
			items: numbers(1),
		});

		expect(error?.message).toMatch(/connection/);
		const { inspect } = await import('node:util');
		expect(inspect([run, error], { depth: 20, showHidden: true })).not.toContain(apiKey);
	});
});
