import type { RowValues } from '../book/columns';
import { isSendable, type Item } from '../items/item';
import { toPlainText } from '../values';
import { maybeSentBeforeCrash, NOTHING, type Earlier, type Entry } from './entry';
import type { EarlierRow } from './identify';
import { mayHaveBeenSent, type Accepted } from './outcome';

/** The IDs of the service that stand for a contact, as the outputs name them. */
const CONTACT_IDS = ['callId', 'messageId', 'campaignId'];

/** Gives what the row of an item holds in the end, by what became of it in this try. */
export function settledValues({ item, outcome, sentAt }: Entry): RowValues {
	if (outcome === undefined || sentAt === undefined || !mayHaveBeenSent(outcome))
		return { outcome: 'notMade' };
	const contactedAt = new Date(sentAt).toISOString();
	if (outcome.kind !== 'accepted') return { outcome: 'unknown', contactedAt };
	const { body, via } = outcome;
	const properties = isSendable(item) ? item.properties : {};
	const [output] = [item.operation.simplify(body, { properties, via })].flat();
	const ids = CONTACT_IDS.map((name) => toPlainText(output?.[name]));
	const contactId = ids.find((id) => id !== '') ?? null;
	return { outcome: 'accepted', contactedAt, contactId };
}

/** Reads what the row of an earlier try says of an item. */
export function earlierByRow(
	item: Item,
	row: Pick<EarlierRow, 'outcome' | 'contactId'> | undefined,
): Earlier {
	if (row === undefined) return NOTHING;
	return row.outcome === 'accepted' ? recalledAnswer(item, row.contactId) : maybeSentBeforeCrash();
}

/** Gives the outcome of an accepted item that only the book knows: of its answer, an ID is left. */
function recalledAnswer(item: Item, contactId: string | null): Accepted {
	const properties = isSendable(item) ? item.properties : {};
	const output = item.operation.simplify({}, { properties, via: 'main' });
	const names = [output].flat().flatMap(Object.keys);
	const idName = CONTACT_IDS.find((name) => names.includes(name));
	const columns = names.map((name) => [name, name === idName ? contactId : null] as const);
	return { kind: 'accepted', body: {}, via: 'main', recalled: Object.fromEntries(columns) };
}
