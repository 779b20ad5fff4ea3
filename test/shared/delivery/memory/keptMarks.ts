import type { MarkNames, MarkStore } from '../../../../nodes/shared/delivery/memory/crashMemory';

/** Keeps marks over the runs of a test, as n8n's database does. */
export class Store implements MarkStore {
	readonly marks = new Set<string>();

	readonly sizes: number[] = [];

	async add(marks: string[]): Promise<string[]> {
		const before = marks.filter((mark) => this.marks.has(mark));
		for (const mark of marks) this.marks.add(mark);
		this.sizes.push(marks.length);
		return await Promise.resolve(before);
	}

	async remove(marks: string[]): Promise<void> {
		for (const mark of marks) this.marks.delete(mark);
		await Promise.resolve();
	}

	async count(): Promise<number> {
		return await Promise.resolve(this.marks.size);
	}
}

/** n8n gives a token that an execution shares with its retries. */
export const sharing = (token: string): MarkNames => ({
	own: [token],
	earlier: token,
	execution: token,
});
