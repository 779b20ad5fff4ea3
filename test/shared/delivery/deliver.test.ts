import { deliver } from '../../../nodes/shared/delivery/deliver';
import { Gate } from '../../../nodes/shared/delivery/gate';
import { Journal, type NoteStore } from '../../../nodes/shared/delivery/memory/journal';
import { Ledger } from '../../../nodes/shared/delivery/memory/ledger';
import { planOf } from '../samples';

const plans = [planOf('call.place'), planOf('call.place', { toNumber: '+4915199999999' })];

const never = new Promise<never>(() => undefined);

/** n8n's database does not answer, and does not say so. */
const silentStore: NoteStore = {
	add: async () => await never,
	remove: async () => {
		await never;
	},
	count: async () => await never,
};

test('a run whose notes are never taken ends when it is cancelled, and has sent nothing', async () => {
	const transport = jest.fn();
	const cancel = new AbortController();
	const run = deliver(plans, {
		transport,
		gate: new Gate(),
		ledger: new Ledger(
			{},
			{ executionId: '1', nodeId: '1', runIndex: '0', isTool: false, origin: '1' },
			plans,
		),
		journal: new Journal(silentStore, { own: ['1'], earlier: '1' }, plans),
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
