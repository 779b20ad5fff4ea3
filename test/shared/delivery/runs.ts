import type { IDataObject } from 'n8n-workflow';

import { countedOutcome, type Entry } from '../../../nodes/shared/delivery/entry';
import type { Memory } from '../../../nodes/shared/delivery/memory';
import type { Notes } from '../../../nodes/shared/delivery/notes';
import { openMemory } from '../../../nodes/shared/delivery/openMemory';
import type { Outcome } from '../../../nodes/shared/delivery/outcome';
import { Rules } from '../../../nodes/shared/rules/rules';
import type { Item } from '../../../nodes/shared/items/item';
import { passing } from '../../until';
import { hostOf, node, operationOf } from '../samples';
import { SeenByNode } from './seenByNode';

/** What is said of a run; the rest is that of the first run of an execution. */
interface RunOptions {
	/** n8n's context of the node. */
	readonly saved?: IDataObject;
	readonly isRetry?: boolean;
	readonly isTool?: boolean;
	readonly signal?: AbortSignal;
	readonly cancelSignal?: AbortSignal;
}

let nodes = 0;

/** A node of its own, of which n8n knows nothing. */
export const newNode = (): SeenByNode => new SeenByNode(`node ${++nodes}`);

export class Run {
	private constructor(
		readonly memory: Memory,
		readonly notes: Notes,
	) {}

	static async open(
		seen: SeenByNode,
		planned: readonly Item[],
		options: RunOptions = {},
	): Promise<Run> {
		const { saved = {}, isRetry = false, isTool = false, cancelSignal } = options;
		const { signal = new AbortController().signal } = options;
		const items = planned.map((item, index) => ({ ...item, index }));
		const opening = openMemory({
			...{ saved, deduplication: seen.deduplication },
			operation: items[0]?.operation ?? operationOf('call.place'),
			operationName: 'call.place',
			host: hostOf({
				...{ node: { ...node, id: seen.node }, logger: seen.logger, isRetry },
				...(isTool
					? { toolHost: 'agent', executionId: '', runIndex: '3' }
					: { executionId: isRetry ? 'a retry' : 'the first', retryToken: 'e1' }),
			}),
			...{ mode: { kind: 'live' }, items, rules: new Rules('UTC', 'call.place', items), signal },
			...(cancelSignal && { cancelSignal }),
		});
		const { memory, notes } = await (isRetry ? passing(opening) : opening);
		return new Run(memory, notes);
	}

	/** What becomes of the first item without being sent; `undefined` if it may be sent. */
	async known(): Promise<Outcome | undefined> {
		const entry = this.entry(0);
		await passing(this.memory.claim([entry]));
		const before = this.memory.before(entry);
		return before.kind === 'sendable' ? undefined : before;
	}

	/** Claims an item and sends it, if it may be sent; gives what became of it. */
	async send(outcomeIfSent: Outcome): Promise<Outcome | undefined> {
		const entry = this.entry(0);
		const outcome = (await this.known()) ?? this.memory.sending(entry) ?? outcomeIfSent;
		await this.memory.settle(entry, outcome);
		return countedOutcome(entry);
	}

	entry(index: number): Entry {
		const entry = this.memory.entries[index];
		if (entry === undefined) throw new Error(`There is no item ${index}`);
		return entry;
	}
}

/** What n8n saves with a failed execution and hands to its retry. */
export const copyOf = <T extends object>(saved: T): T => JSON.parse(JSON.stringify(saved)) as T;
