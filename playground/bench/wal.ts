import { setTimeout as sleep } from 'node:timers/promises';
import { openBookOf } from '../e2e/contactBook';
import { post } from '../post';
import type { Postgres } from '../queue/backends';
import { apiCredentialData } from '../setup';
import { nameOf, type Veteran } from './aged';
import { fill } from './book';
import { middle, type Column, type Report } from './report';
import { measureTable, type Rig } from './rounds';
import type { RunnerId } from './runners';
import { numbers, singleCalls, type Active } from './workflows';

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

/** The write-ahead log that PostgreSQL writes for a call, while calls come one by one. */
export async function measureWal(rig: Rig, database: Postgres, isQuick: boolean): Promise<Report> {
	let called = 0;
	const newNumbers = (length: number) => numbers(length, (called += length) - length);
	/** Gives what a call in steady sending has written. */
	const callInTurn = async ({ url }: Active, calls: number): Promise<number> => {
		const before = await database.sql('checkpoint; select pg_current_wal_lsn()');
		const answers: Promise<void>[] = [];
		for (const to of newNumbers(calls)) {
			const call = async () => {
				const { status, data } = await post(url, { to });
				if (status !== 200) throw new Error(`not called: ${JSON.stringify(data)}`);
			};
			answers.push(call());
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
	const { figures } = await measureTable<Veteran, number>({
		title: `${calls} calls, one a second`,
		rounds: 1,
		runners: [{ runner: 'httpRequest', age: 0 }, ...grown('node'), ...grown('nodeBook')],
		...{ nameOf, columns: COLUMNS },
		run: async (veteran) => await callInTurn(await grow(veteran), calls),
	});
	return { targets: [], figures };
}
