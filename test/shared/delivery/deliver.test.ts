import { Admission } from '../../../nodes/shared/delivery/admission';
import { deliver, type DeliveryOptions } from '../../../nodes/shared/delivery/deliver';
import { Gate } from '../../../nodes/shared/delivery/gate';
import { ContactMemory } from '../../../nodes/shared/delivery/memory/contactMemory';
import { CrashMemory, type MarkStore } from '../../../nodes/shared/delivery/memory/crashMemory';
import { ExecutionMemory } from '../../../nodes/shared/delivery/memory/executionMemory';
import { SendNumbers } from '../../../nodes/shared/delivery/memory/sendNumbers';
import { planOf } from '../samples';
import { emptyStore } from './emptyStore';

const rules = { contactRules: { notAgainWithin: 24 } };

const plans = [
	planOf('call.place', rules),
	planOf('call.place', { ...rules, toNumber: '+4915199999999' }),
];

const never = new Promise<never>(() => undefined);

/** n8n's database does not answer, and does not say so. */
const silentStore: MarkStore = {
	add: async () => await never,
	remove: async () => {
		await never;
	},
	count: async () => await never,
};

function optionsWith(store: MarkStore, more: Partial<DeliveryOptions>) {
	const contactMemory = new ContactMemory(store, 'node', plans);
	const identity = {
		executionId: '1',
		isRetry: false,
		nodeId: '1',
		runIndex: '0',
		isTool: false,
		origin: '1',
	};
	return {
		transport: jest.fn(),
		gate: new Gate(),
		executionMemory: new ExecutionMemory({}, identity, plans),
		crashMemory: new CrashMemory(
			store,
			{ own: ['1'], earlier: '1', execution: '1' },
			plans,
			new SendNumbers({}, '1'),
		),
		contactMemory,
		admission: new Admission(plans, { timezone: 'UTC', contactMemory, isOwn: () => false }),
		stopOnFailure: false,
		maxConcurrentRequests: 5,
		requestsPerSecond: 0,
		...more,
	};
}

test('a run whose marks are never taken ends when it is cancelled, and has sent nothing', async () => {
	const cancel = new AbortController();
	const options = optionsWith(silentStore, { signal: cancel.signal });
	const run = deliver(plans, options);

	cancel.abort();

	expect(await run).toMatchObject([
		{ accepted: false, failure: { kind: 'stopped', outcome: 'notSent' } },
		{ accepted: false, failure: { kind: 'stopped', outcome: 'notSent' } },
	]);
	expect(options.transport).not.toHaveBeenCalled();
});

test('nobody waits for the contacts of a run that broke off', async () => {
	const onProgress = () => {
		throw new Error('no log');
	};
	const options = optionsWith(emptyStore, { onProgress });

	await expect(deliver(plans, options)).rejects.toThrow('no log');

	const next = new ContactMemory(emptyStore, 'node', plans);
	expect(plans.map((_, index) => next.isPending(index))).toEqual([false, false]);
});
