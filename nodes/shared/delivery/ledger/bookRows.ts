import { createFailure, type Failure } from '../../answer/failure';
import { ADVICE } from '../../answer/agentAdvice';
import type { RowValues } from '../../book/columns';
import { BookProblem } from '../../book/problem';
import { limitsContacts } from '../../outreach/contactRules';
import type { SentItem } from '../../request/planned';
import { toPlainText } from '../../values';
import { mayHaveBeenSent, type Accepted, type RunResult } from '../result';

/** The number of an item as the book writes it: `+` and digits; empty if the item reaches nobody, or nobody who is known. */
export const phoneOf = (item: SentItem | undefined): string => item?.contact?.toNumber ?? '';

/** True if the rules limit how often the person is contacted: no two items contact it at a time. */
export const isExclusive = (item: SentItem | undefined): boolean =>
	item?.contact !== undefined && limitsContacts(item.contact.rules);

/** What the row of an item holds from its claim on. */
export const claimedValues = (
	item: SentItem | undefined,
	itemName: string | undefined,
): RowValues => ({
	phone: phoneOf(item),
	claim: itemName ?? null,
	reference: item?.contact?.reference ?? null,
	resumeUrl: item?.options?.resumeUrl ?? null,
});

/** The IDs of the service that stand for a contact, as the outputs name them. */
const CONTACT_IDS = ['callId', 'messageId', 'campaignId'];

/**
 * What the row of an item holds in the end.
 *
 * @param sentAt when its last request was sent, in milliseconds since the epoch; `undefined` if none was
 * @param given what became of it in this try: an earlier one has a row of its own
 */
export function settledValues(
	item: SentItem | undefined,
	sentAt: number | undefined,
	given: RunResult,
): RowValues {
	if (sentAt === undefined || !mayHaveBeenSent(given)) return { outcome: 'notMade' };
	const contactedAt = new Date(sentAt).toISOString();
	if (item === undefined || !('accepted' in given) || !given.accepted)
		return { outcome: 'unknown', contactedAt };
	const { body, via } = given;
	const [output] = [item.operation.simplify(body, { properties: item.properties, via })].flat();
	const ids = CONTACT_IDS.map((name) => toPlainText(output?.[name]));
	const contactId = ids.find((id) => id !== '') ?? null;
	return { outcome: 'accepted', contactedAt, contactId };
}

/** What an item puts out that was accepted if the book alone knows it: the service's answer is lost, but for its ID. */
export function recalledAnswer(
	{ operation, properties }: SentItem,
	contactId: string | null,
): Accepted {
	const names = [operation.simplify({}, { properties, via: 'main' })].flat().flatMap(Object.keys);
	const idName = CONTACT_IDS.find((name) => names.includes(name));
	const recalled = names.map((name) => [name, name === idName ? contactId : null] as const);
	return { body: {}, via: 'main', recalled: Object.fromEntries(recalled) };
}

/** What such a failure begins with. */
export const NOT_SENT = 'Not sent. ';

/** The failure of an item that is not sent because the book cannot be read or written. */
export const bookFailure = ({ message, hint }: BookProblem): Failure =>
	createFailure({
		kind: 'stopped',
		outcome: 'notSent',
		message: NOT_SENT + message,
		hint,
		advice: ADVICE.stopped,
	});

/** The failure of all items while a row with `doNotContact` cannot be read. */
export const unreadableRow = (problem: string): Failure =>
	createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: `Do Not Contact in the contact book, ${problem}`,
		hint: 'Correct the phone number in this row of the Data Table. Only if it names nobody who has opted out, set its doNotContact to false. Until then nothing is sent, because nobody can say who must not be contacted.',
	});

/** The problem of a run that is over. */
export const OVER = new BookProblem('The run is over', '');

/** Nobody can claim a contact then, and each try would add a row. */
export const ROWS_GONE = new BookProblem(
	'Rows that were added to the contact book are gone when they are looked for',
	'If there is a cache or a proxy between n8n and the n8n URL of the credential, enter the address of n8n itself. If a workflow removes rows of the Data Table, let it keep those of the last hour.',
);
