import { ada, bob, eve, useContacts } from './contacts';
import { runNode } from './engine';
import { callsByRecipient } from './world';

const { simulator, store, calls, outputs } = useContacts();

describe('not again within', () => {
	const RULES = { notAgainWithin: 24 };

	test('calls nobody twice over executions, nor within one', async () => {
		const first = await outputs(calls([ada, bob, ada], RULES));
		const second = await outputs(calls([ada, eve], RULES));

		expect(first).toMatchObject([
			{ result: 'placed' },
			{ result: 'placed' },
			{ toNumber: ada.to, result: 'heldBack', reason: 'contactedRecently' },
		]);
		expect(second).toMatchObject([
			{ reason: 'contactedRecently' },
			{ callId: expect.any(String) as string },
		]);
		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1, [bob.to]: 1, [eve.to]: 1 });
	});

	test('tells an agent not to try again while n8n cannot look it up', async () => {
		store().isBroken = true;
		const settings = { rewireOutputLogTo: 'ai_tool' as const };

		const { error } = await runNode(calls([ada], RULES, { settings }));

		expect(error?.message).toMatch(/whom this node has contacted\. Do not repeat this tool call\./);
		expect(error?.message).not.toMatch(/database/);
		expect(error?.description).toMatch(/Check n8n's database/);
	});
});
