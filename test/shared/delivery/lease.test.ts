import type * as leaseModule from '../../../nodes/shared/delivery/lease';
import { BUCKET } from '../../../nodes/shared/delivery/lease';
import type * as storeModule from '../../../nodes/shared/delivery/markStore';
import { passing, useFakeTime } from '../../until';
import { inOtherProcess } from '../../otherProcess';
import { SeenByNode } from './seenByNode';

/** A process of n8n: what others hold it knows from n8n's store alone. */
function startProcess() {
	const { Lease, MarkStore } = inOtherProcess(() => ({
		...jest.requireActual<typeof leaseModule>('../../../nodes/shared/delivery/lease'),
		...jest.requireActual<typeof storeModule>('../../../nodes/shared/delivery/markStore'),
	}));
	return {
		lease: (execution = 'execution') =>
			new Lease(seen.open(MarkStore), `${seen.node} ${execution}`),
		store: () => seen.open(MarkStore),
	};
}

const [{ lease: one, store }, { lease: other }] = [startProcess(), startProcess()];

let nodes = 0;
let seen = new SeenByNode('');
beforeEach(() => {
	seen = new SeenByNode(`node of lease ${++nodes}`);
});
useFakeTime();

test.each([
	['in one process', one],
	['in two processes', other],
])('an execution is held by one retry at a time, %s', async (_, second) => {
	const first = one();
	expect(await passing(first.take())).toBe('held');

	const refused = second();
	expect(await passing(refused.take())).toBe('busy');
	await passing(refused.release());
	expect(await passing(one('another execution').take())).toBe('held');

	await passing(first.release());
	expect(await passing(second().take())).toBe('held');
});

test('of retries that ask at the same moment, while marks are written, one holds it', async () => {
	const writing = store().add(['a mark']);
	const retries = [one(), one(), one()];

	const answers = await passing(Promise.all(retries.map(async (lease) => await lease.take())));
	await passing(writing);

	expect([...answers].sort()).toEqual(['busy', 'busy', 'held']);
});

test('it is held for as long as the run goes on', async () => {
	const first = one();
	await passing(first.take());
	await jest.advanceTimersByTimeAsync(5.5 * BUCKET);

	const refused = other();
	expect(await passing(refused.take())).toBe('busy');
	await passing(refused.release());
	await passing(first.release());

	// As it was before.
	await jest.advanceTimersByTimeAsync(10_000);
	expect(seen.row).toEqual([]);
});

test.each([0, BUCKET - 5_000])(
	'if n8n dies %i ms after a bucket began, the next retry has it after ten minutes at most',
	async (after) => {
		jest.setSystemTime(Math.ceil(Date.now() / BUCKET) * BUCKET + after);
		await passing(one().take());
		await jest.advanceTimersByTimeAsync(10_000);
		// To clear the timers sets the clock back.
		const diedAt = Date.now();
		jest.clearAllTimers();
		jest.setSystemTime(diedAt + 2 * BUCKET);

		expect(await passing(other().take())).toBe('held');
	},
);

test('n8n cannot tell: nobody has it', async () => {
	seen.isBroken = true;
	expect(await passing(one().take())).toBe('unreadable');

	seen.isBroken = false;
	expect(await passing(one().take())).toBe('held');
});

test('a run that is stopped while it takes the lease leaves none', async () => {
	const lease = one();
	const taking = lease.take();
	const releasing = lease.release();
	await passing(Promise.all([taking, releasing]));

	expect(await passing(other().take())).toBe('held');
});
