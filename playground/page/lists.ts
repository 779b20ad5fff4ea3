import { groupBy } from '../../nodes/shared/values';
import type { BookRow } from '../../nodes/shared/book/columns';
import { contactsIn } from '../../nodes/shared/book/view';
import { rulesOf } from '../../nodes/shared/rules/contactRules';
import { comparable, isCall, standingOf, type ListReason } from '../../nodes/shared/rules/lists';
import { plural, type Row } from './row';

type State = Pick<Row, 'badge' | 'tone' | 'at'>;

/** As the example *Run a List* has them. */
const RULES = { attempts: 3, noResultAfter: 20 };

const STATES: Readonly<Record<ListReason, State>> = {
	reached: { badge: 'Reached', tone: 'good' },
	resultOpen: { badge: 'No result' },
	attemptsUsed: { badge: 'Attempts used up' },
	callBack: { badge: 'Call back', tone: 'wait' },
};

/** The people of each list of the contact book, with where they stand and how often they were called. */
export function listRows(ofLists: readonly BookRow[], ringing: ReadonlySet<string>): Row[] {
	const optedOut = new Set(ofLists.flatMap((row) => (row.doNotContact ? (row.phone ?? '') : [])));
	const rows = ofLists.filter(({ list }) => comparable(list) !== '');
	return Array.from(
		groupBy(rows, ({ list }) => comparable(list)),
		([id, ofList]): Row => {
			const people = Array.from(
				groupBy(ofList, ({ phone }) => phone ?? ''),
				([phone, rowsOfPhone]) => personRow(id, phone, rowsOfPhone, optedOut, ringing),
			);
			const counts = Array.from(
				groupBy(people, ({ badge }) => badge ?? ''),
				([badge, all]) => [all.length, badge.toLowerCase()].join(' '),
			);
			const title = ofList[0]?.list ?? id;
			return { id, title, text: counts.sort().join(', '), rows: people.sort(byTitle) };
		},
	);
}

const byTitle = (first: Row, second: Row): number => first.title.localeCompare(second.title);

function personRow(
	list: string,
	phone: string,
	rows: readonly BookRow[],
	optedOut: ReadonlySet<string>,
	ringing: ReadonlySet<string>,
): Row {
	const now = Date.now();
	const contacts = contactsIn(rows, 'live', now).filter(({ outcome }) => outcome !== 'notMade');
	const calls = contacts.filter(({ operation, isClaimed }) => isCall(operation) && !isClaimed);
	const isRinging = calls.some(({ contactId }) => ringing.has(contactId ?? ''));
	const messages = contacts.filter(({ operation }) => !isCall(operation)).length;
	const stateOf = (): State => {
		if (optedOut.has(phone)) return { badge: 'Do not contact', tone: 'bad' };
		const rules = rulesOf({ list, ...RULES });
		const { reason, until, isCallBackDue } = standingOf(contacts, rules, 'call.place', now);
		if (reason === 'resultOpen' && contacts[0]?.isClaimed)
			return { badge: 'Claimed', tone: 'wait' };
		if (reason === 'resultOpen' && isRinging) return { badge: 'Rings', tone: 'busy' };
		if (reason === 'callBack' && until)
			return { ...STATES.callBack, at: new Date(until).toISOString() };
		if (reason) return STATES[reason];
		if (isCallBackDue) return { badge: 'Call back due', tone: 'wait' };
		return { badge: calls.length > 0 ? 'Not reached' : 'Not called' };
	};
	const counts = [
		plural(calls.length, 'call'),
		...(messages > 0 ? [plural(messages, 'message')] : []),
		...(isRinging ? ['rings'] : []),
	];
	return { id: phone, title: phone, ...stateOf(), quiet: counts.join(', ') };
}
