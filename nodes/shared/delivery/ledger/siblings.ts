import { nameOfItem } from '../../request/subject';
import type { Note } from './note';

/** How much of the entries of all retries is kept, in bytes, about. */
const MAX_BYTES = 32_000_000;

/** What an entry takes without its answer, and a run without its entries, in bytes, about. */
const ENTRY_BYTES = 500;

/** The notes that all retries of one execution share in this process. */
export interface Siblings {
	readonly entries: Note[];
	/** How many entries any of them has added, also if they were removed since. */
	added: number;
	/** What they take, in bytes, about; removed entries count on. */
	bytes: number;
	/** True if other retries no longer find them. */
	isForgotten: boolean;
}

/** By the origin of the run, least recently used first. */
const byOrigin = new Map<string, Siblings>();

/** What all of them take, in bytes, about. */
let total = 0;

/**
 * What the retries of an execution share in this process. n8n gives each retry what its own failed execution has
 * saved, so that it knows nothing of what another retry of the same execution sends.
 *
 * Kept until the process ends, at most about 32 MB for all executions: the least recently retried is forgotten
 * first. What is forgotten, or was sent in another process, is known from the memory of crashes (`marks.ts`).
 *
 * @param origin names the run: the same in an execution, its retries and theirs, and nowhere else
 * @param saved what the failed execution has saved
 */
export function joinSiblings(origin: string, saved: readonly Note[]): Siblings {
	const found = byOrigin.get(origin);
	const siblings = found ?? { entries: [], added: 0, bytes: 0, isForgotten: false };
	byOrigin.delete(origin);
	byOrigin.set(origin, siblings);
	if (found === undefined) grow(siblings, ENTRY_BYTES);
	const byId = new Map(siblings.entries.map((entry) => [nameOfItem(entry), entry]));
	for (const entry of saved) {
		const shared = byId.get(nameOfItem(entry));
		if (shared === undefined) addSibling(siblings, entry);
		else shared.accepted ??= entry.accepted;
	}
	return siblings;
}

/** Makes an entry known to the other retries. */
export function addSibling(siblings: Siblings, entry: Note): void {
	siblings.entries.push(entry);
	siblings.added++;
	grow(siblings, ENTRY_BYTES + sizeOf(entry));
}

/** To be called when an entry got its answer. */
export function growByAnswer(siblings: Siblings, entry: Note): void {
	grow(siblings, sizeOf(entry));
}

function grow(siblings: Siblings, bytes: number): void {
	if (siblings.isForgotten) return;
	siblings.bytes += bytes;
	total += bytes;
	for (const [origin, one] of byOrigin) {
		if (total <= MAX_BYTES || one === siblings) return;
		byOrigin.delete(origin);
		one.isForgotten = true;
		total -= one.bytes;
	}
}

const sizeOf = ({ accepted }: Note): number =>
	accepted === undefined ? 0 : JSON.stringify(accepted).length;
