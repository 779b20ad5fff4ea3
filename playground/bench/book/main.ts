// What the contact book costs: `npx tsx playground/bench/book/main.ts`, after `npm run build`; with PostgreSQL: `DATABASE=postgres`.
import axios from 'axios';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { startSimulator } from '../../../test/simulator/simulator';
import { activateCalls, activateSingleCalls } from '../../e2e/calls';
import { openBook, type OpenedBook } from '../../e2e/contactBook';
import type { World } from '../../e2e/world';
import { startN8n } from '../../n8n';
import { inParallel } from '../../parallel';
import { freePort } from '../../processes';
import { N8nClient } from '../../rest';
import type { WorkflowDraft } from '../../restTypes';
import { startPostgres, type Postgres } from '../../queue/backends';
import { OWNER, saveCredentials } from '../../setup';
import { nodeOf } from '../../workflows';
import { show, spreadOf } from '../figures';

const FOLDER = path.join(__dirname, '..', '..', '.state', 'bench-book');
const ONCE_A_DAY = { contactRules: { notAgainWithin: 24 } };
const numbers = (name: string, otherwise: number[]): number[] =>
	process.env[name]?.split(',').filter(Boolean).map(Number) ?? otherwise;
const ROWS = numbers('ROWS', [1_000, 20_000, 100_000]);
const LISTS = numbers('LISTS', [1_000, 5_000]);
const LATENCIES = numbers('LATENCIES', [0, 100]);
const AT_ONCE = numbers('AT_ONCE', [100]);
const [SINGLES = 15, ROUNDS = 3] = numbers('ROUNDS', []);

interface Cost {
	milliseconds: number;
	/** The longest time for which n8n did nothing else. */
	silence: number;
	processor: number;
}

interface Person {
	phone: string;
}

/** Nobody is called twice. */
let last = 5_550_000_000;
const people = (count: number): Person[] =>
	Array.from({ length: count }, () => ({ phone: `+1${++last}` }));

/** The answer comes when the execution has ended. */
function answerAtEnd(draft: WorkflowDraft): WorkflowDraft {
	Object.assign(nodeOf(draft, 'Webhook').parameters, {
		responseMode: 'lastNode',
		responseData: 'noData',
	});
	return draft;
}

class Bench {
	constructor(
		private readonly world: World,
		private readonly probeUrl: string,
	) {}

	/** Work that does the same with and without the book, by turns. */
	async compare(
		title: string,
		rounds: number,
		ways: Readonly<Record<string, () => Promise<void>>>,
	): Promise<void> {
		const costs = new Map<string, Cost[]>(Object.keys(ways).map((name) => [name, []]));
		for (let round = 0; round <= rounds; round++) {
			for (const [name, work] of Object.entries(ways)) {
				const cost = await this.measure(work);
				// The first one is to warm up.
				if (round > 0) costs.get(name)?.push(cost);
			}
		}
		for (const [name, of] of costs) {
			const say = (key: keyof Cost) =>
				show(spreadOf(of.map((one) => one[key])) ?? { median: NaN, min: NaN, max: NaN }, 0);
			console.log(
				`${title} | ${name} | ${say('milliseconds')} ms | silence ${say('silence')} ms | processor ${say('processor')} ms`,
			);
		}
	}

	/** Calls so many people, each by an execution of their own, all at the same moment. */
	async single(
		parameters: INodeParameters,
		world = this.world,
	): Promise<(count: number) => Promise<void>> {
		const { client, credentials } = world;
		const { path: webhook } = await activateSingleCalls(client, credentials, {
			parameters: { ...ONCE_A_DAY, ...parameters },
			change: answerAtEnd,
		});
		return async (count) => {
			await inParallel(people(count), count, async (person) => this.post(webhook, person));
		};
	}

	/** Calls a list of people by one execution. */
	async list(
		parameters: INodeParameters,
		world = this.world,
	): Promise<(count: number) => Promise<void>> {
		const { client, credentials } = world;
		const { path: webhook } = await activateCalls(client, credentials, {
			parameters: { ...ONCE_A_DAY, ...parameters },
			change: answerAtEnd,
		});
		return async (count) => this.post(webhook, { people: people(count) });
	}

