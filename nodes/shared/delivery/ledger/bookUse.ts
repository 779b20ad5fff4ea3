import type { IExecuteFunctions } from 'n8n-workflow';

import { OF_SETTINGS } from '../../answer/agentAdvice';
import { createFailure, type Failure } from '../../answer/failure';
import { digest } from '../../request/itemKeys';
import { refuseAll, type Planned } from '../../request/planned';
import { steadyNow } from '../../time/clock';
import { doneOrAborted } from '../../time/wait';
import type { MarkStore } from './markStore';

/**
 * n8n's store cannot be asked for a mark without adding it, and a removal can come late or get lost. So a run with the book
 * adds many marks, and one without it asks for a few of them, one by one and in any order, until one is not there.
 */
const MARKS = Array.from({ length: 64 }, (_, index) =>
	digest(`sends with a contact book ${index}`),
);

/** How many marks of {@link MARKS} are asked for at most: if all are there, the node has used the book. */
const MOST_ASKED = 6;

/** When a node has sent with a contact book first: in this process, before it, or never. */
type FirstUse = 'here' | 'before' | 'never';

interface Use {
	readonly first: FirstUse;
	/** When n8n's store was asked last, in milliseconds by {@link steadyNow}; 0 if it failed. */
	readonly askedAt: number;
}

/** What this process knows of nodes. */
const known = new Map<string, Use>();

const asking = new Map<string, Promise<void>>();

/** How long a process relies on its having noted it, in milliseconds: n8n's store forgets old marks. */
const NOTED_FOR = 86_400_000;

/** How long it relies on it that there was no mark: another process may add them. */
const NEVER_FOR = 600_000;

/**
 * Whether a node has sent with a contact book. Marks in n8n's store say so, which n8n keeps over restarts, also of executions
 * that were started by hand. A node without the book knows whom it has met there only in the process that used it first.
 *
 * Limits: marks are cut off by their age (see {@link MarkStore}), at most a day before they are added again; if n8n cannot
 * read them, a node counts as one that never had a book; another process can take ten minutes to see that one has it.
 */
export class BookUse {
	/** @param node names the node in this process */
	constructor(
		private readonly store: MarkStore,
		private readonly node: string,
	) {}

	/** Notes that the node is about to send with the book. */
	async note(): Promise<void> {
		const { first, askedAt } = this.use;
		if (first !== 'never' && steadyNow() - askedAt < NOTED_FOR) return;
		const before = await this.store.add(MARKS);
		const isFound = before === undefined || before.length >= MOST_ASKED;
		// What another run of this process has found in the meantime counts.
		const isKnown = this.first !== 'never' && this.use.askedAt > 0;
		const found = isFound ? 'before' : 'here';
		this.know(isKnown ? this.first : found, before === undefined ? 0 : steadyNow());
	}

	/**
	 * Refuses the items of a run without the book, if the node cannot know any more whom it has met there.
	 *
	 * @param signal aborted when nothing is to be sent any more
	 */
	async refuse(planned: readonly Planned[], signal: AbortSignal): Promise<readonly Planned[]> {
		await doneOrAborted(this.look(), signal);
		if (this.first !== 'before') return planned;
		return refuseAll(planned, forgotten());
	}

	/** As far as this process knows. */
	get first(): FirstUse {
		return this.use.first;
	}

	private get use(): Use {
		return known.get(this.node) ?? { first: 'never', askedAt: 0 };
	}

	private async look(): Promise<void> {
		const { first, askedAt } = this.use;
		if (first !== 'never' || (askedAt > 0 && steadyNow() - askedAt < NEVER_FOR)) return;
		const asked = asking.get(this.node) ?? this.ask();
		asking.set(this.node, asked);
		await asked;
		asking.delete(this.node);
	}

	private async ask(): Promise<void> {
		const start = Math.floor(Math.random() * MARKS.length);
		const inAnyOrder = [...MARKS.slice(start), ...MARKS.slice(0, start)];
		for (const mark of inAnyOrder.slice(0, MOST_ASKED)) {
			const before = await this.store.add([mark]);
			if (before === undefined) return;
			if (before.includes(mark)) continue;
			await this.store.remove([mark]);
			// A run with the book may have begun in the meantime.
			if (this.first === 'never') this.know('never', steadyNow());
			return;
		}
		this.know('before', steadyNow());
	}

	private know(first: FirstUse, askedAt: number): void {
		known.set(this.node, { first, askedAt });
	}
}

/** @param store of the node, see {@link openMarkStore} */
export const bookUseOf = (context: IExecuteFunctions, store: MarkStore): BookUse =>
	new BookUse(store, `${context.getWorkflow().id ?? ''} ${context.getNode().id}`);

const forgotten = (): Failure =>
	createFailure({
		kind: 'stopped',
		outcome: 'notSent',
		message: 'Not sent, because this node has sent with a contact book, which is off now',
		hint: 'Turn on Use Contact Book; whom this node has contacted without it, the book does not know: add a row for each. Without the book, the node does not know the contacts of the book, not even all of its own, nor the opt-outs. To do without the book for good, use a copy of this node: it knows nobody.',
		advice: OF_SETTINGS,
	});
