import type { MarkStore } from '../../../../nodes/shared/delivery/ledger/markStore';

/** Keeps marks over the runs of a test, as n8n's database does. */
export class Store implements MarkStore {
	readonly marks = new Set<string>();

	/** How many marks were added by each call. */
	readonly sizes: number[] = [];

	/** The marks that are written later if a call fails, of each call. */
	readonly addLater: (readonly string[])[] = [];

	/** After how many calls the store fails. */
	failsAfter = Infinity;

	async add(
		marks: readonly string[],
		addLater: readonly string[] = [],
	): Promise<string[] | undefined> {
		this.addLater.push(addLater);
		this.sizes.push(marks.length);
		await Promise.resolve();
		if (this.sizes.length > this.failsAfter) return undefined;
		const before = marks.filter((mark) => this.marks.has(mark));
		for (const mark of marks) this.marks.add(mark);
		return before;
	}

	async claim(marks: readonly string[]): Promise<string[] | undefined> {
		return await this.add(marks);
	}

	async remove(marks: readonly string[]): Promise<void> {
		for (const mark of marks) this.marks.delete(mark);
		await Promise.resolve();
	}

	async count(): Promise<number> {
		return await Promise.resolve(this.marks.size);
	}
}
