import { sleep } from 'n8n-workflow';

import { useBookWorld } from './contactBook';
import { CONTINUE } from './contacts';
import { runNode, startNode, startProcess, type NodeSetup } from './engine';
import { randomOf } from './random';
import { calledOnce, numbers } from './world';

const { simulator, tables, calls, rows, reached } = useBookWorld({ database: 'postgres' });

const PEOPLE = numbers(50);

/** Two workers and a main process. */
const processes = [startProcess(), startProcess(), startProcess()];

/** A seed of its own each time; `BOOK_SEED` repeats one. */
const seed = Number(process.env.BOOK_SEED ?? Date.now() % 1_000_000);

/** Executions of the processes in turn, each for one person. */
const setupOf = (execution: number, contactRules: NodeSetup['parameters']): NodeSetup => ({
	...calls([PEOPLE[execution % PEOPLE.length] ?? {}], contactRules, CONTINUE, { maxWait: 120 }),
	type: processes[execution % processes.length] ?? '',
	nodeId: `node ${execution % 7}`,
});

/** Makes n8n slow now and then, at every moment of a request. */
function holdAtRandom(random: () => number): void {
	tables().holdAt(() => (random() < 0.4 ? sleep(random() * 40) : undefined));
}

const rowsOf = (to: string) => rows().filter(({ phone }) => phone === to);

const mayHaveBeenMade = (to: string): number =>
	rowsOf(to).filter(({ outcome }) => outcome !== 'notMade').length;

/** Runs so many executions at the same moment, and gives their outputs. */
async function runAll(count: number, rules: NodeSetup['parameters']) {
	const runs = Array.from({ length: count }, async (_, execution) => {
		const { items } = await runNode(setupOf(execution, rules));
		return items.map(({ json }) => json);
	});
	return (await Promise.all(runs)).flat();
}

describe(`seed ${seed}`, () => {
	test('200 executions at the same moment on three processes call 50 people once each', async () => {
		holdAtRandom(randomOf(seed));

		const outputs = await runAll(200, { list: 'Spring' });

		const placed = outputs.filter(({ result }) => result === 'placed');
		const held = outputs.filter(({ reason }) => reason === 'attemptsUsed');
		expect([placed.length, held.length]).toEqual([50, 150]);
		expect(reached()).toEqual(calledOnce(PEOPLE));
		for (const { to } of PEOPLE) expect(mayHaveBeenMade(to)).toBe(1);
	});

	test('at most two contacts, with refusals and lost answers', async () => {
		const random = randomOf(seed + 2);
		holdAtRandom(random);
		simulator().addFault({ kind: 'status', status: 400, when: () => random() < 0.2 });
		simulator().addFault({ kind: 'resetAfter', when: () => random() < 0.2 });

		await runAll(200, { atMostContacts: 2 });

		const counts = reached();
		for (const { to } of PEOPLE) {
			const times = counts[to] ?? 0;
			expect(times).toBeLessThanOrEqual(2);
			expect(mayHaveBeenMade(to)).toBe(times);
			expect(rowsOf(to).filter(({ outcome }) => outcome === 'claimed')).toEqual([]);
		}
	});

	test.each([
		['cancelled runs', false],
		['cancelled runs, and an n8n that fails now and then', true],
	])('%s', async (_, isFailing) => {
		const random = randomOf(seed + 3);
		await runNode(setupOf(0, { notAgainWithin: 24 }));
		holdAtRandom(random);
		simulator().addFault({ kind: 'status', status: 400, when: () => random() < 0.2 });
		if (isFailing) {
			tables().fail({ when: () => random() < 0.03, answer: { status: 500 } });
			tables().fail({ when: () => random() < 0.02 });
			tables().fail({ when: () => random() < 0.02, at: 'commit' });
			tables().fail({ when: () => random() < 0.03, at: 'answer' });
		}

		const runs = Array.from({ length: 150 }, async (__, execution) => {
			const run = startNode(setupOf(execution, { notAgainWithin: 24 }));
			if (random() < 0.4) setTimeout(run.cancel, random() * 800);
			return await run.finished;
		});
		// Every run ends.
		await Promise.all(runs);

		const counts = reached();
		expect(Object.values(counts).filter((times) => times > 1)).toEqual([]);
		// Who was reached has a row.
		for (const [to, times] of Object.entries(counts))
			expect(mayHaveBeenMade(to)).toBeGreaterThanOrEqual(times);
		// A claim can be left over only if n8n failed three times in a row.
		const isClaimed = () => rows().some(({ outcome }) => outcome === 'claimed');
		while (!isFailing && isClaimed()) await sleep(20);
	});
});
