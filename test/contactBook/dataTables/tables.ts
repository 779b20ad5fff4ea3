import { randomUUID } from 'node:crypto';
import { readTableFilter } from './requests';
import { Table } from './table';
import { Refusal, type Types } from './values';

/** The scopes that a key needs for everything that this server does. */
export const SCOPES = [
	'dataTable:list',
	'dataTable:create',
	'dataTableRow:read',
	'dataTableRow:create',
	'dataTableRow:update',
	'dataTableRow:delete',
] as const;

export type Scope = (typeof SCOPES)[number];

export class Tables {
	readonly #keys = new Map<string, ReadonlySet<string>>();
	readonly #tables: Table[] = [];

	/** Makes a key with all scopes but these. */
	keyWithout(...missing: readonly Scope[]): string {
		const key = randomUUID();
		this.#keys.set(key, new Set(SCOPES.filter((scope) => !missing.includes(scope))));
		return key;
	}

	/** @throws Refusal 401, also for every key of an n8n whose API is switched off */
	scopesOf(key: string | undefined): ReadonlySet<string> {
		if (!key) throw new Refusal(401, "'X-N8N-API-KEY' header required");
		const scopes = this.#keys.get(key);
		if (scopes === undefined) throw new Refusal(401, 'unauthorized');
		return scopes;
	}

	byId(id = ''): Table {
		const table = this.#tables.find((one) => one.id === id);
		if (!table) throw new Refusal(404, `Could not find the data table: '${id}'`);
		return table;
	}

	find(name: string): Table | undefined {
		return this.#tables.find((table) => table.name === name);
	}

	create(name: string, types: Types): Table {
		if (this.find(name))
			throw new Refusal(409, `Data table with name '${name}' already exists in this project`);
		const table = new Table(name, types);
		this.#tables.push(table);
		return table;
	}

	/** The tables that a filter means: the name is looked for inside of names, in any case. */
	list(query: URLSearchParams): object[] {
		const { id, name = '' } = readTableFilter(query);
		return this.#tables
			.filter((table) => id === undefined || id === table.id)
			.filter((table) => table.name.toLowerCase().includes(name.toLowerCase()))
			.map(({ listed }) => listed);
	}
}
