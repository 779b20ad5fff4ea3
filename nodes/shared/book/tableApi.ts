import { z } from 'zod';

import { readRetryAfter, type ServiceResponse } from '../answer/answer';
import type { BookCredential } from '../service/credential';
import { bookRow, type BookRow, type ColumnName, type RowValues } from './columns';
import { BookProblem } from './bookProblem';

/** A request to n8n's public API; the path is behind `/api/v1`, with its query. */
export interface ApiRequest {
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	readonly path: string;
	readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * Sends a request to n8n's API; gives answers of any status. Waits for n8n's limit until then, in
 * milliseconds since the epoch. @throws BookProblem if none came
 */
export type ApiSend = (request: ApiRequest, until?: number) => Promise<ServiceResponse>;

/** How a run reaches the contact book of its credential. */
export interface BookAccess extends BookCredential {
	readonly send: ApiSend;
}

export interface Asking {
	readonly send: ApiSend;
	readonly until?: number;
}

/** Gives the `send` of the first of those who ask together, with the longest wait of all. */
export function sendOf(askers: readonly Asking[]): ApiSend {
	const { send } = askers[0] ?? {};
	if (send === undefined) throw new Error('nothing was asked');
	const latest = Math.max(...askers.map(({ until = Infinity }) => until));
	return async (request, until = latest) => await send(request, until);
}

/** The column has this value, or another one (`neq`); null: it is empty. */
interface Condition {
	readonly columnName: string;
	readonly condition: 'eq' | 'neq';
	readonly value: string | number | boolean | null;
}

/** Rows with one or all of these. n8n cannot mix both; on SQLite, it compares dates as texts. */
export interface RowFilter {
	readonly type: 'or' | 'and';
	readonly filters: readonly Condition[];
}

const equal = (columnName: string, value: Condition['value']): Condition => ({
	columnName,
	condition: 'eq',
	value,
});

/** Selects the rows with one of these values in a column. */
export const rowsWith = (
	columnName: ColumnName | 'id',
	values: readonly Condition['value'][],
): RowFilter => ({
	type: 'or',
	filters: values.map((value) => equal(columnName, value)),
});

/** Selects the rows with all of these values, and with something in the other columns. */
export const rowsLike = (values: RowValues, ...filled: readonly ColumnName[]): RowFilter => ({
	type: 'and',
	filters: [
		...Object.entries(values).map(([columnName, value]) => equal(columnName, value)),
		...filled.map((columnName): Condition => ({ columnName, condition: 'neq', value: null })),
	],
});

/** Writes a query as n8n takes it, which refuses signs that most software leaves as they are. */
export const queryOf = (values: Readonly<Record<string, string>>): string =>
	`?${Object.entries(values)
		.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/[!'()*]/g, encodeSign)}`)
		.join('&')}`;

const encodeSign = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/** PostgreSQL stores no text with NUL, and one such row would fail those of others beside it. */
const storable = (values: RowValues): RowValues =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			name,
			typeof value === 'string' ? value.replaceAll('\0', '') : value,
		]),
	);

/** How many rows n8n returns at once at most, and how many such pages one question reads. */
const PAGE = 250;
const MAX_PAGES = 400;

const page = z.object({ data: z.array(bookRow), nextCursor: z.string().nullish() });

/** The rows of a Data Table, by n8n's API. Each method throws {@link BookProblem} if that fails. */
export class TableApi {
	private readonly path: string;

	constructor(
		private readonly send: ApiSend,
		id: string,
	) {
		this.path = `/data-tables/${encodeURIComponent(id)}/rows`;
	}

	/**
	 * Reads all rows that the filter finds, ordered by ID. Rows go at any time, and later ones move
	 * up. So each page begins with the last row of the one before; else everything is read again.
	 */
	async rows(filter: RowFilter): Promise<BookRow[]> {
		let rows: BookRow[] = [];
		for (let pages = 0; pages < MAX_PAGES; pages++) {
			const last = rows.at(-1);
			const skip = Math.max(0, rows.length - 1);
			const { data, nextCursor } = await this.page(filter, 'id:asc', skip, PAGE);
			if (last !== undefined && data[0]?.id !== last.id) {
				rows = [];
				continue;
			}
			rows.push(...(last === undefined ? data : data.slice(1)));
			// n8n counts the rows after it has read them, and some may be gone by then.
			if (data.length < PAGE && !nextCursor) return rows;
		}
		throw new BookProblem(
			`The contact book has more than ${MAX_PAGES * PAGE} rows to look up at once`,
			'Remove old rows from the Data Table. Keep one row with "doNotContact" for each number that has one.',
		);
	}

	/** Reads some of the rows that the filter finds, in this order. */
	async some(filter: RowFilter, sortBy: string, skip: number, count: number): Promise<BookRow[]> {
		return (await this.page(filter, sortBy, skip, count)).data;
	}

	/** Adds rows: all or none. Once this resolves, everybody who reads sees them. */
	async insert(rows: readonly RowValues[]): Promise<void> {
		const body = { data: rows.map(storable), returnType: 'count' };
		await askApi(this.send, { method: 'POST', path: this.path, body });
	}

	/** Changes all rows that the filter finds in the same way, when n8n lets it until then. */
	async update(filter: RowFilter, data: RowValues, until?: number): Promise<void> {
		const body = { filter, data: storable(data) };
		await askApi(this.send, { method: 'PATCH', path: `${this.path}/update`, body }, until);
	}

	/** Takes away all rows that the filter finds, and returns them as they were then. */
	async remove(filter: RowFilter): Promise<BookRow[]> {
		const query = queryOf({ filter: JSON.stringify(filter), returnData: 'true' });
		const path = `${this.path}/delete${query}`;
		return readAs(page.shape.data, await askApi(this.send, { method: 'DELETE', path }));
	}

	private async page(filter: RowFilter, sortBy: string, offset: number, limit: number) {
		// n8n's cursor says nothing else.
		const cursor = Buffer.from(JSON.stringify({ limit, offset })).toString('base64');
		const query = queryOf({ filter: JSON.stringify(filter), sortBy, cursor });
		return readAs(page, await askApi(this.send, { method: 'GET', path: this.path + query }));
	}
}

/** Sends a request, returns a good answer's body. @throws BookProblem in users' words otherwise */
export async function askApi(send: ApiSend, request: ApiRequest, until?: number): Promise<unknown> {
	const answer = await send(request, until);
	const { status, body } = answer;
	if (status < 200 || status >= 300) throw problemOfAnswer(request, answer);
	// n8n answers with its editor to a path that it does not know.
	if (typeof body === 'string') throw unexpectedAnswer();
	return body;
}

const CHECK_ADDRESS =
	'Check "n8n URL" in the credential: it is the address of n8n itself, e.g. http://localhost:5678.';

/** Makes the problem of an answer that is not one of n8n's public API. */
const unexpectedAnswer = (): BookProblem =>
	new BookProblem("This address does not answer like n8n's public API", CHECK_ADDRESS);

/** Reads the body of an answer. @throws BookProblem if it is not n8n's */
export function readAs<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, body: unknown): T {
	const { data } = schema.safeParse(body);
	if (data === undefined) throw unexpectedAnswer();
	return data;
}

/** What requests for rows need of the API key, as n8n names it. */
const SCOPES = { GET: 'read', POST: 'create', PATCH: 'update', DELETE: 'delete' } as const;

const message = z.object({ message: z.string() }).transform((body) => body.message);

function problemOfAnswer({ method, path }: ApiRequest, answer: ServiceResponse): BookProblem {
	const { status, body, retryAfter } = answer;
	const said = message.safeParse(body).data ?? '';
	const reason = said === '' ? '' : `: ${said}`;
	const isOfRows = path.includes('/rows');
	const ofTables = `dataTable:${method === 'GET' ? 'list' : 'create'}`;
	const scope = isOfRows ? `dataTableRow:${SCOPES[method]}` : ofTables;
	const problem = (what: string, hint: string): BookProblem => new BookProblem(what, hint, status);
	if (status === 401)
		return problem(
			'n8n does not accept the API key of the contact book, or its public API is off',
			'Under Settings > n8n API, create a key with the scopes of Data tables. Enter it as "n8n API Key" in the credential. If there is no such page, ask the administrator of n8n to turn on the API.',
		);
	if (status === 403)
		return problem(
			`The API key of the contact book lacks the scope ${scope}, or its owner may not use the table`,
			'Create a key with this scope under Settings > n8n API. Enter it as "n8n API Key" in the credential.',
		);
	const wait = readRetryAfter(retryAfter) ?? 0;
	const time = `${new Date(Date.now() + wait).toISOString()}, in ${Math.ceil(wait / 1_000)} s`;
	if (status === 429)
		return problem(
			'n8n limits the requests with the API key of the contact book',
			`n8n wants to be asked again at ${time}. Try again then, or raise the limit of n8n's API.`,
		);
	if (status === 404 && !isOfRows)
		return problem(
			"This address does not answer like n8n's public API with Data Tables",
			`${CHECK_ADDRESS} If it is, update n8n to 2.15 or later.`,
		);
	if (/size limit exceeded/i.test(said))
		return problem(
			`The Data Tables of n8n are full${reason}`,
			'Remove old rows from the contact book. Keep rows with "doNotContact", of running lists, of executions to retry, and that "Not Again Within" and "At Most Days" still count.',
		);
	return problem(
		`n8n did not read or write the contact book (HTTP ${status})${reason}`,
		status >= 500
			? "Look into n8n's log, then try again. Data Tables may be switched off in n8n."
			: 'Check the Data Table and its columns, and test the credential.',
	);
}
