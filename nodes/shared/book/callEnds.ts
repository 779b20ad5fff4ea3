import { comparable, isCall } from '../rules/lists';
import { queueOf } from '../time/queue';
import { isBlank, toPlainText } from '../values';
import { BookProblem, withRetries } from './bookProblem';
import type { BookRow, RowValues } from './columns';
import { addOptOut } from './optOuts';
import { rowsLike, rowsWith, TableApi, type ApiSend } from './tableApi';
import { isOfMessage, reachedBy } from './view';

/** How many requests about ended calls n8n gets at a time, and how many of a kind may wait. */
const AT_ONCE = 4;
const MOST_WAITING = 2_000;

const RESULT = ['reached', 'callBackAt'] as const;
const END_COLUMNS = ['endedAt', 'summary', 'callStartTime', 'variables', ...RESULT] as const;

/** What an event says of the end of a call; null where it says nothing. */
export type CallEnd = Readonly<Record<(typeof END_COLUMNS)[number], string | null>>;

/** Tells why something of an ended call is not in its row. */
export type Warn = (what: 'end' | 'opt-out' | 'result') => (error: unknown) => undefined;

/**
 * What the contact book does when calls end. Many end at once, and n8n answers these requests
 * beside the events: all together would time out. A request that fails throws {@link BookProblem}.
 */
export class CallEnds {
	private readonly inTurn = queueOf(AT_ONCE, MOST_WAITING);

	/** One at a time, so that two calls of a person add one row. */
	private readonly oneByOne = queueOf(1, MOST_WAITING);

	constructor(private readonly tableId: string) {}

	/**
	 * Writes the end of a call into its row: of those with this ID of the service the newest without
	 * an end, else the newest. What the row has stays, but yes takes the place of no. Only a call has
	 * a result, if all rows are of one person.
	 *
	 * @param isRepeat true for an event that came before: it is of the newest, which that has ended
	 * @param warn is told what could not be written, and why: a full table can still be read
	 * @returns the row as it was before, if there is one
	 */
	async complete(
		send: ApiSend,
		contactId: string,
		end: CallEnd,
		isRepeat: boolean,
		warn: Warn,
	): Promise<BookRow | undefined> {
		return await this.ask(send, async (table) => {
			const withId = await withRetries(() => table.rows(rowsWith('contactId', [contactId])));
			const rows = withId.filter((row) => !isOfMessage(row));
			const open = isRepeat ? [] : rows.filter(({ endedAt }) => Number.isNaN(endedAt));
			const row = open.at(-1) ?? rows.at(-1);
			if (row === undefined) return undefined;
			const { id, claim, operation } = row;
			const isOfCall = isCall(comparable(operation));
			const isOfOnePerson = new Set(rows.map(({ phone }) => toPlainText(phone))).size === 1;
			const said = isOfCall && isOfOnePerson ? end : { ...end, reached: null, callBackAt: null };
			if (isOfCall && !isOfOnePerson && RESULT.some((name) => end[name] !== null))
				warn('result')(SEVERAL_PEOPLE);
			const news = END_COLUMNS.filter((name) => isNews(name, said[name], row));
			const values = Object.fromEntries(news.map((name) => [name, said[name]]));
			// Rows with one claim are one contact.
			const ofContact = claim ? rowsLike({ contactId, claim }) : rowsWith('id', [id]);
			const { reached, ...endValues } = values;
			// Another row of the contact, or another process in between, may say yes.
			const { filters } = rowsLike({ reached: row.reached ?? null });
			const unchanged = { type: 'and', filters: [...ofContact.filters, ...filters] } as const;
			const sure = reached === 'no' ? endValues : values;
			const update = async (): Promise<void> => {
				if (Object.keys(sure).length > 0) await table.update(ofContact, sure);
				if (reached === 'no') await table.update(unchanged, { reached });
			};
			await withRetries(update).catch(warn('end'));
			return row;
		});
	}

	/** Returns a call that a run waits for and that has not ended, if there is one. */
	async findOpen(send: ApiSend, wait: string): Promise<BookRow | undefined> {
		const open = rowsLike({ wait, outcome: 'accepted', endedAt: null }, 'contactId');
		return (await this.ask(send, async (table) => await table.some(open, 'id:asc', 0, 1))).at(0);
	}

	/** Adds a row that holds back its number, with `+`, unless there is one. */
	async optOut(send: ApiSend, row: RowValues): Promise<void> {
		const add = async () => addOptOut(new TableApi(send, this.tableId), row);
		await this.oneByOne(async () => withRetries(add));
	}

	private async ask<T>(send: ApiSend, work: (table: TableApi) => Promise<T>): Promise<T> {
		return await this.inTurn(async () => await work(new TableApi(send, this.tableId)));
	}
}

const SEVERAL_PEOPLE = new BookProblem(
	'Rows of several people have this ID',
	'Enter "reached" and "callBackAt" by hand.',
);

/** Says whether the row lacks a value. Nothing replaces yes. */
function isNews(name: keyof CallEnd, value: string | null, row: BookRow): boolean {
	if (value === null || value === row[name]) return false;
	if (name !== 'reached') return isEmpty(row[name]);
	return reachedBy(row) === undefined || (reachedBy(row) === false && value === 'yes');
}

/** True also for no moment, and for no variables. */
const isEmpty = (value: string | number | null | undefined): boolean =>
	isBlank(value) || Number.isNaN(value) || value === '{}';
