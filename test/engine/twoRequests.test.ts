import { runNode } from './engine';
import { credentialFor, useSimulator } from './world';

const simulator = useSimulator();

describe('operations of two requests', () => {
	const continueMsgapp = {
		resource: 'msgapp',
		operation: 'continueConversation',
		toNumber: '+4915112345678',
		message: 'Hello {name}',
		attributes: { values: [{ name: 'name', value: 'Ada' }] },
		whenWindowClosed: 'sendTemplate',
		templateName: 'reopen_conversation',
		language: 'en',
		options: {},
	};

	test('a template is sent when the window is closed, with the same attributes', async () => {
		const { items } = await runNode({
			credential: credentialFor(simulator()),
			parameters: { ...continueMsgapp, assistantId: simulator().assistantId },
		});

		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				result: 'sent',
				msg: expect.any(String) as unknown,
				conversationId: null,
				sentAs: 'template',
			}),
		]);
		expect(simulator().requests.map(({ endpoint, body }) => [endpoint, body])).toEqual([
			[
				'continueMsgapp',
				{ toNumber: '+4915112345678', message: 'Hello {name}', attributes: { name: 'Ada' } },
			],
			[
				'sendMsgappTemplate',
				{
					toNumber: '+4915112345678',
					templateName: 'reopen_conversation',
					language: 'en',
					parameters: { name: 'Ada' },
				},
			],
		]);
	});

	test('nothing is updated when the previous prompt cannot be read', async () => {
		simulator().addFault({ kind: 'status', status: 403, endpoint: 'getPrompt' });
		const parameters = {
			resource: 'assistant',
			operation: 'updatePrompt',
			assistantId: simulator().assistantId,
			prompt: 'New.',
			options: { returnPreviousPrompt: true },
		};

		const { error } = await runNode({ credential: credentialFor(simulator()), parameters });

		expect(error?.context.details).toMatchObject({ kind: 'forbidden', outcome: 'notSent' });
		expect(simulator().processed('updatePrompt')).toEqual([]);
	});
});
