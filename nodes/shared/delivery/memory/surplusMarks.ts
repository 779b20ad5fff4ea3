import { pendingContact, takeVoided, voidMarks } from './contacts';
import type { MarkStore } from './crashMemory';
import { REMOVED_AT_ONCE } from './markStore';

/** The marks that a run has added for contacts that were not made. They stay in n8n's store until {@link remove}. */
export class SurplusMarks {
	private readonly marks: { readonly person: string; readonly mark: string }[] = [];

	constructor(private readonly store: MarkStore) {}

	/** From now on, a later claim may take the marks over. */
	add(person: string, marks: readonly string[]): void {
		voidMarks(person, marks);
		this.marks.push(...marks.map((mark) => ({ person, mark })));
	}

	/** Removes those from n8n's store that no later claim has taken over. */
	async remove(): Promise<void> {
		for (let from = 0; from < this.marks.length; from += REMOVED_AT_ONCE) {
			const some = this.marks.slice(from, from + REMOVED_AT_ONCE);
			// Together, so that no claim comes in between. One that is under way may take them over.
			const unused = some.filter(
				({ person, mark }) => !pendingContact(person) && takeVoided(person, mark),
			);
			await this.store.remove(unused.map(({ mark }) => mark));
		}
	}
}
