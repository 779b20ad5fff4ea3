import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	closeSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '../eventually';
import { freePort, stopProcess } from '../processes';

const run = promisify(execFile);

const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** PostgreSQL refuses to run as root. */
const AS_POSTGRES =
	process.getuid?.() === 0
		? ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--no-new-privs']
		: [];

/** A server from the system's packages. */
export interface Backend {
	stop: () => Promise<void>;
}

interface Program {
	binary: string;
	args: string[];
	folder: string;
	/** Whether it serves; rejects as long as it cannot be asked. */
	serves: () => Promise<boolean>;
	/** What ends it without waiting for its clients. */
	stopSignal?: NodeJS.Signals;
	/** Flags of setpriv that say who it runs as. */
	user?: string[];
}

/** It ends with this process, however this one ends. */
async function startProgram(program: Program): Promise<Backend> {
	const { binary, args, folder, serves, stopSignal = 'SIGTERM', user = [] } = program;
	const logFile = path.join(folder, 'server.log');
	const log = openSync(logFile, 'a');
	const child = spawn(
		'setpriv',
		['--pdeathsig', stopSignal.slice('SIG'.length), ...user, binary, ...args],
		{ cwd: folder, stdio: ['ignore', log, log], detached: true, env: { HOME: folder } },
	);
	closeSync(log);
	const ended = once(child, 'exit').catch((error: unknown) => error);
	await eventually(`${binary} to serve; see ${logFile}`, async () => {
		if (child.exitCode !== null) throw new Error(`${binary}: ${readFileSync(logFile, 'utf8')}`);
		return (await serves().catch(() => false)) || undefined;
	});
	return {
		stop: async () => {
			await stopProcess(child, ended, stopSignal);
		},
	};
}

/** The newest PostgreSQL of the system's packages; they keep it out of the search path. */
function postgresBinaries(): string {
	const [newest = ''] = readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a));
	return path.join(POSTGRES_VERSIONS, newest, 'bin');
}

export interface Postgres extends Backend {
	port: number;
	/** Runs a statement as the owner of the database, and gives its rows as text. */
	sql: (statement: string) => Promise<string>;
}

export interface Account {
	user: string;
	password: string;
	database: string;
}

/** A new PostgreSQL with an empty database. */
export async function startPostgres({ user, password, database }: Account): Promise<Postgres> {
	const binaries = postgresBinaries();
	// Not in the clone: the user of PostgreSQL has to be able to get there.
	const folder = mkdtempSync('/tmp/queue-postgres-');
	const passwordFile = path.join(folder, 'password');
	writeFileSync(passwordFile, password);
	if (AS_POSTGRES.length > 0) await run('chown', ['--recursive', 'postgres:postgres', folder]);
	const data = path.join(folder, 'data');
	const initdb = ['--auth=scram-sha-256', `--username=${user}`, `--pwfile=${passwordFile}`];
	await run(
		'setpriv',
		[...AS_POSTGRES, path.join(binaries, 'initdb'), ...initdb, '--encoding=UTF8', data],
		{ cwd: folder },
	);
	const port = await freePort();
	const connection = ['--host=127.0.0.1', `--port=${port}`, `--username=${user}`];
	const env = { PGPASSWORD: password };
	const psql = async (db: string, statement: string) => {
		const args = [...connection, `--dbname=${db}`, '--tuples-only', '--no-align'];
		const options = ['--set=ON_ERROR_STOP=1', `--command=${statement}`];
		return (await run(path.join(binaries, 'psql'), [...args, ...options], { env })).stdout.trim();
	};
	// What it holds need not outlive the machine.
	const disposable = ['unix_socket_directories=', 'fsync=off'];
	// n8n filters by times that name no zone.
	const settings = ['listen_addresses=127.0.0.1', 'timezone=UTC', ...disposable];
	const server = await startProgram({
		binary: path.join(binaries, 'postgres'),
		args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
		folder,
		serves: async () => psql('postgres', `create database "${database}"`).then(() => true),
		stopSignal: 'SIGINT',
		user: AS_POSTGRES,
	});
	return {
		port,
		sql: async (statement) => await psql(database, statement),
		stop: async () => {
			await server.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

export interface Redis extends Backend {
	port: number;
	/** Ends it, and starts it again on the same port with what it has written down. */
	restart: (awayForMs: number) => Promise<void>;
}

export async function startRedis(folder: string, options: string[]): Promise<Redis> {
	mkdirSync(folder, { recursive: true });
	const port = await freePort();
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...options];
	// It answers something else while it loads what it has written down.
	const serves = async () =>
		(await run('redis-cli', ['-p', String(port), 'ping'])).stdout.trim() === 'PONG';
	const start = async () => await startProgram({ binary: 'redis-server', args, folder, serves });
	let server = await start();
	return {
		port,
		stop: async () => {
			await server.stop();
		},
		restart: async (awayForMs) => {
			await server.stop();
			await sleep(awayForMs);
			server = await start();
		},
	};
}

/** Caddy before what listens on other ports. */
export async function startCaddy(
	folder: string,
	port: number,
	configuration: string,
): Promise<Backend> {
	mkdirSync(folder, { recursive: true });
	const file = path.join(folder, 'Caddyfile');
	// Its control port would be the same for every Caddy of the machine.
	writeFileSync(file, `{\n\tadmin off\n}\n${configuration}`);
	const args = ['run', '--config', file, '--adapter', 'caddyfile'];
	const serves = async () => {
		const socket = net.connect({ port, host: '127.0.0.1' });
		await once(socket, 'connect').finally(() => socket.destroy());
		return true;
	};
	return await startProgram({ binary: 'caddy', args, folder, serves });
}
