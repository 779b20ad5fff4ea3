import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { BookRow } from '../book/columns';
import { isOfMessage, reachedBy, rowOutcome } from '../book/view';
import { isObject, toId } from '../values';

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
	reached: null,
	endedAt: null,
	callStartTime: null,
	summary: null,
	variables: null,
};

/** Says whether the end of a call is waited for: without its ID, no event can be told to be its. */
export const isGoingOn = (row: BookRow): boolean =>
	rowOutcome(row) === 'accepted' &&
	Number.isNaN(row.endedAt) &&
	toId(row.contactId) !== '' &&
	!isOfMessage(row);

/** Lists the IDs of the calls that these items stand for. */
export const callIdsOf = (items: readonly INodeExecutionData[]): string[] =>
	items.map(callIdOf).filter((id) => id !== '');

const callIdOf = ({ json }: INodeExecutionData): string => toId(json.callId);

/**
 * Says in the items of calls what their rows know; of several with one ID, the newest.
 *
 * @param unended what `ended` is for those whose rows know nothing; without an ID, it is null
 */
export function withEnds(
	items: readonly INodeExecutionData[],
	rows: readonly BookRow[],
	unended: false | null,
): INodeExecutionData[] {
	const ofCalls = rows.filter((row) => !isOfMessage(row));
	const byId = new Map(ofCalls.map((row) => [toId(row.contactId), row]));
	return items.map((item) => {
		const id = callIdOf(item);
		if (item.json.ended !== null || id === '') return item;
		const row = byId.get(id);
		const end = row && !Number.isNaN(row.endedAt) ? endOf(row) : { ended: unended };
		return { ...item, json: { ...item.json, ...end } };
	});
}

const endOf = (row: BookRow): IDataObject => ({
	ended: true,
	reached: reachedBy(row) ?? null,
	endedAt: new Date(row.endedAt).toISOString(),
	callStartTime: row.callStartTime ?? null,
	summary: row.summary ?? null,
	variables: parsed(row.variables),
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
