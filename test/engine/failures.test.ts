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
	options: {},
};

interface FailureRow {
	readonly name: string;
	readonly parameters: INodeParameters;
	readonly before?: () => void;
	readonly details: Record<string, unknown>;
}

const ROWS: FailureRow[] = [
	{
		name: 'an unknown knowledge base',
		parameters: {
			resource: 'knowledgeBase',
			operation: 'get',
			knowledgeBaseId: KNOWLEDGE_BASE_ID.replace(/^3/, '4'),
			options: {},
		},
		details: { outcome: 'refused' },
	},
	{
		name: 'no sender number',
		parameters: {
			resource: 'msgapp',
			operation: 'startConversation',
			assistantId: ASSISTANT_ID,
			toNumber: '+4915112345678',
			templateName: 'appointment_reminder',
			language: 'en',
			options: {},
		},
		before: () => {
			simulator().removeSenderNumbers();
		},
		details: { kind: 'noSenderNumber', outcome: 'refused', httpStatus: 409 },
	},
	{
		name: 'a customer who never wrote',
		parameters: continueMsgapp,
		details: { kind: 'windowNotOpen', outcome: 'refused' },
	},
	{
		name: 'a customer who wrote too long ago',
		parameters: continueMsgapp,
		before: () => {
			simulator().customerReplies('+4915112345678');
			simulator().clock.advance(25 * 3_600_000);
		},
		details: { kind: 'windowClosed', outcome: 'refused' },
	},
	{
		name: 'an ID that is not a UUID',
		parameters: { ...placeCall, assistantId: 'my assistant', toNumber: '+15550001000' },
		details: { kind: 'invalidInput', outcome: 'notSent', httpStatus: null },
	},
];

describe.each(ROWS)('$name', ({ parameters, before, details }) => {
	const run = async (onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput') => {
		before?.();
		return await runNode({
			credential: credentialFor(simulator()),
			parameters,
			settings: { onError },
		});
	};

	test('stops the node with the index, the status and what to do', async () => {
		const { error, items } = await run('stopWorkflow');

		expect(items).toEqual([]);
		expect(error?.context.itemIndex).toBe(0);
		expect(error?.context.details).toMatchObject(details);
		expect(error?.description).toMatch(/\.$/);
		const isOurs = details.outcome === 'notSent';
		expect(error?.name).toBe(isOurs ? 'NodeOperationError' : 'NodeApiError');
		expect(simulator().requests).toHaveLength(isOurs ? 0 : 1);
	});

	test('becomes an item that says why', async () => {
		const { error, items } = await run('continueRegularOutput');

		expect(error).toBeUndefined();
		expect(items).toEqual([
			{
				json: {
					error: expect.stringMatching(/\S/) as unknown,
					details: {
						kind: expect.any(String) as unknown,
						outcome: expect.any(String) as unknown,
						httpStatus: null,
						serviceMessage: null,
						code: null,
						moreInfo: null,
						hint: expect.stringMatching(/\.$/) as unknown,
						...(items[0]?.json.details as object),
						...details,
					},
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('leaves by the error output', async () => {
		const { outputs } = await run('continueErrorOutput');

		expect(outputs[0]).toEqual([]);
		expect(outputs[1]).toHaveLength(1);
		expect(outputs[1]?.[0]?.json.details).toMatchObject(details);
	});
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
