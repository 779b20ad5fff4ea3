import type * as nodeMarksModule from '../../../../nodes/shared/delivery/ledger/nodeMarks';
import type { RecordMarks } from '../../../../nodes/shared/delivery/ledger/nodeMarks';

/** The marks of a node as a process of n8n has them, which knows nothing of the others. */
function startProcess(): ReturnType<typeof nodeMarksModule.nodeMarksOf> {
	let module: typeof nodeMarksModule | undefined;
	jest.isolateModules(() => {
		module = jest.requireActual<typeof nodeMarksModule>(
			'../../../../nodes/shared/delivery/ledger/nodeMarks',
		);
	});
	if (module === undefined) throw new Error('The module cannot be loaded');
	return module.nodeMarksOf('node');
}

const later = async (ms: number): Promise<void> => {
	await new Promise((resolve) => setTimeout(resolve, ms));
};

let row: readonly string[] = [];
beforeEach(() => {
	row = [];
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** A store that is read whole, and written whole later: what others write meanwhile is lost. */
const recordIn =
	(latency: () => number): RecordMarks =>
	async (marks) => {
		const known = new Set(row);
		await later(latency());
		row = [...known, ...marks.filter((mark) => !known.has(mark))];
		return marks.filter((mark) => known.has(mark));
	};

/** Lets time pass until the work has ended. */
async function passing<T>(work: Promise<T>): Promise<T> {
	const state = { isOver: false };
	void work.finally(() => {
		state.isOver = true;
	});
	while (!state.isOver) await jest.advanceTimersByTimeAsync(50);
	return await work;
}

const winners = (answers: (readonly string[] | undefined)[]): number =>
	answers.filter((before) => before?.length === 0).length;

test.each([2, 3, 4])(
	'of the claims of %i busy processes, at most one gets the mark',
	async (count) => {
		const processes = Array.from({ length: count }, startProcess);
		const record = recordIn(() => 100 * Math.random());
		const answers: number[] = [];
		for (let round = 0; round < 60; round++) {
			row = [];
			let isOver = false;
			const others = processes.map(async (marks, index) => {
				for (let mark = 0; !isOver; mark++) {
					await later(100 * Math.random());
					void marks.add([`${round} ${index} ${mark}`], [], record);
				}
			});
			const claims = processes.map(async (marks, index) => {
				await later(500 + 100 * Math.random());
				return await marks.claim([`mark ${round}`], `${round} ${index}`, record);
			});
			answers.push(winners(await passing(Promise.all(claims))));
			isOver = true;
			await passing(Promise.all(others));
		}

		expect(Math.max(...answers)).toBe(1);
	},
);

test('what is claimed again by another process is there', async () => {
	const record = recordIn(() => 1);
	await passing(startProcess().claim(['a', 'b'], 'one', record));

	expect(await passing(startProcess().claim(['a', 'b', 'c'], 'other', record))).toEqual(['a', 'b']);
});

test('if the store is away for a while, the claim looks again', async () => {
	const record = recordIn(() => 1);
	let calls = 0;
	const away: RecordMarks = async (marks) => {
		const isAway = ++calls > 1 && calls < 5;
		return isAway ? undefined : await record(marks);
	};

	expect(await passing(startProcess().claim(['mark'], 'own', away))).toEqual([]);
	expect(calls).toBe(5);
});

test.each<[string, readonly string[] | undefined]>([
	['is away', undefined],
	['forgets what is written', []],
])('nothing is claimed in a store that %s', async (_, answer) => {
	const record: RecordMarks = async () => await Promise.resolve(answer);

	expect(await passing(startProcess().claim(['mark'], 'own', record))).toBeUndefined();
});
