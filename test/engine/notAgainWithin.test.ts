import { hold } from '../simulator/hold';
import { ada, bob, CONTINUE, eve, useContacts } from './contacts';
import { runNode, startNode } from './engine';
import { useFastClock } from './fastClock';
import { callsByRecipient } from './world';

useFastClock();
const { simulator, store, nodeId, calls, outputs } = useContacts();

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

	test('leaves no mark of who was refused or never sent', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1 });
		await runNode(calls([ada, bob], RULES, {}, { maxConcurrentRequests: 1 }));

		expect(store().rows.get(nodeId())).toEqual([]);
	});

	test('sends nothing while n8n cannot look it up', async () => {
		store().isBroken = true;

		const output = await outputs(calls([ada, bob], RULES, CONTINUE));

		expect(output.map(({ details }) => details)).toMatchObject(
			Array(2).fill({ kind: 'stopped', outcome: 'notSent' }),
		);
		expect(simulator().requests).toEqual([]);
	});

	test('tells an agent not to try again while n8n cannot look it up', async () => {
		store().isBroken = true;
		const settings = { rewireOutputLogTo: 'ai_tool' as const };

		const { error } = await runNode(calls([ada], RULES, { settings }));

		expect(error?.message).toMatch(/whom this node has contacted\. Do not repeat this tool call\./);
		expect(error?.message).not.toMatch(/database/);
		expect(error?.description).toMatch(/Check n8n's database/);
	});

	test('a run that is cancelled while it claims somebody leaves the person to others', async () => {
		const record = store().checkProcessedAndRecord.bind(store());
		const [claim, cancelled] = [hold(), hold()];
		const slow = jest.spyOn(store(), 'checkProcessedAndRecord');
		slow.mockImplementation(async (marks, ...others) => {
			// A person is claimed by several marks; that it is called is marked before, by one.
			if (marks.length > 1) {
				claim.release();
				await cancelled.until;
			}
			return await record(marks, ...others);
		});
		const execution = startNode(calls([ada], RULES));
		await claim.until;
		execution.cancel();
		cancelled.release();
		await execution.finished;

		expect(await outputs(calls([ada], RULES))).toMatchObject([{ result: 'placed' }]);
		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1 });
		slow.mockRestore();
	});

	test('counts from when the call was really placed', async () => {
		simulator().addFault({ kind: 'rateLimited', retryAfter: '2', times: 1 });
		await outputs(calls([ada], RULES));
		const [refused] = simulator().requests;

		const [json] = await outputs(calls([ada], RULES));

		const { notBefore } = json as { notBefore: string };
		const refusedAt = performance.timeOrigin + (refused?.at ?? Infinity);
		expect(Date.parse(notBefore) - refusedAt).toBeGreaterThan(24 * 3_600_000 + 1_000);
	});
});
