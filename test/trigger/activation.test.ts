import { HookContext } from 'n8n-core';
import { Workflow, type INodeParameters } from 'n8n-workflow';

import { AssistantServiceTrigger } from '../../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { createAdditionalData, nodeTypes, TRIGGER_TYPE } from '../engine/engine';

const { default: methods } = new AssistantServiceTrigger().webhookMethods;

/** What n8n calls the methods with when a workflow is activated or deactivated. */
function createContext(parameters: INodeParameters): HookContext {
	const node = {
		id: 'trigger',
		name: 'Trigger',
		type: TRIGGER_TYPE,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return new HookContext(workflow, node, createAdditionalData({}), 'trigger', 'activate');
}

/** n8n creates a webhook that does not exist yet. */
async function activate(parameters: INodeParameters): Promise<void> {
	const context = createContext(parameters);
	const exists = await methods.checkExists.call(context);
	if (!exists) await methods.create.call(context);
}

test.each([[undefined], [''], ['192.0.2.1, 2001:db8::/32']])(
	'a workflow with the IP allowlist %p is activated, and deactivated',
	async (ipAllowlist) => {
		const parameters = { options: ipAllowlist === undefined ? {} : { ipAllowlist } };

		await expect(activate(parameters)).resolves.toBeUndefined();
		await expect(methods.delete.call(createContext(parameters))).resolves.toBe(true);
	},
);

test('a workflow with an IP allowlist that cannot be read is not activated', async () => {
	await expect(
		activate({ options: { ipAllowlist: '192.0.2.1, 300.1.1.1' } }),
	).rejects.toMatchObject({
		message: expect.stringMatching(/^IP Allowlist: "300\.1\.1\.1" is not/) as unknown,
		description: expect.stringMatching(/activate/) as unknown,
	});
});

test('nor is one whose IP allowlist is an expression that finds nothing', async () => {
	await expect(activate({ options: { ipAllowlist: '={{ undefined }}' } })).rejects.toMatchObject({
		message: 'IP Allowlist: it holds no IP address or range',
	});
});

test.each([[undefined], [''], ['call_sid'], ['__proto__'], ['a b.c']])(
	'a workflow with the Call ID Property %p is activated',
	async (callIdProperty) => {
		const parameters = { options: callIdProperty === undefined ? {} : { callIdProperty } };

		await expect(activate(parameters)).resolves.toBeUndefined();
	},
);

test.each([
	['summary', /^Call ID Property: "summary" is not the ID of a call/],
	[' callStartTime ', /^Call ID Property: "callStartTime" is not the ID of a call/],
	[7, /^Call ID Property: it is not the name of a property/],
])('one with the Call ID Property %p is not', async (callIdProperty, message) => {
	await expect(activate({ options: { callIdProperty } })).rejects.toMatchObject({
		message: expect.stringMatching(message) as unknown,
		description: expect.stringMatching(/Call ID Property .* activate/) as unknown,
	});
});
