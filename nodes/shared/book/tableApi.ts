import { z } from 'zod';

import { bookRow, type BookRow, type ColumnName, type RowValues } from './columns';
import { BookProblem } from './problem';

/** A request to n8n's public API; the path is behind `/api/v1`, with its query. */
export interface ApiRequest {
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	readonly path: string;
	readonly body?: Readonly<Record<string, unknown>>;
}

/** What n8n answered. */
export interface ApiAnswer {
	readonly status: number;
	readonly body: unknown;
}

/**
 * Sends one request to n8n's public API and returns its answer, whatever the status is.
 *
 * @throws BookProblem if no answer came
 */
export type ApiSend = (request: ApiRequest) => Promise<ApiAnswer>;

/** What several runs ask together goes by the means of the first. */
export function sendOf([first]: readonly { readonly send: ApiSend }[]): ApiSend {
	if (first === undefined) throw new Error('nothing was asked');
	return first.send;
}

/** The column has this value. */
interface Condition {
	readonly columnName: ColumnName | 'id';
	readonly condition: 'eq';
	readonly value: string | number | boolean;
}

/** The rows of which one of these holds. n8n cannot mix `and` and `or`, and compares dates as texts on SQLite. */
export interface RowFilter {
	readonly type: 'or';
	readonly filters: readonly Condition[];
}

/** The rows with one of these values in a column. */
export const rowsWith = (
	columnName: Condition['columnName'],
	values: readonly Condition['value'][],
): RowFilter => ({
	type: 'or',
	filters: values.map((value) => ({ columnName, condition: 'eq', value })),
});

/** A query as n8n takes it, which refuses signs that most software leaves as they are. */
export const queryOf = (values: Readonly<Record<string, string>>): string =>
	`?${Object.entries(values)
		.map(([name, value]) => `${name}=${encodeAll(value)}`)
		.join('&')}`;

const encodeAll = (value: string): string =>
	encodeURIComponent(value).replace(
		/[!'()*]/g,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
	);

/** PostgreSQL stores no text with a NUL character, and one such row would fail those of others that go with it. */
const storable = (values: RowValues): RowValues =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			name,
			typeof value === 'string' ? value.replaceAll('\0', '') : value,
		]),
	);

/** How many rows n8n returns at a time at most. */
const PAGE = 250;

/** How many rows are read of one question at most, and how many pages, those included that are read again. */
const MAX_ROWS = 100_000;
const MAX_PAGES = 500;

const page = z.object({ data: z.array(bookRow), nextCursor: z.string().nullish() });

const inserted = z.array(z.object({ id: z.number() }));

/** The rows of one Data Table, by n8n's public API. Each method throws a {@link BookProblem} if n8n does not do it. */
export class TableApi {
	constructor(
		private readonly send: ApiSend,
		private readonly id: string,
	) {}

	/**
	 * All rows that the filter finds, in the order of their IDs. People take rows away at any time, and those behind them move
	 * up. So each page begins with the last row of the one before; if it does not, everything is read again.
	 *
	 * @throws BookProblem also if there are more than 100,000
	 */
	async rows(filter: RowFilter): Promise<BookRow[]> {
		let found: BookRow[] = [];
		for (let pages = 0; pages < MAX_PAGES && found.length <= MAX_ROWS; pages++) {
			const last = found.at(-1);
			const skip = Math.max(0, found.length - 1);
			const { data, nextCursor } = await this.page(filter, 'id:asc', skip, PAGE);
			if (last !== undefined && data[0]?.id !== last.id) {
				found = [];
				continue;
			}
			found.push(...(last === undefined ? data : data.slice(1)));
			if (data.length === 0 || nextCursor === null || nextCursor === undefined) return found;
		}
		throw new BookProblem(
			`The contact book has more than ${MAX_ROWS} rows for one question`,
			'Remove old contacts from the Data Table. Of rows with doNotContact, remove only those whose number another such row has.',
		);
	}

	/** Some of the rows that the filter finds, in this order. */
	async some(filter: RowFilter, sortBy: string, skip: number, count: number): Promise<BookRow[]> {
		return (await this.page(filter, sortBy, skip, count)).data;
	}

	/** Adds rows, and returns their IDs in the same order. Once this resolves, everybody who reads sees them. */
	async insert(rows: readonly RowValues[]): Promise<number[]> {
		const body = { data: rows.map(storable), returnType: 'id' };
		const answer = await this.ask({ method: 'POST', path: this.path(''), body });
		const read = inserted.safeParse(answer);
		if (read.data?.length !== rows.length) throw unexpected();
		return read.data.map(({ id }) => id);
	}