	private async measure(work: () => Promise<void>): Promise<Cost> {
		await axios.get(this.probeUrl, { proxy: false });
		const begin = performance.now();
		await work();
		const milliseconds = performance.now() - begin;
		const { data } = await axios.get<Omit<Cost, 'milliseconds'>>(this.probeUrl, { proxy: false });
		return { milliseconds, ...data };
	}

	private async post(webhook: string, body: object): Promise<void> {
		await axios.post(`${this.world.client.baseUrl}${webhook}`, body, {
			proxy: false,
			timeout: 600_000,
		});
	}
}

/** Adds rows of contacts of long ago, as n8n takes them. */
async function fill({ data, table }: OpenedBook<World>, count: number): Promise<void> {
	const headers = { 'X-N8N-API-KEY': data.apiKey };
	const AT_A_TIME = 1_000;
	for (let done = 0; done < count; done += AT_A_TIME) {
		const rows = people(Math.min(AT_A_TIME, count - done)).map(({ phone }) => ({
			phone,
			contactedAt: '2026-01-02T03:04:05.000Z',
			operation: 'call.place',
			outcome: 'accepted',
			contactId: phone,
			mode: 'live',
		}));
		await axios.post(
			`${data.baseUrl}/api/v1/data-tables/${table.id}/rows`,
			{ data: rows, returnType: 'count' },
			{ headers, proxy: false },
		);
	}
}

async function measureAll(world: World, probeUrl: string): Promise<void> {
	const bench = new Bench(world, probeUrl);
	const { simulator } = world;
	const singleWithout = await bench.single({});
	const listWithout = await bench.list({});
	for (const rows of ROWS) {
		const book = await openBook(world);
		await fill(book, rows);
		const single = await bench.single({ useContactBook: true }, book.world);
		const list = await bench.list({ useContactBook: true }, book.world);
		const compare = async (
			title: string,
			rounds: number,
			count: number,
			[without, withBook]: ((count: number) => Promise<void>)[],
		) => {
			await bench.compare(`${rows} rows, ${title}`, rounds, {
				without: async () => without?.(count),
				book: async () => withBook?.(count),
			});
		};
		simulator.setTraffic({ latencyMs: 0 });
		await compare('a single call', SINGLES, 1, [singleWithout, single]);
		for (const count of AT_ONCE) {
			await compare(`${count} at once`, ROUNDS, count, [singleWithout, single]);
		}
		for (const count of LISTS) {
			for (const latencyMs of LATENCIES) {
				simulator.setTraffic({ latencyMs });
				await compare(`a list of ${count}, latency ${latencyMs}`, ROUNDS, count, [
					listWithout,
					list,
				]);
			}
		}
	}
}

const ACCOUNT = { user: 'bench', password: 'bench', database: 'n8n' };

const startDatabase = async (): Promise<Postgres | undefined> =>
	process.env.DATABASE === 'postgres' ? startPostgres(ACCOUNT) : undefined;

const settingsOf = ({ port }: Postgres): Record<string, string> => ({
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(port),
	DB_POSTGRESDB_DATABASE: ACCOUNT.database,
	DB_POSTGRESDB_USER: ACCOUNT.user,
	DB_POSTGRESDB_PASSWORD: ACCOUNT.password,
});

async function main(): Promise<void> {
	rmSync(FOLDER, { recursive: true, force: true });
	const database = await startDatabase();
	const [port, probePort] = [await freePort(), await freePort()];
	const n8n = await startN8n(FOLDER, port, {
		settings: {
			NODE_OPTIONS: `--import ${path.join(__dirname, 'probe.mjs')}`,
			BENCH_PROBE_PORT: String(probePort),
			EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
			N8N_PAYLOAD_SIZE_MAX: '64',
			N8N_DATA_TABLES_MAX_SIZE_BYTES: String(2 ** 30),
			...(database && settingsOf(database)),
		},
	});
	const simulator = await startSimulator();
	try {
		await n8n.ready();
		const client = await N8nClient.signIn(n8n.baseUrl, OWNER);
		const credentials = await saveCredentials(client, simulator);
		await measureAll(
			{ client, simulator, credentials, secret: '' },
			`http://127.0.0.1:${probePort}`,
		);
	} finally {
		await n8n.stop();
		await simulator.stop();
		await database?.stop();
	}
}

void main().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
