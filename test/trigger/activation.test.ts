import { HookContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import { AssistantServiceTrigger } from '../../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { createAdditionalData, createNode, TRIGGER_TYPE, workflowOf } from '../engine/engine';

const { default: methods } = new AssistantServiceTrigger().webhookMethods;

/** What n8n calls the methods with when a workflow is activated or deactivated. */
function createContext(parameters: INodeParameters): HookContext {
	const node = createNode('Trigger', TRIGGER_TYPE, { parameters });
	return new HookContext(
		workflowOf([node]),
		node,
		createAdditionalData(undefined),
		'trigger',
		'activate',
	);
}

/** n8n creates a webhook that does not exist yet. */
async function activate(parameters: INodeParameters): Promise<void> {
	const context = createContext(parameters);
	const exists = await methods.checkExists.call(context);
	if (!exists) await methods.create.call(context);
}

test.each([
	{},
	{ ipAllowlist: '' },
	{ ipAllowlist: '192.0.2.1, 2001:db8::/32' },
	...['', 'call_sid', '__proto__', 'a b.c'].map((callIdProperty) => ({ callIdProperty })),
	{ optOutProperty: 'optOut' },
	{ optOutProperty: 'analysis.stop' },
	{ reachedProperty: 'reached', callBackProperty: 'analysis.callBack' },
])('a workflow with the options %j is activated, and deactivated', async (options) => {
	await expect(activate({ options })).resolves.toBeUndefined();
	await expect(methods.delete.call(createContext({ options }))).resolves.toBe(true);
});

test.each<[options: INodeParameters, message: RegExp]>([
	[{ ipAllowlist: '192.0.2.1, 300.1.1.1' }, /^IP Allowlist: "300\.1\.1\.1" is not/],
	[{ ipAllowlist: '={{ undefined }}' }, /^IP Allowlist: it holds no IP address or range$/],
	[{ optOutProperty: '' }, /^Opt-Out Property is empty$/],
	[{ optOutProperty: ' ' }, /^Opt-Out Property is empty$/],
	[{ reachedProperty: '' }, /^Reached Property is empty$/],
	[{ callBackProperty: '' }, /^Call Back Property is empty$/],
])('one with the options %j is not, and is told why', async (options, message) => {
	await expect(activate({ options })).rejects.toMatchObject({
		message: expect.stringMatching(message) as unknown,
		description: expect.stringMatching(/publish/) as unknown,
	});
});
