import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	chmodSync,
	chownSync,
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
import { promisify } from 'node:util';
import { eventually } from '../eventually';
import { freePort, stopProcess } from '../processes';

const run = promisify(execFile);

const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** A server from the system's packages. */
export interface Backend {
	port: number;
	stop: () => Promise<void>;
}

/** Who PostgreSQL runs as, since it refuses to run as root. */
interface User {
	uid: number;
	gid: number;
}

interface Program {
	binary: string;
	args: string[];
	folder: string;
	/** What ends it without waiting for its clients. */
	stopSignal?: NodeJS.Signals;
	user?: User;
}

/** It ends with this process, however this one ends. */
async function startProgram(port: number, program: Program): Promise<Backend> {
	const { binary, args, folder, stopSignal = 'SIGTERM', user } = program;
	const logFile = path.join(folder, 'server.log');
	const log = openSync(logFile, 'a');
	const asUser = user
		? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--no-new-privs']
		: [];
	const child = spawn(
		'setpriv',
		['--pdeathsig', stopSignal.slice('SIG'.length), ...asUser, binary, ...args],
		{ cwd: folder, stdio: ['ignore', log, log], detached: true, env: { HOME: folder } },
	);
	closeSync(log);
	const ended = once(child, 'exit').catch((error: unknown) => error);
	await eventually(`${binary} to listen; see ${logFile}`, async () => {
		if (child.exitCode !== null) throw new Error(`${binary}: ${readFileSync(logFile, 'utf8')}`);
		return (await isListening(port)) ? true : undefined;
	});
	return {
		port,
		stop: async () => {
			await stopProcess(child, ended, stopSignal);
		},
	};
}

async function isListening(port: number): Promise<boolean> {
	const socket = net.connect({ port, host: '127.0.0.1' });
	const isOpen = await once(socket, 'connect').then(
		() => true,
		() => false,
	);
	socket.destroy();
	return isOpen;
}

/** The newest PostgreSQL of the system's packages; they keep it out of the search path. */
function postgresBinaries(): string {
	const [newest = ''] = readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a));
	return path.join(POSTGRES_VERSIONS, newest, 'bin');
}

async function postgresUser(): Promise<User | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
	return { uid: await idOf('-u'), gid: await idOf('-g') };
}

export interface Postgres extends Backend {
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
	const owner = await postgresUser();
	// Not in the clone: the user of PostgreSQL has to be able to get there.
	const folder = mkdtempSync('/tmp/queue-postgres-');
	const passwordFile = path.join(folder, 'password');
	writeFileSync(passwordFile, password);
	chmodSync(folder, 0o700);
	if (owner) for (const one of [folder, passwordFile]) chownSync(one, owner.uid, owner.gid);
	const data = path.join(folder, 'data');
	const initdb = ['--auth=scram-sha-256', `--username=${user}`, `--pwfile=${passwordFile}`];
	await run(path.join(binaries, 'initdb'), [...initdb, '--encoding=UTF8', data], {
		...owner,
		cwd: folder,
	});
	const port = await freePort();
	// What it holds need not outlive the machine.
	const disposable = ['unix_socket_directories=', 'fsync=off'];
	// n8n filters by times that name no zone.
	const settings = ['listen_addresses=127.0.0.1', 'timezone=UTC', ...disposable];
	const server = await startProgram(port, {
		binary: path.join(binaries, 'postgres'),
		args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
		folder,
		stopSignal: 'SIGINT',
		user: owner,
	});
	const connection = ['--host=127.0.0.1', `--port=${port}`, `--username=${user}`];
	const env = { PGPASSWORD: password };
	const psql = async (db: string, statement: string) => {
		const args = [...connection, `--dbname=${db}`, '--tuples-only', '--no-align'];
		const options = ['--set=ON_ERROR_STOP=1', `--command=${statement}`];
		return (await run(path.join(binaries, 'psql'), [...args, ...options], { env })).stdout.trim();
	};
	await eventually('PostgreSQL to accept statements', async () =>
		psql('postgres', `create database "${database}"`).catch(() => undefined),
	);
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
	/** Ends it, and starts it again on the same port with what it has written down. */
	restart: (awayForMs: number) => Promise<void>;
}

export async function startRedis(folder: string, options: string[]): Promise<Redis> {
	mkdirSync(folder, { recursive: true });
	const port = await freePort();
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...options];
	const start = async () => await startProgram(port, { binary: 'redis-server', args, folder });
	const ready = async () => {
		await eventually('Redis to have loaded what it has written down', async () => {
			const answer = run('redis-cli', ['-p', String(port), 'ping']);
			return (await answer.catch(() => undefined))?.stdout.trim() === 'PONG' || undefined;
		});
	};
	let server = await start();
	return {
		port,
		stop: async () => {
			await server.stop();
		},
		restart: async (awayForMs) => {
			await server.stop();
			await new Promise((resolve) => setTimeout(resolve, awayForMs));
			server = await start();
			await ready();
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
	return await startProgram(port, { binary: 'caddy', args, folder });
}
