/**
 * How many contacts of a node outlive this process: n8n keeps so many of its marks. Within the process, more are known.
 */
export const KEPT_CONTACTS = 20_000;

/** How many people are known in this process, of all nodes; who was contacted the longest time ago is forgotten first. */
const MAX_KNOWN = 250_000;

/** What this process knows of a person. */
interface Known {
	/** When the last contact was, in milliseconds since the epoch. */
	at?: number;
	/** An item that is about to contact the person. */
	pending?: { readonly over: Promise<void>; readonly end: () => void };
	/** Marks in n8n's store of items that contacted nobody in the end. */
	voided?: Set<string>;
}

const people = new Map<string, Known>();

/** The times of the last contacts of each node, oldest first. */
const times = new Map<string, number[]>();

/** When the person was contacted, in milliseconds since the epoch, as far as this process knows. */
export const lastContact = (person: string): number | undefined => people.get(person)?.at;

/** Resolves when the item that is about to contact the person has ended; `undefined` if there is none. */
export const pendingContact = (person: string): Promise<void> | undefined =>
	people.get(person)?.pending?.over;

/** An item is about to contact the person. To be followed by {@link endContact}. */
export function beginContact(person: string): void {
	const known: Known = people.get(person) ?? {};
	let end: () => void = () => undefined;
	const over = new Promise<void>((resolve) => {
		end = resolve;
	});
	known.pending = { over, end };
	people.delete(person);
	people.set(person, known);
	if (people.size > MAX_KNOWN) forgetOldest();
}

/**
 * The item has ended.
 *
 * @param at when it contacted the person, in milliseconds since the epoch; `undefined` if it did not
 */
export function endContact(person: string, at?: number): void {
	const known = people.get(person);
	if (known === undefined) return;
	if (at !== undefined) known.at = Math.max(at, known.at ?? 0);
	known.pending?.end();
	delete known.pending;
}

/** The marks stand for no contact. Until they are removed from the store, they do not count in this process. */
export function voidMarks(person: string, marks: readonly string[]): void {
	const known = people.get(person);
	if (known === undefined || marks.length === 0) return;
	known.voided = new Set([...(known.voided ?? []), ...marks]);
}

/** Takes over a mark that stands for no contact; false if it stands for one. */
export const takeVoided = (person: string, mark: string): boolean =>
	people.get(person)?.voided?.delete(mark) ?? false;

/** Counts a contact of a node. */
export function countContact(node: string, at: number): void {
	const known = times.get(node) ?? [];
	times.set(node, known);
	known.push(at);
	if (known.length > KEPT_CONTACTS + 1) known.shift();
}

/** True if a node has contacted more people since then than would be known after a restart. */
export const hasTooManyContacts = (node: string, since: number): boolean => {
	const known = times.get(node) ?? [];
	return known.length > KEPT_CONTACTS && (known[0] ?? 0) > since;
};

function forgetOldest(): void {
	for (const [person, { pending, voided }] of people) {
		if (pending !== undefined || (voided?.size ?? 0) > 0) continue;
		people.delete(person);
		return;
	}
}
