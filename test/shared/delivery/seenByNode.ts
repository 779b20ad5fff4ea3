import type { ICheckProcessedOptions } from 'n8n-workflow';

import { MarkStore } from '../../../nodes/shared/delivery/markStore';
import type { Deduplication } from '../../../nodes/shared/delivery/markWriter';

/** What becomes of a call: n8n does not do it and says so, or does it and says it failed, or does it late. */
export type Fate = 'fails' | 'isLost' | Promise<void>;

/**
 * n8n's store of what a node has seen, as its DeduplicationHelper keeps it: one row for each node, read and written
 * whole, of which each call cuts off what is beyond its own bound.
 */
export class SeenByNode {
	constructor(readonly node: string) {}

	row: string[] = [];

	calls = 0;

	isBroken = false;

	/** How long a call takes, in milliseconds. */
	latency = 2;

	/** What becomes of the next calls; those after them succeed. */
	fates: Fate[] = [];

	warnings: string[] = [];

	async record(items: string[], { maxEntries }: ICheckProcessedOptions) {
		return await this.call((row) => {
			const before = new Set(row);
			const added = [...row, ...items.filter((item) => !before.has(item))];
			const kept = maxEntries === undefined ? added : added.slice(-maxEntries);
			const processed = items.filter((item) => before.has(item));
			return [kept, { processed, new: items.filter((item) => !before.has(item)) }];
		});
	}

	/** Writes the row as it was read before. Tests may put what else happens in its place. */
	async call<T>(work: (row: readonly string[]) => [row: string[], answer: T]): Promise<T> {
		this.calls++;
		const fate = this.fates.shift();
		const row = [...this.row];
		if (this.latency > 0) await new Promise((resolve) => setTimeout(resolve, this.latency));
		if (this.isBroken || fate === 'fails') throw new Error('no database');
		await (fate === 'isLost' ? undefined : fate);
		const [written, answer] = work(row);
		this.row = written;
		if (fate === 'isLost') throw new Error('no answer');
		return answer;
	}

	readonly deduplication: Deduplication = {
		checkProcessedAndRecord: async (items, _, options) =>
			await this.record(items.map(String), options),
		removeProcessed: async (items) => {
			await this.call((row) => [row.filter((item) => !items.includes(item)), undefined]);
		},
	};

	readonly logger = {
		info: () => undefined,
		warn: (message: string) => {
			this.warnings.push(message);
		},
	};

	open(Store: typeof MarkStore = MarkStore): MarkStore {
		const host = { nodeName: `workflow ${this.node}`, logger: this.logger };
		return new Store(host, this.deduplication);
	}
}
