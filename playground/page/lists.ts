import { groupBy } from '../../nodes/shared/values';
import type { BookRow } from '../../nodes/shared/book/columns';
import { contactsIn } from '../../nodes/shared/book/view';
import { comparable } from '../../nodes/shared/rules/lists';
import type { Row } from './row';

type State = Pick<Row, 'badge' | 'tone' | 'at'>;

/** The people of each list of the contact book, with where they stand and how often they were called. */
export function listRows(ofLists: readonly BookRow[], ringing: ReadonlySet<string>): Row[] {
	const optedOut = new Set(ofLists.flatMap((row) => (row.doNotContact ? (row.phone ?? '') : [])));
	const rows = ofLists.filter(({ list }) => comparable(list) !== '');
	return Array.from(
		groupBy(rows, ({ list }) => comparable(list)),
		([id, ofList]): Row => {
			const people = Array.from(
				groupBy(ofList, ({ phone }) => phone ?? ''),
				([phone, rowsOfPhone]) => personRow(phone, rowsOfPhone, optedOut, ringing),
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
	phone: string,
	rows: readonly BookRow[],
	optedOut: ReadonlySet<string>,
	ringing: ReadonlySet<string>,
): Row {
	const all = contactsIn(rows, 'live', Date.now());
	const contacts = all.filter(({ outcome }) => outcome !== 'notMade');
	const calls = contacts.filter(({ operation }) => operation.startsWith('call.'));
	const [latest] = calls;
	const stateOf = (): State => {
		if (optedOut.has(phone)) return { badge: 'Do not contact', tone: 'bad' };
		if (latest && ringing.has(latest.contactId ?? '')) return { badge: 'Rings', tone: 'busy' };
		if (latest && !Number.isNaN(latest.callBackAt)) {
			const badge = latest.callBackAt > Date.now() ? 'Call back' : 'Call back due';
			return { badge, tone: 'wait', at: new Date(latest.callBackAt).toISOString() };
		}
		if (contacts.some(({ reached }) => reached)) return { badge: 'Reached', tone: 'good' };
		return { badge: latest?.reached === false ? 'Not reached' : 'No result' };
	};
	const messages = contacts.length - calls.length;
	return {
		...{ id: phone, title: phone, ...stateOf() },
		quiet: [
			`${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`,
			...(messages > 0 ? [`${messages} ${messages === 1 ? 'message' : 'messages'}`] : []),
		].join(', '),
	};
}
