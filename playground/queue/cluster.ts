import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startN8n, type RunningN8n } from '../n8n';
import { freePort } from '../processes';
import { Started } from '../started';
import { startCaddy, startPostgres, startRedis, type Backend } from './backends';
import { readCaddyfile, readCompose, type N8nService } from './compose';

const FOLDER = path.join(__dirname, '..', '.state', 'queue');
const PORT_IN_COMPOSE = 5678;
/** A worker that died is noticed within seconds; with n8n's own settings it takes a minute and a half. */
const NOTICED_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};
/** What is started by hand goes to the workers, as it always does from n8n 3 on. */
const BY_HAND_TOO = { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };
const ACCOUNT = { user: 'n8n', password: randomUUID(), database: 'n8n' };

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Everything of the compose file, on this machine; each n8n has a user folder of its own, as in a container. */
export async function startCluster() {
	rmSync(FOLDER, { recursive: true, force: true });
	const started = new Started();
	try {
		const frontPort = await freePort();
		const frontUrl = `http://127.0.0.1:${frontPort}`;
		const { n8n: services, redis: redisOptions } = readCompose({
			N8N_HOST: 'n8n.example',
			N8N_ENCRYPTION_KEY: randomUUID(),
			POSTGRES_PASSWORD: ACCOUNT.password,
		});
		const postgres = started.add(await startPostgres(ACCOUNT));
		const redis = started.add(await startRedis(path.join(FOLDER, 'redis'), redisOptions));

		const running = new Map<string, RunningN8n>();
		const here = {
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			// n8n resumes executions by its own address.
			WEBHOOK_URL: `${frontUrl}/`,
		};
		const startService = async (service: N8nService, port: number, more = {}): Promise<void> => {
			const { name, command, environment } = service;
			// A worker listens on this port, the others on N8N_PORT.
			const own = { QUEUE_HEALTH_CHECK_PORT: String(port) };
			const settings = {
				...environment,
				...here,
				...own,
				...NOTICED_SOON,
				...BY_HAND_TOO,
				...more,
			};
			const n8n = await startN8n(path.join(FOLDER, name), port, { command, settings });
			running.set(name, started.add(n8n));
			await n8n.ready();
		};
		const startAll = async (prefix: string) => {
			const all = services.filter(({ name }) => name.startsWith(prefix));
			for (const service of all) await startService(service, await freePort());
		};
		const startedAs = (prefix: string) =>
			[...running].flatMap(([name, n8n]) => (name.startsWith(prefix) ? [n8n] : []));
		// It makes the tables that the others need.
		await startAll('main');
		await Promise.all(['webhook', 'worker'].map(startAll));
		started.add(await startFront(frontPort, running));
		return {
			...{ postgres, redis },
			/** Where the service would send its events. */
			frontUrl,
			get main() {
				const [main] = startedAs('main');
				if (main === undefined) throw new Error('compose.yaml has no service "main"');
				return main;
			},
			get webhooks() {
				return startedAs('webhook');
			},
			get workers() {
				return startedAs('worker');
			},
			/** Starts processes again that were killed, with the addresses and user folders they had. */
			startAgain: async (killed: RunningN8n[], settings: Record<string, string> = {}) => {
				await Promise.all(
					services.map(async (service) => {
						const n8n = running.get(service.name);
						if (!n8n || !killed.includes(n8n)) return;
						await startService(service, Number(new URL(n8n.baseUrl).port), settings);
					}),
				);
			},
			stop: started.stop,
		};
	} catch (error) {
		await started.stop();
		throw error;
	}
}

async function startFront(port: number, running: Map<string, RunningN8n>): Promise<Backend> {
	const addresses = [...running].map(([name, { baseUrl }]): [string, string] => [
		`${name}:${PORT_IN_COMPOSE}`,
		new URL(baseUrl).host,
	]);
	const names = new Map([...addresses, ['{$N8N_HOST}', `http://127.0.0.1:${port}`]]);
	return await startCaddy(path.join(FOLDER, 'caddy'), port, readCaddyfile(names));
}

/** The workers that have begun this execution, by their logs. */
export function workersOf({ workers }: Cluster, executionId: string): number[] {
	const line = `Worker started execution ${executionId} (`;
	return workers.flatMap(({ logFile }, index) =>
		readFileSync(logFile, 'utf8').includes(line) ? [index] : [],
	);
}
