import { randomUUID } from 'node:crypto';
import { readTableFilter, type Body } from './requests';
import { newId, Table } from './table';
import { invalid, Refusal } from './values';

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
	isFull = false;
	readonly #keys = new Map<string, ReadonlySet<string>>();
	#tables: readonly Table[] = [];

	keyWith(scopes: readonly Scope[]): string {
		const key = randomUUID();
		this.#keys.set(key, new Set(scopes));
		return key;
	}

	/** @throws Refusal 401, also for every key of an n8n whose API is switched off */
	scopesOf(key: string | undefined): ReadonlySet<string> {
		if (!key) throw new Refusal(401, "'X-N8N-API-KEY' header required");
		const scopes = this.#keys.get(key);
		if (scopes === undefined) throw new Refusal(401, 'unauthorized');
		return scopes;
	}

	byId(id: string): Table {
		const found = this.#tables.find((table) => table.id === id);
		if (!found) throw new Refusal(404, `Could not find the data table: '${id}'`);
		return found;
	}

	find(name: string): Table | undefined {
		return this.#tables.find((table) => table.name === name);
	}

	create({ name, columns }: Body<'createTable'>): Table {
		if (this.find(name))
			throw new Refusal(409, `Data table with name '${name}' already exists in this project`);
		const table = new Table(
			name,
			columns.map((column) => ({ id: newId(), ...column })),
		);
		this.#tables = [...this.#tables, table];
		return table;
	}

	/** The tables that a filter means: the name is looked for inside of names, in any case. */
	list(query: URLSearchParams): object[] {
		const { id, name = '' } = readTableFilter(query);
		const isNamed = (table: Table) => table.name.toLowerCase().includes(name.toLowerCase());
		return this.#tables
			.filter((table) => (id === undefined || id === table.id) && isNamed(table))
			.map(asListed);
	}

	/** @throws Refusal 400 once the limit of n8n is reached, to inserts and updates */
	checkSize(): void {
		if (this.isFull) throw invalid('Data table size limit exceeded: 200MB used, limit is 200MB');
	}
}

/** In the list, columns have no order. */
export function asListed({ id, name, columns }: Table): object {
	const listed = [...columns].sort((one, other) => one.id.localeCompare(other.id));
	return { id, name, projectId: 'personalProject1', sizeBytes: 4096, columns: listed };
}
