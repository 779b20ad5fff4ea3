import type { Scope } from '../dataTables/tables';

/** A request, and what n8n 2.41 answers on SQLite. "<suffix>" and "<id of book>" are filled in. */
export interface ApiRequest {
	readonly title: string;
	/** Default: good. */
	readonly key?: 'good' | 'bad' | 'none' | { readonly without: readonly Scope[] };
	readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
	readonly path: string;
	readonly query?: Readonly<Record<string, unknown>>;
	/** As on the wire. */
	readonly rawQuery?: string;
	readonly body?: unknown;
	/** Under this name the ID of what was made is used later. */
	readonly remember?: string;
	readonly gives?: { readonly status: number; readonly data: unknown };
	/** In place of the answer: 200, and the IDs of the list. */
	readonly ids?: readonly unknown[];
}

export const TABLES = '/data-tables';
export const BOOK = `${TABLES}/<id of book>`;
export const ROWS = `${BOOK}/rows`;
export const UPDATE = `${ROWS}/update`;
export const NOWHERE = `${TABLES}/0000000000000000`;
export const NAME = 'Contact book (<suffix>)';

export const refused = (status: number, message: string) => ({ status, data: { message } });
export const invalid = (text: string) =>
	refused(400, `Validation error with data table request: ${text}`);
export const ENCODED = (name: string) =>
	refused(
		400,
		`Parameter '${name}' must be url encoded. Its value may not contain reserved characters.`,
	);
export const UNAUTHORIZED = refused(401, 'unauthorized');
export const FORBIDDEN = refused(403, 'Forbidden');
export const NO_TABLE = refused(404, "Could not find the data table: '0000000000000000'");
export const INTERNAL = refused(500, 'Internal server error');
export const COLUMN_NAME =
	'Only alphabetical characters and non-leading numbers and underscores are allowed for column names, and the maximum length is 63 characters.';
const ISO: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const TEXT: unknown = expect.any(String);

export const column = (name: string, type: string, index: number): object => ({
	...{ id: TEXT, name, type, index, createdAt: ISO, updatedAt: ISO },
});
export const COLUMNS = [
	column('phone', 'string', 0),
	column('contactedAt', 'date', 1),
	column('tries', 'number', 2),
	column('doNotContact', 'boolean', 3),
];
export const ofTable = (id: unknown) => (one: object) => ({ ...one, dataTableId: id });
export const inAnyOrder = (columns: object[]): unknown => expect.arrayContaining(columns);
export const table = (columns: unknown): object => ({
	...{ id: TEXT, name: NAME, projectId: TEXT, createdAt: ISO, updatedAt: ISO },
	...{ sizeBytes: expect.any(Number) as unknown, columns },
});
export const row = (id: number, values: object): object => ({
	...{ id, createdAt: ISO, updatedAt: ISO },
	...{ phone: null, contactedAt: null, tries: null, doNotContact: null, extra: null, ...values },
});
export const cursor = (limit: number, offset: number) =>
	Buffer.from(JSON.stringify({ limit, offset })).toString('base64');

type Entry = readonly [columnName: string, condition: string, value: unknown];
export const filter = (type: string, ...entries: Entry[]) => ({
	type,
	filters: entries.map(([columnName, condition, value]) => ({ columnName, condition, value })),
});

/** The row that is inserted first. */
export const FIRST = {
	phone: '+491',
	contactedAt: '2025-01-01T00:00:00.123Z',
	tries: 1.5,
	doNotContact: true,
};
