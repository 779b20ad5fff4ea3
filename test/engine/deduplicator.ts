import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
} from 'n8n-workflow';

/** What n8n keeps of the nodes, as its own does in the database: a list for each node of a workflow. */
export class MemoryDeduplicator implements IDataDeduplicator {
	readonly rows = new Map<string, string[]>();

	/** True while the database is away. */
	isBroken = false;

	/**
	 * Resolves when the database has answered for a node, named by its ID. A call reads before, and writes after: calls at the
	 * same moment overwrite each other.
	 */
	answer: (node: string) => Promise<void> = () => Promise.resolve();

	private read(node: { id: string } | undefined): string[] {
		if (this.isBroken) throw new Error('no database');
		return this.rows.get(node?.id ?? '') ?? [];
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		_: DeduplicationScope,
		{ node }: ICheckProcessedContextData,
	) {
		const row = this.read(node);
		await this.answer(node?.id ?? '');
		const known = new Set(row);
		const added = items.filter((item) => !known.has(String(item)));
		this.rows.set(node?.id ?? '', [...row, ...added.map(String)]);
		return { new: added, processed: items.filter((item) => known.has(String(item))) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		_: DeduplicationScope,
		{ node }: ICheckProcessedContextData,
	): Promise<void> {
		const removed = new Set(items.map(String));
		const row = this.read(node).filter((item) => !removed.has(item));
		await this.answer(node?.id ?? '');
		this.rows.set(node?.id ?? '', row);
	}

	clearAllProcessedItems = () => Promise.reject(new Error('Not part of these tests'));

	getProcessedDataCount = () => Promise.reject(new Error('Not part of these tests'));
}
