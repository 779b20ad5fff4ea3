import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { BookRow } from '../book/columns';
import { rowOutcome } from '../book/view';
import { isObject, toPlainText } from '../values';

/** Who waits, and where it can be resumed. */
export interface Waiting {
	/** Names the waiting run, the same over all tries of its execution. */
	readonly wait: string;
	readonly resumeUrl: string;
}

/** The default of Wait at Most, in hours. */
export const USUAL_WAIT = 24;

/** What the output of a call says that has not ended: `ended` is null while nobody knows. */
export const NOT_ENDED: IDataObject = {
	ended: null,
	endedAt: null,
	callStartTime: null,
	summary: null,
	variables: null,
};

/** Says whether the end of a call is waited for. */
export const isOpen = (row: BookRow): boolean =>
	rowOutcome(row) === 'accepted' && Number.isNaN(row.endedAt);

/** Lists the IDs of the calls that these items stand for. */
export const callIdsOf = (items: readonly INodeExecutionData[]): string[] =>
	items.map(({ json }) => toPlainText(json.callId)).filter((id) => id !== '');

/**
 * Says in the items of calls what their rows know.
 *
 * @param unended what `ended` is for those whose rows know nothing
 */
export function withEnds(
	items: readonly INodeExecutionData[],
	rows: readonly BookRow[],
	unended: false | null,
): INodeExecutionData[] {
	const ends = rows.filter(({ endedAt }) => !Number.isNaN(endedAt));
	const byId = new Map(ends.map((row) => [row.contactId, row]));
	return items.map((item) => {
		const { callId, ended } = item.json;
		if (ended !== null) return item;
		const id = toPlainText(callId);
		const row = id === '' ? undefined : byId.get(id);
		const end = row === undefined ? { ended: unended } : endOf(row);
		return { ...item, json: { ...item.json, ...end } };
	});
}

const endOf = ({ endedAt, callStartTime, summary, variables }: BookRow): IDataObject => ({
	ended: true,
	endedAt: new Date(endedAt).toISOString(),
	callStartTime: callStartTime ?? null,
	summary: summary ?? null,
	variables: parsed(variables),
});

/** People edit rows: variables that cannot be read are none. */
function parsed(variables: string | null | undefined): IDataObject | null {
	try {
		const value: unknown = JSON.parse(variables ?? '');
		return isObject(value) ? value : null;
	} catch {
		return null;
	}
}
