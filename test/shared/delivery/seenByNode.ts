import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

/**
 * n8n's store of what a node has seen, as its DeduplicationHelper keeps it: one row for each node, read and written
 * whole, of which each call cuts off what is beyond its own bound.
 */
export class SeenByNode {
	constructor(private readonly node: string) {}

	row: string[] = [];

	calls = 0;

	/** How many calls there were at the same moment. */
	atOnce = 0;

	private underWay = 0;

	isBroken = false;

	/** How long a call takes, in milliseconds. */
	latency = 2;

	/** How many of the next calls fail. */
	failures = 0;

	warnings: string[] = [];

	async record(items: string[], { maxEntries }: ICheckProcessedOptions) {
		this.calls++;
		this.atOnce = Math.max(this.atOnce, ++this.underWay);
		const row = [...this.row];
		if (this.latency > 0) await new Promise((resolve) => setTimeout(resolve, this.latency));
		this.underWay--;
		if (this.isBroken || this.failures-- > 0) throw new Error('no database');
		const before = new Set(row);
		const processed = items.filter((item) => before.has(item));
		const added = [...row, ...items.filter((item) => !before.has(item))];
		this.row = maxEntries === undefined ? added : added.slice(-maxEntries);
		return { processed, new: items.filter((item) => !before.has(item)) };
	}

	async remove(items: string[]): Promise<void> {
		this.calls++;
		const row = this.row.filter((item) => !items.includes(item));
		await new Promise((resolve) => setTimeout(resolve, this.latency));
		this.row = row;
	}

	/** What the node gets from n8n in an execution. */
	readonly context = {
		getNode: () => ({ id: this.node }),
		getWorkflow: () => ({ id: 'workflow' }),
		logger: {
			warn: (message: string) => {
				this.warnings.push(message);
			},
		},
		helpers: {
			checkProcessedAndRecord: async (
				items: string[],
				_: string,
				options: ICheckProcessedOptions,
			) => await this.record(items, options),
			removeProcessed: async (items: string[]) => {
				await this.remove(items);
			},
			getProcessedDataCount: async () => await Promise.resolve(this.row.length),
		},
	} as unknown as IExecuteFunctions;
}
