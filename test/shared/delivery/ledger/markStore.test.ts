import { createMarkStore, MAX_MARKS } from '../../../../nodes/shared/delivery/ledger/markStore';
import { eventually } from '../../../../playground/eventually';
import { SeenByNode } from './seenByNode';

let names = 0;
let seen = new SeenByNode('');
beforeEach(() => {
	seen = new SeenByNode(`node ${++names}`);
});

const store = (items: number) => createMarkStore(seen.context, items);

const marks = (count: number, name = 'mark'): string[] =>
	Array.from({ length: count }, (_, index) => `${name} ${index}`);

/** Lets so many milliseconds pass, and work end meanwhile, by a clock that no busy machine holds up. */
async function passing<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
	jest.useFakeTimers();
	const ended = work();
	await jest.advanceTimersByTimeAsync(milliseconds);
	return await ended;
}
afterEach(() => {
	jest.useRealTimers();
});

const rowHolds = async (expected: string[]) =>
	await eventually(
		'the marks',
		async () =>
			await Promise.resolve(expected.every((mark) => seen.row.includes(mark)) || undefined),
	);

test('the last 50,000 are kept', async () => {
	await store(1).add(marks(MAX_MARKS));
	await store(1).add(['another']);

	expect(seen.row).toHaveLength(MAX_MARKS);
	expect(await store(1).add(['mark 1'])).toEqual(['mark 1']);
});

test('twice as many as the longest run has items are kept, also by shorter runs: it may be under way', async () => {
	await store(40_000).add(marks(80_000));
	await store(1).add(['another']);

	expect(seen.row).toHaveLength(80_000);
	expect(await store(1).add(['mark 1'])).toEqual(['mark 1']);
});

test('what many executions want to mark at once is written together', async () => {
	const before = await passing(
		100,
		async () => await Promise.all(marks(200).map(async (mark) => await store(1).add([mark]))),
	);

	expect(before).toEqual(Array(200).fill([]));
	expect(new Set(seen.row)).toEqual(new Set(marks(200)));
	expect(seen.calls).toBeLessThanOrEqual(3);
});

test('what is added and taken back at once is not mixed up', async () => {
	await store(3).add(marks(3));
	await Promise.all([store(3).remove(marks(2)), store(1).add(['more']), store(1).remove(['more'])]);

	expect(seen.row).toEqual(['mark 2']);
});

test('a database that is away says so, and is in the log; what it missed is written later', async () => {
	seen.isBroken = true;
	expect(await store(1).add(['mark 0'], ['mark 0'])).toBeUndefined();
	expect(await store(1).add(['no mark'])).toBeUndefined();
	expect(seen.warnings).toHaveLength(2);

	seen.isBroken = false;
	expect(await store(1).add(['mark 1'])).toEqual([]);
	expect(await store(1).add(['mark 0'])).toEqual(['mark 0']);
	await rowHolds(['mark 0', 'mark 1']);
	expect(seen.row).not.toContain('no mark');
});

/** The module as another process of n8n has it. */
function otherProcess(): typeof createMarkStore {
	let create = createMarkStore;
	jest.isolateModules(() => {
		({ createMarkStore: create } = jest.requireActual<{ createMarkStore: typeof create }>(
			'../../../../nodes/shared/delivery/ledger/markStore',
		));
	});
	return create;
}

test('what two processes mark at the same moment is there in the end', async () => {
	const other = otherProcess();
	const run = async (create: typeof createMarkStore, name: string): Promise<void> => {
		for (const mark of marks(30, name)) await create(seen.context, 1).add([mark]);
	};

	await passing(
		200,
		async () => await Promise.all([run(createMarkStore, 'one'), run(other, 'other')]),
	);
	expect(seen.row.length).toBeLessThan(60);
	await jest.advanceTimersByTimeAsync(10_000);
	expect(new Set(seen.row)).toEqual(new Set([...marks(30, 'one'), ...marks(30, 'other')]));
});

test('slow writes at the beginning do not postpone reading back', async () => {
	seen.latency = 2_000;
	await passing(seen.latency, async () => await store(1).add(['mark 0']));
	seen.row = [];
	seen.latency = 2;

	await jest.advanceTimersByTimeAsync(1_000);
	expect(seen.row).toEqual(['mark 0']);
});

test('marks that are read back take turns with those that are added', async () => {
	// Longer than it takes until the first is read back.
	for (const mark of marks(200)) {
		await store(1).add([mark]);
		await new Promise((resolve) => setTimeout(resolve, 3));
	}

	expect(seen.row).toEqual(marks(200));
	expect(seen.atOnce).toBe(1);
});

test('what was taken back is not written again', async () => {
	await store(3).add(marks(3));
	await store(3).remove(['mark 1']);
	seen.row = [];

	await rowHolds(['mark 0', 'mark 2']);
	expect(seen.row).toHaveLength(2);
});

test('a row that another process has made first does not cost the mark', async () => {
	seen.failures = 1;
	await store(1).add(['mark 0']);

	expect(seen.row).toEqual(['mark 0']);
	expect(seen.warnings).toEqual([]);
});
