import type { RowValues } from '../book/columns';
import { phoneOf, type Item, type Sendable } from '../items/item';
import { toPlainText } from '../values';
import { mayHaveBeenSent, type Accepted, type Outcome } from './outcome';

/** What the row of an item holds from its claim on, beside what all rows of its run hold. */
export const claimedValues = (item: Sendable): RowValues => ({
	phone: phoneOf(item),
	reference: item.person?.reference ?? null,
});

/** The IDs of the service that stand for a contact, as the outputs name them. */
const CONTACT_IDS = ['callId', 'messageId', 'campaignId'];

/**
 * What the row of an item holds in the end.
 *
 * @param sentAt when its last request was sent, in milliseconds since the epoch; `undefined` if none was
 * @param given what became of it in this try: an earlier one has a row of its own
 */
export function settledValues(item: Item, sentAt: number | undefined, given: Outcome): RowValues {
	if (sentAt === undefined || !mayHaveBeenSent(given)) return { outcome: 'notMade' };
	const contactedAt = new Date(sentAt).toISOString();
	if (given.kind !== 'accepted') return { outcome: 'unknown', contactedAt };
	const { body, via } = given;
	const properties = item.kind === 'sendable' ? item.properties : {};
	const [output] = [item.operation.simplify(body, { properties, via })].flat();
	const ids = CONTACT_IDS.map((name) => toPlainText(output?.[name]));
	const contactId = ids.find((id) => id !== '') ?? null;
	return { outcome: 'accepted', contactedAt, contactId };
}

/** The outcome of an item that was accepted if the book alone knows it: the service's answer is lost, but for its ID. */
export function recalledAnswer(item: Item, contactId: string | null): Accepted {
	const properties = item.kind === 'sendable' ? item.properties : {};
	const output = item.operation.simplify({}, { properties, via: 'main' });
	const names = [output].flat().flatMap(Object.keys);
	const idName = CONTACT_IDS.find((name) => names.includes(name));
	const recalled = names.map((name) => [name, name === idName ? contactId : null] as const);
	return { kind: 'accepted', body: {}, via: 'main', recalled: Object.fromEntries(recalled) };
}
