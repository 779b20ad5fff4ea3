import type { Failure } from '../answer/failure';
import type { RequestProperties } from '../answer/answerRules';
import type { Operation } from '../declaration/operation';
import type { ItemOptions } from '../declaration/options';
import type { Person } from '../rules/person';
import { toPlainText } from '../values';
import type { ServiceRequest } from '../service/serviceRequest';

/** What is known of an item, whether or not it can be sent. */
export interface Read {
	/** Of its input item. */
	readonly index: number;
	readonly operation: Operation;
	/** What it is for, see `subjectOf`; absent if that cannot be read. */
	readonly subject?: string;
	readonly simplify: boolean;
	/** Absent if the operation does not reach one person by phone number. */
	readonly person?: Person;
	/** The number that is reached instead of the person's, if the credential redirects. */
	readonly redirectedTo?: string;
}

/** An item that was read and checked, and can be sent. */
export interface Sendable extends Read {
	readonly kind: 'sendable';
	readonly properties: RequestProperties;
	readonly request: ServiceRequest;
	/** What is sent instead if the service refuses the request for a reason of the operation. */
	readonly fallback?: ServiceRequest;
	readonly options: ItemOptions;
}

/** An item that the node does not send, and why. (Outcome `refused`: the service said no.) */
export interface Unsendable extends Read {
	readonly kind: 'unsendable';
	readonly failure: Failure;
	/** True if only what refuses all items keeps it back, e.g. a rule without an expression. */
	readonly isRefusedWithRun?: boolean;
}

export type Item = Sendable | Unsendable;

export const isSendable = (item: Item): item is Sendable => item.kind === 'sendable';

/** Gives the number of an item, `+` and digits; empty if it has none, or it cannot be read. */
export const phoneOf = ({ person, subject }: Pick<Item, 'person' | 'subject'>): string =>
	subject === undefined ? '' : (person?.toNumber ?? '');

/**
 * Returns a function that finds, for one item after the other, those before it that write for its
 * recipient (rule 9): the last with the same value of each property that names the recipient.
 */
export function createPredecessorFinder() {
	const last = new Map<string, Item>();
	return (item: Item): readonly Item[] => {
		const recipients = isSendable(item) ? recipientsOf(item) : [];
		const before = recipients.flatMap((recipient) => last.get(recipient) ?? []);
		for (const recipient of recipients) last.set(recipient, item);
		return before;
	};
}

function recipientsOf({ operation: { writesFor }, properties }: Sendable): string[] {
	if ('nobody' in writesFor) return [];
	return writesFor.flatMap((name) =>
		properties[name] === undefined ? [] : `${name} ${toPlainText(properties[name]).toLowerCase()}`,
	);
}
