import { takeAllVoided, voidMarks } from './contacts';
import type { MarkStore } from './crashMemory';
import { REMOVED_AT_ONCE } from './markStore';

/** The marks that were added for contacts that were not made. They stay in n8n's store until {@link remove}. */
export class SurplusMarks {
	private readonly people = new Set<string>();

	constructor(private readonly store: MarkStore) {}

	/** From now on, a later claim may take the marks over. */
	add(person: string, marks: readonly string[]): void {
		voidMarks(person, marks);
		this.people.add(person);
	}

	/**
	 * Removes those from n8n's store that no later claim has taken over. Of a person with a claim under way, they are left
	 * to its run, which removes them if it contacts nobody either.
	 */
	async remove(): Promise<void> {
		const people = [...this.people];
		this.people.clear();
		while (people.length > 0) {
			const marks: string[] = [];
			// Without a pause up to their removal, so that no claim comes in between.
			while (people.length > 0 && marks.length < REMOVED_AT_ONCE)
				marks.push(...takeAllVoided(people.pop() ?? ''));
			await this.store.remove(marks);
		}
	}
}
