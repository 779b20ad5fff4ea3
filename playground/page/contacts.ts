import type { BookRow } from '../../nodes/shared/book/columns';
import type { Seen, Wait } from './beside';
import { buttons, cut, shorten, type Row } from './row';

type State = Pick<Row, 'badge' | 'tone'>;

const TONES = new Map(
	Object.entries({ claimed: 'busy', accepted: 'good', unknown: 'bad' } as const),
);

/** What is to be said first of a contact: of its call, else the outcome as in the table. */
function stateOf(row: BookRow, ringing: ReadonlySet<string>): State {
	const { contactId, outcome, endedAt, doNotContact } = row;
	if (doNotContact) return { badge: 'Do not contact', tone: 'bad' };
	if (ringing.has(contactId ?? '')) return { badge: 'Rings', tone: 'busy' };
	if (!Number.isNaN(endedAt)) return { badge: 'Ended' };
	return { badge: cut(outcome ?? ''), tone: TONES.get(outcome ?? '') };
}

/** The newest rows of the contact book, and how many others there are. */
export function contactRows(seen: Seen | undefined, ringing: ReadonlySet<string>): Row[] {
	if (seen === undefined) return [{ id: 'none', title: 'n8n does not show its contact book now.' }];
	const waits = new Map(seen.waits.flatMap(({ id, rows }) => rows.map((row) => [row.id, id])));
	const shown = seen.newest.map((row): Row => {
		const { id, phone, contactedAt, operation, mode, reference, summary } = row;
		const redirected = mode === 'redirect' && 'redirected';
		const wait = waits.get(id);
		return {
			...{ id: String(id), title: cut(phone ?? ''), ...stateOf(row, ringing) },
			at: Number.isNaN(contactedAt) ? '' : new Date(contactedAt).toISOString(),
			quiet: [operation, redirected, reference, wait && `execution ${wait} waits`]
				.filter(Boolean)
				.join(', '),
			text: cut(summary ?? ''),
		};
	});
	const others = seen.count - shown.length;
	return others > 0 ? [...shown, { id: 'others', title: `and ${others} others` }] : shown;
}

/** An execution with the calls for which it waits; `rowOf` gives the row of a call that the service knows. */
export function waitRow(
	{ id, name, url, rows }: Wait,
	ringing: ReadonlySet<string>,
	rowOf: (callId: string) => Row | undefined,
): Row {
	const text = rows.length === 1 ? 'for 1 call' : `for ${rows.length} calls`;
	const callsRing = rows.some(({ contactId }) => ringing.has(contactId ?? ''));
	const label = `End all calls of execution ${id}`;
	const does = { tone: 'primary', does: 'endAllCalls', values: { id } } as const;
	const lost = { badge: 'Lost', tone: 'bad', quiet: 'The service no longer knows it.' } as const;
	return {
		...{ id: `execution ${id}`, title: name, badge: 'Waits', tone: 'wait' },
		...{ text, link: `Execution ${id}`, href: url },
		actions: buttons(callsRing && { text: 'End all calls', label, ...does }),
		rows: shorten(
			rows.map(
				({ id: key, phone, contactId }) =>
					() =>
						rowOf(contactId ?? '') ?? { id: String(key), title: phone ?? '', ...lost },
			),
		),
	};
}