	/** Changes all rows that the filter finds in the same way. */
	async update(filter: RowFilter, data: RowValues): Promise<void> {
		await this.ask({
			method: 'PATCH',
			path: this.path('/update'),
			body: { filter, data: storable(data) },
		});
	}

	/** Takes away all rows that the filter finds. */
	async remove(filter: RowFilter): Promise<void> {
		const query = queryOf({ filter: JSON.stringify(filter) });
		await this.ask({ method: 'DELETE', path: this.path('/delete') + query });
	}

	private async page(filter: RowFilter, sortBy: string, offset: number, limit: number) {
		// n8n's cursor says nothing else.
		const cursor = Buffer.from(JSON.stringify({ limit, offset })).toString('base64');
		const query = queryOf({ filter: JSON.stringify(filter), sortBy, cursor });
		const answer = await this.ask({ method: 'GET', path: this.path('') + query });
		const read = page.safeParse(answer);
		if (!read.success) throw unexpected();
		return read.data;
	}

	private async ask(request: ApiRequest): Promise<unknown> {
		return await askApi(this.send, request);
	}

	private path(rest: string): string {
		return `/data-tables/${encodeURIComponent(this.id)}/rows${rest}`;
	}
}

/**
 * Sends one request and returns the body of a good answer.
 *
 * @throws BookProblem in the user's words if the answer is another one
 */
export async function askApi(send: ApiSend, request: ApiRequest): Promise<unknown> {
	const { status, body } = await send(request);
	if (status < 200 || status >= 300) throw problemOfAnswer(request, status, body);
	// n8n answers with its editor to a path that it does not know.
	if (typeof body === 'string') throw unexpected();
	return body;
}

const CHECK_ADDRESS =
	'Check the n8n URL of the credential: it is the address of n8n itself, e.g. http://localhost:5678.';

/** The problem of an answer that is not one of n8n's public API. */
export const unexpected = (): BookProblem =>
	new BookProblem("This address does not answer like n8n's public API", CHECK_ADDRESS);

/** What each request needs of the API key, as n8n names it. */
const SCOPES: readonly (readonly [ApiRequest['method'], RegExp, string])[] = [
	['GET', /^\/data-tables\?/, 'dataTable:list'],
	['POST', /^\/data-tables$/, 'dataTable:create'],
	['GET', /\/rows\?/, 'dataTableRow:read'],
	['POST', /\/rows$/, 'dataTableRow:create'],
	['PATCH', /\/rows\/update$/, 'dataTableRow:update'],
	['DELETE', /\/rows\/delete\?/, 'dataTableRow:delete'],
];

/** Found by every n8n that has Data Tables in its API. */
const LIST_OF_TABLES = /^\/data-tables(?:\?|$)/;

const message = z.object({ message: z.string() }).transform((body) => body.message);

function problemOfAnswer({ method, path }: ApiRequest, status: number, body: unknown): BookProblem {
	const said = message.safeParse(body).data ?? '';
	const told = said === '' ? '' : `: ${said}`;
	if (status === 401) {
		return new BookProblem(
			'n8n does not accept the API key of the contact book, or its public API is off',
			'It may have expired. Create a key under Settings > n8n API (Expiration: Never, or note the day; Scopes: Custom, the group Data tables), and enter it as n8n API Key in the credential. If there is no such page, the administrator of n8n has switched the API off.',
			status,
		);
	}
	if (status === 403) {
		const scope = SCOPES.find(([of, pattern]) => of === method && pattern.test(path))?.[2];
		return new BookProblem(
			`The API key of the contact book lacks the scope ${scope ?? 'for Data Tables'}, or its owner may not use the table`,
			'Create a key with this scope under Settings > n8n API.',
			status,
		);
	}
	if (status === 404 && LIST_OF_TABLES.test(path)) {
		return new BookProblem(
			"This address does not answer like n8n's public API with Data Tables",
			`${CHECK_ADDRESS} If it is, n8n must know Data Tables over its API: n8n 2.15 or later.`,
			status,
		);
	}
	if (status === 404) {
		return new BookProblem(
			`n8n does not find the Data Table of the contact book${told}`,
			'Check the Contact Book Table of the credential.',
			status,
		);
	}
	return new BookProblem(
		`n8n did not read or write the contact book (HTTP ${status})${told}`,
		status >= 500
			? "Look into n8n's log, then try again. If Data Tables are switched off in n8n, the contact book cannot be used."
			: 'Check the columns and the size of the Data Table, and test the credential.',
		status,
	);
}
