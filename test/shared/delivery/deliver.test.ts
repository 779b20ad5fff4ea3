import { check, deliver, type DeliveryOptions } from '../../../nodes/shared/delivery/deliver';
import { Gate } from '../../../nodes/shared/delivery/gate';
import { Rules } from '../../../nodes/shared/rules/rules';
import { planOf } from '../samples';
import { plan, refused } from './results';
import { newNode, Run } from './runs';
import type { SeenByNode } from './seenByNode';

const plans = [plan, { ...planOf('call.place', { toNumber: '+4915199999999' }), index: 1 }];

async function optionsWith(seen: SeenByNode, more: Partial<DeliveryOptions> = {}) {
	const halt = new AbortController();
	const { cancel } = more;
	const signal = cancel ? AbortSignal.any([cancel, halt.signal]) : halt.signal;
	const { memory, items } = await Run.open(seen, plans, { signal, ...(cancel && { cancel }) });
	const options = {
		transport: jest.fn(),
		gate: new Gate(),
		rules: new Rules('UTC'),
		memory,
		stopOnFailure: false,
		maxConcurrentRequests: 5,
		requestsPerSecond: 0,
		halt,
		signal,
		...more,
	};
	return { options, items };
}

test('a run whose marks are never taken ends when it is cancelled, and has sent nothing', async () => {
	const cancel = new AbortController();
	const seen = newNode();
	// n8n's database does not answer, and does not say so.
	seen.record = async () => await new Promise<never>(() => undefined);
	const { options, items } = await optionsWith(seen, { cancel: cancel.signal });
	const run = deliver(items, options);

	cancel.abort();

	expect(await run).toMatchObject([
		{ kind: 'failed', failure: { kind: 'stopped', outcome: 'notSent' } },
		{ kind: 'failed', failure: { kind: 'stopped', outcome: 'notSent' } },
	]);
	expect(options.transport).not.toHaveBeenCalled();
});

test('a check says of each item what would become of it, and how it comes on', async () => {
	const { memory, items } = await Run.open(newNode(), [plan, refused]);
	const seen: number[] = [];

	const outcomes = await check(items, { memory, onProgress: ({ length }) => seen.push(length) });

	expect(outcomes).toEqual([{ kind: 'checked' }, { kind: 'failed', failure: refused.failure }]);
	expect(seen).toEqual([1, 2]);
});
