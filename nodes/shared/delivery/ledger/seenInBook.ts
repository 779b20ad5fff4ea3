/** How many people are remembered, of all nodes; beyond that, the one who was seen first is forgotten. */
const MOST = 50_000;

/** What a node has seen of a person in the contact book. */
interface Seen {
	/** When the person was contacted last, by the rows or by the node itself, in milliseconds since the epoch. */
	readonly at?: number;
	readonly isOptedOut?: boolean;
}

const people = new Map<string, Seen>();

/**
 * What a node has seen of a person while it used the contact book, in this process: if the book is turned off, this goes on
 * holding the person back. As long as it is used, its rows alone count.
 *
 * @param person see {@link nameOfPerson}
 */
export const seenInBook = (person: string): Seen => people.get(person) ?? {};

/** Remembers what was seen, beside what is known of the person. */
export function remember(person: string, seen: Seen): void {
	const all = { ...people.get(person), ...seen };
	people.delete(person);
	people.set(person, all);
	if (people.size <= MOST) return;
	const [oldest = ''] = people.keys();
	people.delete(oldest);
}
