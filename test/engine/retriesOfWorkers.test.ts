import { sleep } from 'n8n-workflow';

import { hold } from '../simulator/hold';
import { until } from '../until';
import { useContacts } from './contacts';
import { retryRun, runNode, startProcess, type NodeRun, type NodeSetup } from './engine';
import { calledOnce, isFor, numbers } from './world';

/** A failed execution that is retried in queue mode: each retry starts from what the execution has saved. */

const { simulator, store, nodeId, calls, reached } = useContacts();

/** More than are marked at a time. */
const PEOPLE = numbers(60);
const onceEach = calledOnce(PEOPLE);

const workers = [startProcess(), startProcess()];

/** The list on one of the workers. */
const on = (worker: number): NodeSetup => ({
	...calls(PEOPLE),
	type: workers[worker % workers.length] ?? '',
});

const retryOn = async (worker: number, failed: NodeRun): Promise<NodeRun> =>
	await retryRun(failed.run, { ...on(worker), mode: 'retry' });

/** n8n's database answers the next call for the node only when it is told to: what is written meanwhile is overwritten by it. */
function holdNextCall(): { isHeld: () => boolean; release: () => void } {
	const { until: released, release } = hold();
	let held = 0;
	store.answer = async (node) => {
		if (node === nodeId() && held++ === 0) await released;
	};
	return { isHeld: () => held > 0, release };
}

const marks = (): number => store.rows.get(nodeId())?.length ?? 0;

/** The list is refused once at this person, and stops there. */
function refuse(index: number): void {
	simulator().addFault({ kind: 'status', status: 400, when: isFor(index), times: 1 });
}

afterEach(() => {
	store.answer = () => Promise.resolve();
});

test('a worker that writes marks of another run, and so overwrites those of a retry, has nobody called again', async () => {
	refuse(30);
	const failed = await runNode(on(0));
	const writing = holdNextCall();
	const other = runNode({ ...calls([{ to: '+15559000000' }]), type: workers[0] ?? '' });
	await until(writing.isHeld);
	const before = marks();
	const retrying = retryOn(1, failed);
	await until(() => marks() > before);

	writing.release();
	await Promise.all([other, retrying]);
	await retryOn(0, failed);

	expect(reached()).toMatchObject(onceEach);
});

test('what was being marked when the execution stopped is sent by its retry', async () => {
	// The last one that is marked with the first.
	refuse(49);
	const first = holdNextCall();
	const running = runNode(on(0));
	await until(first.isHeld);
	const next = holdNextCall();
	first.release();
	await until(next.isHeld);
	await until(() => simulator().requests.find(isFor(49))?.status !== undefined);
	// Nothing more is sent.
	await sleep(100);

	next.release();
	const retried = await retryOn(0, await running);

	expect(retried.error).toBeUndefined();
	expect(reached()).toEqual(onceEach);
});

test.each([
	['in one process', 0],
	['in two', 1],
])(
	'a second retry at the same moment, %s, sends nothing and says so; a later one gets what was sent',
	async (_, other) => {
		refuse(30);
		const failed = await runNode(on(0));
		const { until: goOn, release } = hold();
		simulator().addFault({ kind: 'delay', until: goOn });
		const before = simulator().requests.length;

		const retrying = retryOn(0, failed);
		await until(() => simulator().requests.length > before);
		const { error } = await retryOn(other, failed);
		release();
		const first = await retrying;
		const later = await retryOn(0, failed);

		expect(error?.message).toBe('Not sent, because another retry of this execution is under way');
		expect(error?.description).not.toMatch(/contacted nobody|then run the workflow again/);
		expect(first.error).toBeUndefined();
		expect(later.items.map(({ json }) => json.result)).toEqual(PEOPLE.map(() => 'placed'));
		expect(reached()).toEqual(onceEach);
	},
);
