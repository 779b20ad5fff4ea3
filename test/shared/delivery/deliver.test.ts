import { Admission } from '../../../nodes/shared/delivery/admission';
import { deliver } from '../../../nodes/shared/delivery/deliver';
import { Gate } from '../../../nodes/shared/delivery/gate';
import { ContactMemory } from '../../../nodes/shared/delivery/memory/contactMemory';
import { CrashMemory, type MarkStore } from '../../../nodes/shared/delivery/memory/crashMemory';
import { ExecutionMemory } from '../../../nodes/shared/delivery/memory/executionMemory';
import { planOf } from '../samples';

const plans = [planOf('call.place'), planOf('call.place', { toNumber: '+4915199999999' })];

const never = new Promise<never>(() => undefined);

/** n8n's database does not answer, and does not say so. */
const silentStore: MarkStore = {
	add: async () => await never,
	remove: async () => {
		await never;
	},
	count: async () => await never,
};

test('a run whose marks are never taken ends when it is cancelled, and has sent nothing', async () => {
	const transport = jest.fn();
	const cancel = new AbortController();
	const contactMemory = new ContactMemory(silentStore, 'node', plans);
	const run = deliver(plans, {
		transport,
		gate: new Gate(),
		executionMemory: new ExecutionMemory(
			{},
			{
				executionId: '1',
				isRetry: false,
				nodeId: '1',
				runIndex: '0',
				isTool: false,
				origin: '1',
			},
			plans,
		),
		crashMemory: new CrashMemory(silentStore, { own: ['1'], earlier: '1' }, plans),
		contactMemory,
		admission: new Admission(plans, { timezone: 'UTC', contactMemory, isOwn: () => false }),
		stopOnFailure: false,
		maxConcurrentRequests: 5,
		requestsPerSecond: 0,
		signal: cancel.signal,
	});

	cancel.abort();

	expect(await run).toMatchObject([
		{ accepted: false, failure: { kind: 'stopped', outcome: 'notSent' } },
		{ accepted: false, failure: { kind: 'stopped', outcome: 'notSent' } },
	]);
	expect(transport).not.toHaveBeenCalled();
});
