import { HOUR } from '../time/clock';
import type { ContactRules } from './contactRules';

/** A contact of a person, as the contact book tells it. */
export interface PastContact {
	/** In milliseconds since the epoch. */
	readonly at: number;
	/** `unknown` also while it is claimed. */
	readonly outcome: 'accepted' | 'unknown' | 'notMade';
	/** True while it is being made; also if n8n died in the middle. */
	readonly isClaimed: boolean;
	/** E.g. `call.place`, in lower case; empty if nobody knows. */
	readonly operation: string;
	/** The name of its list, in lower case; empty if it is of none. */
	readonly list: string;
	/** Whether a call reached the person; absent while nobody has said so. */
	readonly reached?: boolean;
	/** When the person wants to be called again, in milliseconds since the epoch; else `NaN`. */
	readonly callBackAt: number;
}

export type ListReason = 'reached' | 'resultOpen' | 'attemptsUsed' | 'callBack';

/** Where a person stands on a list. */
export interface Standing {
	/** Why the person is not contacted now. */
	readonly reason?: ListReason;
	/** When that ends, in milliseconds since the epoch; absent if it does not end by itself. */
	readonly until?: number;
	/** True if the person has asked to be called by now. */
	readonly isCallBackDue?: boolean;
}

/** Names are compared as they look, in any case: ß is SS, a final sigma a sigma. */
export const comparable = (name: string | null | undefined): string =>
	(name ?? '').normalize('NFKC').trim().toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');

/**
 * Says where a person stands on a list (rule 10): of the list's contacts, those by the same
 * operation are its attempts.
 *
 * @param contacts of the person, newest first
 * @param now in milliseconds since the epoch
 */
export function standingOf(
	contacts: readonly PastContact[],
	{ list, attempts, noResultAfter }: ContactRules,
	operation: string,
	now: number,
): Standing {
	const [listName, operationName] = [comparable(list), comparable(operation)];
	const ofList = contacts.filter((contact) => contact.list === listName);
	const attemptsMade = ofList.filter((contact) => isAttempt(contact, operationName));
	const openUntil = ({ at }: PastContact): number => at + noResultAfter * HOUR;
	const isOpen = (attempt: PastContact): boolean => !hasResult(attempt) && now < openUntil(attempt);
	const underWay = attemptsMade.find((attempt) => attempt.isClaimed && isOpen(attempt));
	const latest = underWay ?? attemptsMade[0];
	const areUsedUp = attemptsMade.length >= (attempts || 1);
	// Who was reached and asked for a call back is called back while there are attempts left.
	const isFinal = ({ reached, callBackAt }: PastContact): boolean =>
		reached === true && (Number.isNaN(callBackAt) || areUsedUp || !isCall(operationName));

	if (ofList.some(isFinal)) return { reason: 'reached' };
	if (attempts > 0 && latest && isOpen(latest)) {
		const until = openUntil(latest);
		return { reason: 'resultOpen', ...(until < Infinity && { until }) };
	}
	if (areUsedUp) return { reason: 'attemptsUsed' };
	const { callBackAt = NaN } = latest ?? {};
	if (now < callBackAt) return { reason: 'callBack', until: callBackAt };
	return { isCallBackDue: callBackAt <= now };
}

/** @param operation as {@link comparable} gives it */
export const isCall = (operation: string): boolean => operation.startsWith('call.');

/** *Place* and *Place and Wait* are one; a row that names no operation counts for every one. */
const isAttempt = (contact: PastContact, operation: string): boolean =>
	['', operation].includes(contact.operation) || (isCall(contact.operation) && isCall(operation));

const hasResult = ({ outcome, reached, callBackAt }: PastContact): boolean =>
	outcome === 'accepted' && (reached !== undefined || !Number.isNaN(callBackAt));
