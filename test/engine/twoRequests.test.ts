import { runNode } from './engine';
import { credentialFor, useSimulator } from './world';

const simulator = useSimulator();

describe('operations of two requests', () => {
	const continueMsgapp = {
		resource: 'msgapp',
		operation: 'continueConversation',
		toNumber: '+4915112345678',
		message: 'Hello',
		whenWindowClosed: 'sendTemplate',
		templateName: 'reopen_conversation',
		language: 'en',
		options: {},
	};

	test('a template is sent when the window is closed', async () => {
		const { items } = await runNode({
			credential: credentialFor(simulator()),
			parameters: { ...continueMsgapp, assistantId: simulator().assistantId },
		});

		expect(items[0]?.json).toMatchObject({ result: 'sent', sentAs: 'template' });
		expect(simulator().requests.map(({ endpoint }) => endpoint)).toEqual([
			'continueMsgapp',
			'sendMsgappTemplate',
		]);
	});

	test('no template is sent after a message that may have been sent', async () => {
		const msg = 'More than 24 hours have passed since the last message. Send a template first.';
		const body = { msg, conversationId: 'c-1' };
		simulator().addFault({ kind: 'respond', status: 200, body, times: 1 });

		const { error } = await runNode({
			credential: credentialFor(simulator()),
			parameters: { ...continueMsgapp, assistantId: simulator().assistantId },
		});

		expect(error?.context.details).toMatchObject({ outcome: 'unknown' });
		expect(simulator().requests).toHaveLength(1);
	});
});
