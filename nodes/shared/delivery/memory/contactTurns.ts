import { isPending, stopWaiting, wait, wakeNext } from './contacts';

/** The items of a run that wait for others, which are about to contact the same people. */
export class ContactTurns {
	/** What ends the waits, by the place of the item. */
	private readonly waits = new Map<number, () => void>();

	/** For whom it is the turn of an item that has waited, by its place. */
	private readonly turns = new Map<number, string>();

	/** Resolves when it is the item's turn, or at {@link end}. To be followed by {@link take} or {@link passOn}. */
	async wait(index: number, person: string): Promise<void> {
		this.take(index);
		if (!isPending(person)) return;
		await new Promise<void>((resolve) => {
			const wake = (): void => {
				this.waits.delete(index);
				this.turns.set(index, person);
				resolve();
			};
			this.waits.set(index, () => {
				stopWaiting(person, wake);
				resolve();
			});
			wait(person, wake);
		});
	}

	/** The item is about to contact the person now. */
	take(index: number): void {
		this.turns.delete(index);
	}

	/** The item has ended. If it has not taken its turn, the next one has it. */
	passOn(index: number): void {
		const person = this.turns.get(index);
		this.turns.delete(index);
		if (person !== undefined) wakeNext(person);
	}

	/** Ends all waits, and gives up the turns. */
	end(): void {
		for (const stop of this.waits.values()) stop();
		this.waits.clear();
		for (const index of [...this.turns.keys()]) this.passOn(index);
	}
}
