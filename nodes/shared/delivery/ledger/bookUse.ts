import type { IExecuteFunctions } from 'n8n-workflow';

import { OF_SETTINGS } from '../../answer/agentAdvice';
import { createFailure, type Failure } from '../../answer/failure';
import { digest } from '../../request/itemKeys';
import { isUnsendable, type Planned } from '../../request/planned';
import { steadyNow } from '../../time/clock';
import { doneOrAborted } from '../../time/wait';
import type { MarkStore } from './markStore';

/** Asking for a mark adds it for a moment, which another process may see. So there are two: nobody asks for both at once. */
const MARKS = ['uses a contact book', 'uses a contact book, indeed'].map(digest);

/** When a node has sent with a contact book first: in this process, before it, or never. */
type FirstUse = 'here' | 'before' | 'never';

interface Use {
	readonly first: FirstUse;
	/** When n8n's store had or got the marks, in milliseconds by {@link steadyNow}. */
	readonly notedAt: number;
}

/** What this process knows of nodes. */
const known = new Map<string, Use>();

const asking = new Map<string, Promise<void>>();

/** How long a process relies on its having noted it, in milliseconds: n8n's store forgets old marks. */
const DAY = 86_400_000;

/**
 * Whether a node has sent with a contact book. Marks in n8n's store say so, which n8n keeps over restarts, also of executions
 * that were started by hand. A node without the book knows whom it has met there only in the process that used it first.
 *
 * Limits: the marks are cut off with others of their age (see {@link MarkStore}); if n8n cannot read them, the node counts as
 * one that never had a book; a process that has looked for them does not see that another one adds them.
 */
export class BookUse {
	/** @param node names the node in this process */
	constructor(
		private readonly store: MarkStore,
		private readonly node: string,
	) {}

	/** Notes that the node is about to send with the book. */
	async note(): Promise<void> {
		const { first, notedAt } = this.use;
		if (first !== 'never' && steadyNow() - notedAt < DAY) return;
		const before = await this.store.add(MARKS);
		const found = MARKS.every((mark) => before?.includes(mark)) ? 'before' : 'here';
		// Another run of this process may have added them in the meantime.
		const isKept = before !== undefined;
		this.know(this.first === 'never' ? found : this.first, isKept ? steadyNow() : 0);
	}

	/**
	 * Refuses the items of a run without the book, if the node cannot know any more whom it has met there.
	 *
	 * @param signal aborted when nothing is to be sent any more
	 */
	async refuse(planned: readonly Planned[], signal: AbortSignal): Promise<readonly Planned[]> {
		await doneOrAborted(this.look(), signal);
		if (this.first !== 'before') return planned;
		return planned.map((one) => (isUnsendable(one) ? one : { ...one, failure: forgotten() }));
	}

	/** As far as this process knows. */
	get first(): FirstUse {
		return this.use.first;
	}

	private get use(): Use {
		return known.get(this.node) ?? { first: 'never', notedAt: 0 };
	}

	private async look(): Promise<void> {
		if (known.has(this.node)) return;
		const asked = asking.get(this.node) ?? this.ask();
		asking.set(this.node, asked);
		await asked;
		asking.delete(this.node);
	}

	private async ask(): Promise<void> {
		for (const mark of MARKS) {
			const before = await this.store.add([mark]);
			if (before === undefined) return;
			if (before.includes(mark)) continue;
			await this.store.remove(MARKS);
			this.know('never');
			return;
		}
		this.know('before');
	}

	private know(first: FirstUse, notedAt = steadyNow()): void {
		known.set(this.node, { first, notedAt });
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
		hint: 'Turn on Use Contact Book. Without it, and since n8n was restarted, the node does not know the contacts of the book, not even its own, nor the opt-outs. To do without the book for good, use a copy of this node: it knows nobody.',
		advice: OF_SETTINGS,
	});
