import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { openBookOf, type OpenedBook } from '../e2e/contactBook';
import { startPostgres, type Account, type Postgres } from '../queue/backends';
import { apiCredentialData } from '../setup';
import { veteranName, type Veteran } from './aged';
import { measureTable, middle, type Column, type Report } from './report';
import type { RunnerId } from './runners';
import type { Rig } from './rig';
import { call, newNumbers, singleCalls, type Active } from './workflows';

const ACCOUNT: Account = { user: 'bench', password: 'bench', database: 'n8n' };
const ROWS_AT_ONCE = 1_000;
/** As many as n8n keeps of a node. */
const MOST_MARKS = 21_000;
const AGES = [0, 5000, 50_000];
const CALLS = 200;
const APART_MS = 1000;
/** The node repeats its last marks within this time. */
const QUIET_AFTER_MS = 10_000;
const DAY_SECONDS = 86_400;

const COLUMNS: readonly Column<number>[] = [
	middle('log per call, KB', (bytes) => bytes / 1e3, 1),
	middle('a day at one call a second, GB', (bytes) => (bytes * DAY_SECONDS) / 1e9, 1),
];

const grown = (runner: RunnerId): Veteran[] => AGES.map((age) => ({ runner, age }));

export const startDatabase = async (): Promise<Postgres> => await startPostgres(ACCOUNT);

/** What n8n needs to use this database, and to hold so many rows. */
export const settingsOf = ({ port }: Postgres): Record<string, string> => ({
	N8N_PAYLOAD_SIZE_MAX: '64',
	N8N_DATA_TABLES_MAX_SIZE_BYTES: String(2 ** 30),
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(port),
	DB_POSTGRESDB_DATABASE: ACCOUNT.database,
	DB_POSTGRESDB_USER: ACCOUNT.user,
	DB_POSTGRESDB_PASSWORD: ACCOUNT.password,
});

/** Adds rows of contacts, of long ago unless said otherwise, as n8n takes them. */
export async function fill(
	{ data, table }: OpenedBook<Rig>,
	phones: string[],
	more: Readonly<Record<string, string>> = {},
): Promise<void> {
	const url = `${data.n8nUrl}/api/v1/data-tables/${table.id}/rows`;
	const headers = { 'X-N8N-API-KEY': data.n8nApiKey };
	while (phones.length > 0) {
		const rows = phones.splice(0, ROWS_AT_ONCE).map((phone) => ({
			...{ phone, contactId: phone, contactedAt: '2026-01-02T03:04:05.000Z' },
			...{ operation: 'call.place', outcome: 'accepted', mode: 'live', ...more },
		}));
		await axios.post(url, { data: rows, returnType: 'count' }, { headers, proxy: false });
	}
}

/** The write-ahead log that PostgreSQL writes for a call, while calls come one by one. */
export async function measureWal(rig: Rig, database: Postgres, isQuick: boolean): Promise<Report> {
	/** Gives what a call in steady sending has written. */
	const callInTurn = async (active: Active, calls: number): Promise<number> => {
		const before = await database.sql('checkpoint; select pg_current_wal_lsn()');
		const answers: Promise<number>[] = [];
		for (const to of newNumbers(calls)) {
			answers.push(call(active, to));
			await sleep(APART_MS);
		}
		await Promise.all(answers);
		await sleep(QUIET_AFTER_MS);
		const bytes = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '${before.split('\n').at(-1) ?? ''}')`;
		return Number(await database.sql(bytes)) / calls;
	};
	/** A node that has made so many calls: by its marks, or by the rows of a contact book of its own. */
	const grow = async ({ runner, age }: Veteran): Promise<Active> => {
		const world =
			runner === 'nodeBook' ? await openBookOf(rig, apiCredentialData(rig.service)) : undefined;
		if (world) await fill(world, newNumbers(age));
		const active = await singleCalls(world?.world ?? rig, runner, 'lastNode');
		await callInTurn(active, 1);
		const marks = `select jsonb_agg(encode(decode(md5(random()::text), 'hex'), 'base64')) from generate_series(1, ${Math.min(age, MOST_MARKS)})`;
		const value = `jsonb_set(value::jsonb, '{data}', (${marks}) || (value::jsonb->'data'))::text`;
		if (age > 0 && !world)
			await database.sql(
				`update processed_data set value = ${value} where "workflowId" = '${active.id}'`,
			);
		return active;
	};
	rig.service.prepare(null);
	// Its first analysis of a new database would be most of the log.
	await database.sql('alter system set autovacuum = off');
	await database.sql('select pg_reload_conf()');
	const calls = isQuick ? 10 : CALLS;
	const table = {
		title: `${calls} calls, one a second`,
		rounds: 1,
		runners: [...grown('httpRequest').slice(0, 1), ...grown('node'), ...grown('nodeBook')],
		...{ nameOf: veteranName, columns: COLUMNS },
		run: async (veteran: Veteran) => await callInTurn(await grow(veteran), calls),
	};
	return { targets: [], figures: (await measureTable(table)).figures };
}
