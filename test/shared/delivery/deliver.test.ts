import { deliver, type DeliveryOptions } from '../../../nodes/shared/delivery/deliver';
import { Gate } from '../../../nodes/shared/delivery/gate';
import type { MarkStore } from '../../../nodes/shared/delivery/ledger/markStore';
import { planOf } from '../samples';
import { emptyStore } from './emptyStore';
import { openOver, type RunOptions } from './ledger/openOver';

const plans = [planOf('call.place'), planOf('call.place', { toNumber: '+4915199999999' })];

const never = new Promise<never>(() => undefined);

/** n8n's database does not answer, and does not say so. */
const silentStore: MarkStore = {
	add: async () => await never,
	claim: async () => await never,
	remove: async () => {
		await never;
	},
	count: async () => await never,
};

function optionsWith(store: MarkStore, more: Partial<DeliveryOptions>, run: RunOptions = {}) {
	const halt = new AbortController();
	const { cancel } = more;
	const signal = cancel ? AbortSignal.any([cancel, halt.signal]) : halt.signal;
	return {
		transport: jest.fn(),
		gate: new Gate(),
		ledger: openOver(store, plans, { nodeId: 'node', ...run, signal, cancel }).ledger,
		stopOnFailure: false,
		maxConcurrentRequests: 5,
		requestsPerSecond: 0,
		halt,
		signal,
		...more,
	};
}

test('a run whose marks are never taken ends when it is cancelled, and has sent nothing', async () => {
	const cancel = new AbortController();
	const options = optionsWith(silentStore, { cancel: cancel.signal });
	const run = deliver(plans, options);

	cancel.abort();

	expect(await run).toMatchObject([
		{ accepted: false, failure: { kind: 'stopped', outcome: 'notSent' } },
		{ accepted: false, failure: { kind: 'stopped', outcome: 'notSent' } },
	]);
	expect(options.transport).not.toHaveBeenCalled();
});

test.each(['prepare', 'begin', 'revokeIfStale', 'aboutToSend'] as const)(
	'if %s of the ledger throws, nothing more is sent, and what was sent comes out',
	async (name) => {
		const body = { callId: 'c-1' };
		const transport = jest.fn().mockResolvedValue({ accepted: true, body });
		const options = optionsWith(emptyStore, { transport }, { nodeId: name });
		const { ledger } = options;
		const given = ledger[name].bind(ledger) as (index: number) => never;
		jest.spyOn(ledger, name).mockImplementation((index: number): never => {
			if (index === 1) throw new Error('broken');
			return given(index);
		});

		const results = await deliver(plans, options);

		const message = expect.stringContaining('broken') as string;
		expect(results).toMatchObject([
			{ accepted: true, body },
			{ failure: { kind: 'stopped', outcome: 'notSent', message } },
		]);
		expect(transport).toHaveBeenCalledTimes(1);
	},
);
