import { digest } from '../../request/itemKeys';
import type { MarkStore } from './markStore';

const MARK = digest('uses a contact book');

/** Whether nodes have the mark, as far as this process knows. */
const known = new Map<string, Promise<boolean>>();

/**
 * Whether a node has used a contact book since it was last said that it does without. A mark in n8n's store says so, which
 * n8n keeps over restarts, also of executions that were started by hand.
 *
 * Limits: the mark is cut off with others of its age (see {@link MarkStore}); a process that has looked for it does not see
 * it when another process adds it.
 */
export class BookUse {
	private isBegun = false;

	/** @param node names the node in this process */
	constructor(
		private readonly store: MarkStore,
		private readonly node: string,
	) {}

	/** Notes that the run uses the book. Returns what the store is to add: nothing if it was asked before. */
	begin(): string[] {
		if (this.isBegun) return [];
		this.isBegun = true;
		known.set(this.node, Promise.resolve(true));
		return [MARK];
	}

	/** True if the node has used a book, and nobody was told that it does without. */
	async wasBegun(): Promise<boolean> {
		const asked = known.get(this.node) ?? this.ask();
		known.set(this.node, asked);
		return await asked;
	}

	/** It was told: somebody may have turned the book off on purpose, so it is not told again. */
	async setTold(): Promise<void> {
		known.set(this.node, Promise.resolve(false));
		await this.store.remove([MARK]);
	}

	private async ask(): Promise<boolean> {
		const before = await this.store.add([MARK]);
		if (before?.includes(MARK) === true) return true;
		// Asking has added it.
		await this.store.remove([MARK]);
		return false;
	}
}
