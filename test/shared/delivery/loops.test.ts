import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { passing, useFakeTime } from '../../until';
import type { Outcome } from '../../../nodes/shared/delivery/outcome';
import type { Item } from '../../../nodes/shared/items/item';
import { planOf } from '../samples';
import { accepted, failed } from './results';
import { copyOf, newNode, Run } from './runs';
import type { SeenByNode } from './seenByNode';

/** The runs of a node in one execution. n8n may save it and load it again after each. */
class Execution {
	private context: IDataObject = {};

	private index = 0;

	private run: Run | undefined;

	constructor(
		private readonly seen: SeenByNode,
		private readonly isRetry = false,
	) {}

	/** Begins a run; gives which of its items may be sent. */
	async begin(items: readonly Item[]): Promise<boolean[]> {
		this.context = copyOf(this.context);
		const more = { saved: this.context, runIndex: String(this.index), isRetry: this.isRetry };
		this.run = await Run.open(this.seen, items, more);
		return await this.run.sendable();
	}

	/** Ends a run with what became of the items that were sent. */
	async end(outcomes: readonly Outcome[]): Promise<void> {
		const { run } = this;
		if (run === undefined) return;
		for (const [index, outcome] of outcomes.entries()) run.end(outcome, index);
		await passing(run.memory.close());
		this.index++;
	}
}

/**
 * Gives each contact to the node, and those that it refused or held back once more in the next round, as often as there
 * are rounds. Counts how often each person was reached.
 */
async function goThrough(
	seen: SeenByNode,
	people: readonly Item[],
	rounds: readonly (readonly boolean[])[],
	reached: Map<Item, number>,
	isRetry = false,
): Promise<void> {
	const execution = new Execution(seen, isRetry);
	let open = [...people];
	for (const takes of rounds) {
		const may = await execution.begin(open);
		const isTaken = (index: number): boolean => takes[index % takes.length] === true;
		const results = may.map((one, index) =>
			one ? (isTaken(index) ? accepted : failed('refused')) : failed('unknown'),
		);
		for (const [index, person] of open.entries()) {
			if (results[index] === accepted) reached.set(person, (reached.get(person) ?? 0) + 1);
		}
		await execution.end(results);
		open = open.filter((_, index) => may[index] === true && !isTaken(index));
	}
}

/** Four who are reached by an operation: by their number, or else by the request alone. */
const anyFour = fc
	.constantFrom(['call.place', 'toNumber'] as const, ['chat.start', 'userIdentifier'] as const)
	.map(([path, property]) =>
		[0, 1, 2, 3].map((person) => planOf(path, { [property]: `+1555010${1_000 + person}` })),
	);

const someRounds = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), {
	minLength: 1,
	maxLength: 4,
});

/** Some people, some of them more than once, and who each round of an execution and of its retry takes. */
const LOOPS = [
	anyFour.chain((four) => fc.array(fc.constantFrom(...four), { minLength: 1, maxLength: 6 })),
	someRounds,
	someRounds,
] as const;

useFakeTime();

test('who comes again in a loop after a refusal is reached once for each contact, also if n8n dies and the loop begins anew', async () => {
	await fc.assert(
		fc.asyncProperty(...LOOPS, async (people, rounds, roundsOfRetry) => {
			const seen = newNode();
			const reached = new Map<Item, number>();
			await goThrough(seen, people, [...rounds, [true]], reached);
			const wanted = new Map(people.map((one) => [one, people.filter((p) => p === one).length]));
			expect(reached).toEqual(wanted);

			await goThrough(seen, people, [...roundsOfRetry, [true]], reached, true);
			expect(reached).toEqual(wanted);
		}),
	);
});
