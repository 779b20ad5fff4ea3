import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Ledger } from '../../../../nodes/shared/delivery/ledger/ledger';
import { Marks } from '../../../../nodes/shared/delivery/ledger/marks';
import { SendNumbers } from '../../../../nodes/shared/delivery/ledger/sendNumbers';
import type { ItemResult, RunResult } from '../../../../nodes/shared/delivery/result';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { planOf } from '../../samples';
import { accepted, failed } from '../results';
import { Store } from './keptMarks';
import { openOver, resultOf } from './openOver';

/** The runs of a node in one execution. n8n may save it and load it again after each. */
class Execution {
	private context: IDataObject = {};

	private run = 0;

	private ledger: Ledger | undefined;

	/** What is known of the items that are not to be sent. */
	private known: (RunResult | undefined)[] = [];

	constructor(
		private readonly store: Store,
		private readonly isRetry = false,
	) {}

	/** Begins a run; gives which of its items may be sent. */
	async begin(planned: ItemPlan[]): Promise<boolean[]> {
		this.context = JSON.parse(JSON.stringify(this.context)) as IDataObject;
		const run = { saved: this.context, runIndex: String(this.run), isRetry: this.isRetry };
		const { ledger } = openOver(this.store, planned, run);
		this.ledger = ledger;
		this.known = [];
		for (const index of planned.keys()) this.known.push(await resultOf(ledger, index));
		return this.known.map((known) => known === undefined);
	}

	/** Ends a run with what became of the items that were sent. */
	async end(results: readonly ItemResult[]): Promise<void> {
		for (const [index, result] of results.entries()) {
			const known = this.known[index] ?? this.ledger?.aboutToSend(index);
			this.ledger?.end(index, known ?? result);
		}
		await this.ledger?.close();
		this.run++;
	}
}

/**
 * Gives each contact to the node, and those that it refused or held back once more in the next round, as often as there
 * are rounds. Counts how often each person was reached.
 */
async function goThrough(
	store: Store,
	people: readonly ItemPlan[],
	rounds: readonly (readonly boolean[])[],
	reached: Map<ItemPlan, number>,
	isRetry = false,
): Promise<void> {
	const execution = new Execution(store, isRetry);
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

/** Some people, of whom some come more than once, and whom each round of an execution and of its retry takes. */
const LOOPS = [
	anyFour.chain((four) => fc.array(fc.constantFrom(...four), { minLength: 1, maxLength: 6 })),
	someRounds,
	someRounds,
] as const;

test('whoever comes again in a loop after a refusal is reached once for each contact, also if n8n dies and the loop begins anew', async () => {
	await fc.assert(
		fc.asyncProperty(...LOOPS, async (people, rounds, roundsOfRetry) => {
			const store = new Store();
			const reached = new Map<ItemPlan, number>();
			await goThrough(store, people, [...rounds, [true]], reached);
			const wanted = new Map(people.map((one) => [one, people.filter((p) => p === one).length]));
			expect(reached).toEqual(wanted);

			await goThrough(store, people, [...roundsOfRetry, [true]], reached, true);
			expect(reached).toEqual(wanted);
		}),
	);
});

test('nobody is reached more often than there are contacts, wherever in a loop n8n dies', async () => {
	await fc.assert(
		fc.asyncProperty(...LOOPS, async (people, rounds, roundsOfRetry) => {
			const store = new Store();
			const reached = new Map<ItemPlan, number>();
			await goThrough(store, people, rounds, reached);
			await goThrough(store, people, [...roundsOfRetry, [true]], reached, true);

			for (const [person, times] of reached)
				expect(times).toBeLessThanOrEqual(people.filter((one) => one === person).length);
			expect(new Set(reached.keys())).toEqual(new Set(people));
		}),
	);
});

test('each round of a loop has a name of its own for the same person', () => {
	const planned = [planOf('call.place')];
	const namesOf = (saved: IDataObject, isRetry: boolean): (string | undefined)[] =>
		['0', '1', '2'].map((run) => {
			const numbers = new SendNumbers(saved, run);
			const marks = new Marks('e1', run, planned, { of: () => undefined }, numbers, isRetry);
			const named = marks.nameOf(0);
			marks.close([accepted]);
			return named;
		});

	const names = namesOf({}, false);

	expect(new Set(names).size).toBe(3);
	expect(names).not.toContain(undefined);
	expect(namesOf({}, true)).toEqual(names);
});
