import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { createNoteStore, MAX_NOTES } from '../../../../nodes/shared/delivery/memory/notes';
import { eventually } from '../../../../playground/eventually';

/**
 * n8n's store of what a node has seen, as its DeduplicationHelper keeps it: one row for each node, read and written
 * whole, of which each call cuts off what is beyond its own bound.
 */
class SeenByNode {
	row: string[] = [];

	calls = 0;

	isBroken = false;

	/** How many of the next calls fail. */
	failures = 0;

	warnings: string[] = [];

	async record(items: string[], { maxEntries }: ICheckProcessedOptions) {
		this.calls++;
		const row = [...this.row];
		await new Promise((resolve) => setTimeout(resolve, 2));
		if (this.isBroken || this.failures-- > 0) throw new Error('no database');
		const before = new Set(row);
		const processed = items.filter((item) => before.has(item));
		const added = [...row, ...items.filter((item) => !before.has(item))];
		this.row = maxEntries === undefined ? added : added.slice(-maxEntries);
		return { processed, new: items.filter((item) => !before.has(item)) };
	}

	async remove(items: string[]): Promise<void> {
		this.calls++;
		const row = this.row.filter((item) => !items.includes(item));
		await new Promise((resolve) => setTimeout(resolve, 2));
		this.row = row;
	}

	/** What the node gets from n8n in an execution. */
	readonly context = {
		getNode: () => ({ id: `node ${names}` }),
		getWorkflow: () => ({ id: 'workflow' }),
		logger: {
			warn: (message: string) => {
				this.warnings.push(message);
			},
		},
		helpers: {
			checkProcessedAndRecord: async (
				items: string[],
				_: string,
				options: ICheckProcessedOptions,
			) => await this.record(items, options),
			removeProcessed: async (items: string[]) => {
				await this.remove(items);
			},
			getProcessedDataCount: async () => await Promise.resolve(this.row.length),
		},
	} as unknown as IExecuteFunctions;
}

let names = 0;
let seen = new SeenByNode();
beforeEach(() => {
	names++;
	seen = new SeenByNode();
});

const store = (items: number) => createNoteStore(seen.context, items);

const notes = (count: number, name = 'note'): string[] =>
	Array.from({ length: count }, (_, index) => `${name} ${index}`);

const rowHolds = async (expected: string[]) =>
	await eventually(
		'the notes',
		async () =>
			await Promise.resolve(expected.every((note) => seen.row.includes(note)) || undefined),
	);

test('a run of one item throws away no notes of a long run before it', async () => {
	await store(1_500).add(notes(1_500));
	await store(1).add(['another']);

	expect(await store(1_500).add(notes(1_500))).toEqual(notes(1_500));
});

test('the last 50,000 are kept, or twice as many as the run has items', async () => {
	await store(40_000).add(notes(80_000));
	expect(seen.row).toHaveLength(80_000);

	await store(1).add(['another']);
	expect(seen.row).toHaveLength(MAX_NOTES);
	expect(await store(1).add(['note 79999'])).toEqual(['note 79999']);
});

test('what many executions want to note at once is written together', async () => {
	const before = await Promise.all(notes(200).map(async (note) => await store(1).add([note])));

	expect(before).toEqual(Array(200).fill([]));
	expect(new Set(seen.row)).toEqual(new Set(notes(200)));
	expect(seen.calls).toBeLessThanOrEqual(3);
});

test('of two that want to note the same at once, one finds it noted', async () => {
	const before = await Promise.all([store(2).add(notes(2)), store(2).add(notes(2))]);

	expect(before).toEqual([[], notes(2)]);
});

test('what is added and taken back at once is not mixed up', async () => {
	await store(3).add(notes(3));
	await Promise.all([store(3).remove(notes(2)), store(1).add(['more']), store(1).remove(['more'])]);

	expect(seen.row).toEqual(['note 2']);
});

test('a database that is away does not hold up the delivery, and is in the log', async () => {
	seen.isBroken = true;
	expect(await store(1).add(['note 0'])).toEqual([]);
	expect(seen.warnings).toHaveLength(1);

	seen.isBroken = false;
	expect(await store(1).add(['note 1'])).toEqual([]);
	expect(await store(1).add(['note 0'])).toEqual(['note 0']);
	await rowHolds(['note 0', 'note 1']);
});

/** The module as another process of n8n has it. */
function otherProcess(): typeof createNoteStore {
	let create = createNoteStore;
	jest.isolateModules(() => {
		({ createNoteStore: create } = jest.requireActual<{ createNoteStore: typeof create }>(
			'../../../../nodes/shared/delivery/memory/notes',
		));
	});
	return create;
}

test('what two processes note at the same moment is there in the end', async () => {
	const other = otherProcess();
	const run = async (create: typeof createNoteStore, name: string): Promise<void> => {
		for (const note of notes(30, name)) await create(seen.context, 1).add([note]);
	};

	await Promise.all([run(createNoteStore, 'one'), run(other, 'other')]);
	const atFirst = seen.row.length;
	await rowHolds([...notes(30, 'one'), ...notes(30, 'other')]);
	expect(atFirst).toBeLessThan(60);
});

test('what was taken back is not written again', async () => {
	await store(3).add(notes(3));
	await store(3).remove(['note 1']);
	seen.row = [];

	await rowHolds(['note 0', 'note 2']);
	expect(seen.row).toHaveLength(2);
});

test('a row that another process has made first does not cost the note', async () => {
	seen.failures = 1;
	await store(1).add(['note 0']);

	expect(seen.row).toEqual(['note 0']);
	expect(seen.warnings).toEqual([]);
});
