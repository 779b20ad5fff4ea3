import { runNode, type NodeSetup } from './engine';
import { credentialFor, numbers, placeCall, useSimulator } from './world';

const simulator = useSimulator();

/** As the AI Agent from version 3 has it run by n8n's engine. */
const tool = (more: Partial<NodeSetup> = {}): NodeSetup => ({
	credential: credentialFor(simulator()),
	parameters: placeCall,
	items: numbers(1),
	...more,
	settings: { rewireOutputLogTo: 'ai_tool', onError: 'stopWorkflow', ...more.settings },
});

test('an agent reads in the message what happened and what not to do again', async () => {
	simulator().addFault({ kind: 'resetAfter' });

	const { error } = await runNode(tool());

	expect(error?.message).toMatch(/broke before its answer came\. It may have taken effect/);
	expect(error?.message).toMatch(/Do not repeat this tool call/);
});

test('an agent reads in the message what was wrong with its values, and that nothing was sent', async () => {
	const { error } = await runNode(tool({ items: [{ to: 'Ada' }] }));

	expect(error?.message).toMatch(/^To Number: expected a phone number.*Nothing was sent/);
	expect(simulator().requests).toEqual([]);
});

test('an agent reads what the service says, unless n8n would replace the message because of it', async () => {
	for (const [msg, isTold] of [
		['The number is blocked', true],
		['No voiceAccess for it', false],
	] as const) {
		simulator().addFault({ kind: 'status', status: 400, body: { msg }, times: 1 });

		const { error } = await runNode(tool());

		expect(error?.message).toMatch(/^The service rejected the values of this item\./);
		expect(error?.message.includes(msg)).toBe(isTold);
	}
});

test('an agent does not wait longer than 30 seconds by default', async () => {
	simulator().addFault({ kind: 'rateLimited', retryAfter: '31' });

	const { error } = await runNode(tool());

	expect(error?.context.details).toMatchObject({ kind: 'rateLimited', outcome: 'refused' });
	expect(error?.message).toMatch(/wants to be asked again at \d/);
	expect(simulator().requests).toHaveLength(1);
});

test('an agent reads the same if the tool continues on errors', async () => {
	simulator().addFault({ kind: 'resetAfter' });

	const { items } = await runNode(tool({ settings: { onError: 'continueRegularOutput' } }));

	expect(items[0]?.json.error).toMatch(/Do not repeat this tool call/);
});

test('n8n hides an error output from agents, so nothing is sent with one', async () => {
	const { error } = await runNode(tool({ settings: { onError: 'continueErrorOutput' } }));

	expect(error?.message ?? '').toMatch(/^Nothing was sent: /);
	expect(simulator().requests).toEqual([]);
});
