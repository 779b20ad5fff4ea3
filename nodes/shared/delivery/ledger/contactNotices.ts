import { joinTexts, listFirst } from '../../values';
import { KEPT_CONTACTS } from './people';

const NO_CONTACTS =
	'The contact book has no contacts yet: whoever was contacted by another node, or with another contact book, is not held back.';

const NO_LIMITS =
	'Without Not Again Within or At Most Contacts, the contact book only writes down contacts and holds back opt-outs.';

/** @param book which the node has used before, e.g. "a contact book" */
export const describeFormerBook = (book: string): string =>
	`This node has used ${book}, which is off now: whom only the book knows is not held back, opted-out people neither. Of its contacts and opt-outs, the node knows those that it has met itself, until n8n is restarted. Whom it contacts now, the book does not know. To do without it for good, use a copy of this node.`;

export const TOO_MANY_CONTACTS = `This node has contacted more than ${KEPT_CONTACTS} people within "Not Again Within". After a restart of n8n it knows the last ${KEPT_CONTACTS} only.`;

/** Of a run that only checks. */
export const SINCE_RESTART =
	'Not Again Within is checked by the contacts since n8n was started: in Live, it may hold back more.';

/** What there is to say of the contact book after a run. */
interface BookState {
	/** True if there are items to send, and the rules of none limit how often somebody is contacted. */
	readonly isUnlimited: boolean;
	/** True if it has no contacts. */
	readonly isEmpty: boolean;
	/** How many rows could not be completed. */
	readonly unwritten: number;
}

/** What the user should know of the contact book after a run, in sentences; empty if there is nothing. */
export function describeBook({ isUnlimited, isEmpty, unwritten }: BookState): string {
	const contacts = unwritten === 1 ? 'contact' : 'contacts';
	return joinTexts([
		isUnlimited ? NO_LIMITS : '',
		isEmpty ? NO_CONTACTS : '',
		unwritten > 0
			? `What became of ${unwritten} ${contacts} could not be written into the contact book. They stay there as "claimed", and count as contacts.`
			: '',
	]);
}

/**
 * How many people are held back by what the user may not expect; empty if nobody is.
 *
 * @param people how many
 * @param by what holds them back, e.g. "contacts that this node has made without the contact book"
 */
export const describeHeldBack = (people: number, by: string): string =>
	people === 0 ? '' : `${people} of these ${people === 1 ? 'is' : 'are'} held back by ${by}.`;

/**
 * What the user should know of people who are held back by contacts that only n8n's store knows: after a crash, the claims of
 * those whose turn was next are among them. Empty if nobody is.
 */
export function describeFromStore(people: number): string {
	if (people === 0) return '';
	const by = 'contacts that another process of n8n has made, or this one before its last start';
	return `${describeHeldBack(people, by)} If it was killed in the middle of a list (Ctrl-C, a crash), not all of these were reached: look them up at the service, and send whoever was not by a copy of this node.`;
}

/** How many outcomes are named, and how much of each. */
const MOST_NAMED = 3;
const MOST_SHOWN = 40;

/** What the user should know of outcomes that may be meant as `notMade`; empty if there are none. */
export function describeDoubtful(outcomes: readonly string[]): string {
	if (outcomes.length === 0) return '';
	const shown = outcomes.map((text) => `"${text.replaceAll(/\s+/g, ' ').slice(0, MOST_SHOWN)}"`);
	const names = listFirst(shown, MOST_NAMED);
	const count =
		outcomes.length === 1 ? `the outcome ${names} counts` : `the outcomes ${names} count`;
	return `In the contact book, ${count} as "accepted". If that is not meant, filter the table by "outcome", and change it to "notMade".`;
}
