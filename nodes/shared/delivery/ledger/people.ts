import { bareNumber } from '../../outreach/doNotContact';
import type { ItemPlan } from '../../request/request';

/**
 * How many contacts of a node outlive this process: n8n keeps so many of its marks. Within the process, more are known.
 */
export const KEPT_CONTACTS = 20_000;

/** How many people of all nodes are known in this process; beyond that, the one whose last claim is the oldest is forgotten. */
const MAX_KNOWN = 250_000;

/** What this process knows of a person. */
interface Known {
	/** When the last contact was, in milliseconds since the epoch. */
	at?: number;
	/** True if this process has made a contact; else that one is known from n8n's store. */
	isOwn?: boolean;
	/** True while an item is about to contact the person. */
	isPending: boolean;
	/** What wakes the items that wait for the end of that, in their order. */
	readonly waiting: Set<() => void>;
	/** Marks in n8n's store of claims that contacted nobody in the end; see {@link voidMarks}. */
	readonly voided: Set<string>;
}

const people = new Map<string, Known>();

/** Names the recipient of an item in the memory of a node. */
export const nameOfPerson = (node: string, item: Pick<ItemPlan, 'contact'> | undefined): string =>
	`${node} ${bareNumber(item?.contact?.toNumber ?? '')}`;

/** The times of the last contacts of each node, oldest first. */
const times = new Map<string, number[]>();

/** When the person was contacted, in milliseconds since the epoch, as far as this process knows. */
export const lastContact = (person: string): number | undefined => people.get(person)?.at;

/** True if this process knows the last contact of the person from n8n's store alone. */
export function isFromStore(person: string): boolean {
	const { at, isOwn = false } = people.get(person) ?? {};
	return at !== undefined && !isOwn;
}

/** True if an item is about to contact the person. */
export const isPending = (person: string): boolean => people.get(person)?.isPending === true;

/** An item is about to contact the person. To be followed by {@link endContact}. */
export function beginContact(person: string): void {
	const known = people.get(person) ?? {
		isPending: true,
		waiting: new Set<() => void>(),
		voided: new Set<string>(),
	};
	known.isPending = true;
	people.delete(person);
	people.set(person, known);
	if (people.size > MAX_KNOWN) forgetOldest();
}

/**
 * To be called when the item has ended. Wakes the next one that waits for the person.
 *
 * @param at when it contacted the person, in milliseconds since the epoch; `undefined` if it did not
 * @param isFromStore true if it has only found there that the person was contacted
 */
export function endContact(person: string, at?: number, isFromStore = false): void {
	const known = people.get(person);
	if (known === undefined) return;
	if (at !== undefined) {
		known.at = Math.max(at, known.at ?? 0);
		if (!isFromStore) known.isOwn = true;
	}
	known.isPending = false;
	wakeNext(person);
	forgetIfNothingIsKnown(person, known);
}

/**
 * An item waits until nobody is about to contact the person.
 *
 * @param wake called when it is its turn. To be followed by {@link beginContact} or {@link wakeNext}: only one item of
 * those that wait is woken at a time
 */
export function wait(person: string, wake: () => void): void {
	people.get(person)?.waiting.add(wake);
}

/** The item no longer waits. */
export function stopWaiting(person: string, wake: () => void): void {
	people.get(person)?.waiting.delete(wake);
}

/** Gives the turn to the next item that waits, unless another one is about to contact the person. */
export function wakeNext(person: string): void {
	const known = people.get(person);
	if (known === undefined || known.isPending) return;
	const [next] = known.waiting;
	if (next === undefined) return;
	known.waiting.delete(next);
	next();
}

/** The marks stand for no contact. Until they are removed from the store, they do not count in this process. */
export function voidMarks(person: string, marks: readonly string[]): void {
	const voided = people.get(person)?.voided;
	for (const mark of marks) voided?.add(mark);
}

/** Takes over a mark that stands for no contact, for a new claim. False if the mark is not one of those. */
export const takeVoided = (person: string, mark: string): boolean =>
	people.get(person)?.voided.delete(mark) ?? false;

/** Takes all marks of a person that stand for no contact, to remove them; none while an item is about to contact the person. */
export function takeAllVoided(person: string): string[] {
	const known = people.get(person);
	if (known === undefined || known.isPending) return [];
	const marks = [...known.voided];
	known.voided.clear();
	forgetIfNothingIsKnown(person, known);
	return marks;
}

/** Counts a contact of a node. */
export function countContact(node: string, at: number): void {
	const known = times.get(node) ?? [];
	times.set(node, known);
	known.push(at);
	if (known.length > KEPT_CONTACTS + 1) known.shift();
}

/** True if a node has made more contacts since then than would be known after a restart. */
export const hasTooManyContacts = (node: string, since: number): boolean => {
	const known = times.get(node) ?? [];
	return known.length > KEPT_CONTACTS && (known[0] ?? 0) > since;
};

/** Of those in the contact book, and of those whom nobody contacted, there is nothing to remember. */
function forgetIfNothingIsKnown(person: string, { at, isPending, waiting, voided }: Known): void {
	if (at === undefined && !isPending && waiting.size === 0 && voided.size === 0)
		people.delete(person);
}

function forgetOldest(): void {
	for (const [person, known] of people) {
		if (known.isPending || known.waiting.size > 0 || known.voided.size > 0) continue;
		people.delete(person);
		return;
	}
}
