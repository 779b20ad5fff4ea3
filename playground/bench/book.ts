import axios from 'axios';
import { openBookOf, type OpenedBook } from '../e2e/contactBook';
import { inParallel } from '../parallel';
import { post } from '../post';
import { apiCredentialData } from '../setup';
import { startPostgres, type Account, type Postgres } from '../queue/backends';
import { count } from './figures';
import type { Cost } from './nodes/probe';
import { middle, type Column, type Report } from './report';
import { measureTable, type Rig } from './rounds';
import { clock, nameOf, runnerNode, type RunnerId } from './runners';
import { behindWebhook, createTally, numbers } from './workflows';

/** So many calls, each an execution of its own at the same moment, or all of them as the list of one execution. */
type Scenario = readonly [
	kind: 'executions' | 'list',
	calls: number,
	latencyMs: number,
	rounds: number,
];

const SCENARIOS: readonly Scenario[] = [
	['executions', 1, 0, 15],
	['executions', 100, 0, 3],
	['list', 1_000, 0, 3],
	['list', 1_000, 100, 3],
	['list', 5_000, 0, 3],
	['list', 5_000, 100, 3],
];
/** How many rows the table has. */
const ROWS = [1_000, 20_000, 100_000];

const RUNNERS: readonly RunnerId[] = ['node', 'nodeBook'];
const ROWS_AT_ONCE = 1_000;

const COLUMNS: readonly Column<Cost>[] = [
	middle('time, ms', ({ milliseconds }) => milliseconds, 0),
	middle('longest freeze, ms', ({ freezeMilliseconds }) => freezeMilliseconds, 0),
	middle('processor, ms', ({ cpuMilliseconds }) => cpuMilliseconds, 0),
];

const ACCOUNT: Account = { user: 'bench', password: 'bench', database: 'n8n' };

/** What n8n needs to use this database, and to hold so many rows. */
export const settingsOf = (database: Postgres | undefined): Record<string, string> => ({
	N8N_PAYLOAD_SIZE_MAX: '64',
	N8N_DATA_TABLES_MAX_SIZE_BYTES: String(2 ** 30),
	...(database && {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(database.port),
		DB_POSTGRESDB_DATABASE: ACCOUNT.database,
		DB_POSTGRESDB_USER: ACCOUNT.user,
		DB_POSTGRESDB_PASSWORD: ACCOUNT.password,
	}),
});

export const startDatabase = async (): Promise<Postgres> => await startPostgres(ACCOUNT);

/** Adds rows of contacts of long ago, as n8n takes them. */
export async function fill(
	{ data, table }: OpenedBook<Rig>,
	phones: readonly string[],
): Promise<void> {
	const url = `${data.n8nUrl}/api/v1/data-tables/${table.id}/rows`;
	const headers = { 'X-N8N-API-KEY': data.n8nApiKey };
	for (let done = 0; done < phones.length; done += ROWS_AT_ONCE) {
		const rows = phones.slice(done, done + ROWS_AT_ONCE).map((phone) => ({
			...{ phone, contactId: phone, contactedAt: '2026-01-02T03:04:05.000Z' },
			...{ operation: 'call.place', outcome: 'accepted', mode: 'live' },
		}));
		await axios.post(url, { data: rows, returnType: 'count' }, { headers, proxy: false });
	}
}

/** Makes so many calls of people that nobody has called. */
type Calls = (kind: Scenario[0], people: string[]) => Promise<void>;

async function prepare(rig: Rig, runner: RunnerId): Promise<Calls> {
	const { client, service } = rig;
	const urlOf = async (...nodes: ReturnType<typeof clock>[]) =>
		(await behindWebhook(client, nameOf(runner), nodes, 'lastNode')).url;
	const single = await urlOf(runnerNode(runner, 1, rig, '={{ $json.body.to }}'));
	const list = await urlOf(clock('contacts'), runnerNode(runner, 1, rig, '={{ $json.to }}'));
	const send = async (url: string, body: object) => {
		const { status, data } = await post(url, body);
		if (status !== 200) throw new Error(`not called: ${JSON.stringify(data)}`);
	};
	return async (kind, people) => {
		if (kind === 'list') await send(list, { people, ...service.sender });
		else await inParallel(people, people.length, async (to) => send(single, { to }));
	};
}

/** What the contact book costs, beside no book. */
export async function measureBook(rig: Rig, isQuick: boolean): Promise<Report> {
	const tally = await createTally(rig.client);
	let known = 0;
	const somebodyNew = (length: number) => numbers(length, (known += length) - length);
	const figures: string[] = [];
	const without = await prepare(rig, 'node');
	for (const rows of isQuick ? ROWS.slice(0, 1) : ROWS) {
		const book = await openBookOf(rig, apiCredentialData(rig.service));
		await fill(book, somebodyNew(rows));
		const withBook = await prepare(book.world, 'nodeBook');
		for (const [kind, calls, latencyMs, rounds] of isQuick ? SCENARIOS.slice(0, 1) : SCENARIOS) {
			const measure = async (runner: RunnerId): Promise<Cost> => {
				const people = somebodyNew(calls);
				rig.service.prepare(null, latencyMs);
				await tally.begin();
				await (runner === 'nodeBook' ? withBook : without)(kind, people);
				return (await tally.end()).cost;
			};
			for (const runner of RUNNERS) await measure(runner);
			const table = {
				title: `${count(rows)} rows, ${kind} of ${count(calls)}, answered after ${latencyMs} ms: ${rounds} rounds`,
				...{ rounds, runners: RUNNERS, nameOf, columns: COLUMNS, run: measure },
			};
			figures.push((await measureTable(table)).figures);
		}
	}
	return { targets: [], figures: figures.join('\n\n') };
}
