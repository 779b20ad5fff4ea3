import type { INodeParameters } from 'n8n-workflow';

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

test.each<[what: string, more: INodeParameters, told: RegExp]>([
	['correct what it fills itself', {}, /\. Correct the value and try again\.$/],
	[
		'report what others fill',
		{ assistantId: 'nobody' },
		/\. Nothing was sent\. Do not repeat this tool call: it fails until somebody has corrected the settings of this tool\. Report this\.$/,
	],
])('an agent is told to %s', async (_, more, told) => {
	const toNumber = "={{ $fromAI('to', 'a value', 'string') }}";
	const parameters = { ...placeCall, toNumber, ...more };
	const { error } = await runNode(tool({ parameters, items: [{ to: '0151 23456789' }] }));

	expect(error?.message).toMatch(told);
	expect(error?.message).not.toContain('$json');
	expect(simulator().requests).toEqual([]);
});

test('an agent does not wait longer than 30 seconds by default', async () => {
	simulator().addFault({ kind: 'rateLimited', retryAfter: '31' });

	const { error } = await runNode(tool());

	expect(error?.context.details).toMatchObject({ kind: 'rateLimited', outcome: 'refused' });
	expect(error?.message).toMatch(
		/wants to be asked again at \d\S+, in \d+ s\. Do not repeat this tool call before then\.$/,
	);
	expect(error?.description).toMatch(/Try again then/);
	expect(error?.context.details).not.toHaveProperty('advice');
	expect(simulator().requests).toHaveLength(1);
});

test('n8n hides an error output from agents, so nothing is sent with one', async () => {
	const { error } = await runNode(tool({ settings: { onError: 'continueErrorOutput' } }));

	expect(error?.message ?? '').toMatch(
		/^Nothing was sent: .* Do not repeat this tool call: .* Report this\.$/,
	);
	expect(simulator().requests).toEqual([]);
});

test('an agent reads that a credential that only checks has sent nothing', async () => {
	const credential = { ...credentialFor(simulator()), mode: 'checkOnly' };

	const { items } = await runNode(tool({ credential }));

	expect(items[0]?.json).toMatchObject({
		result: 'checked',
		message: expect.stringMatching(/^Nothing was sent: .* Do not repeat this tool call/) as unknown,
	});
	expect(simulator().requests).toEqual([]);
});
