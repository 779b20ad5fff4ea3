import axios from 'axios';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { END_WITH_PARENT, freePort, stopProcess } from './processes';

const ROOT = path.dirname(__dirname);
/** In a folder of its own, so that the project's own modules are not looked for in n8n's. */
const CURRENT = path.join(__dirname, 'versions', 'current');
const PACKAGE_NAME = 'n8n-nodes-assistant-service';
const NEEDED_NODE_MAJOR = 24;
const READY_WITHIN_MS = 400_000;

/** Quiet, offline, on loopback, and every execution is kept. */
const SETTINGS = {
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,agents,chat-hub,source-control,external-secrets',
	EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
	EXECUTIONS_DATA_SAVE_DATA_ON_PROGRESS: 'false',
};

export interface RunningN8n {
	pid: number | undefined;
	baseUrl: string;
	logFile: string;
	ready: () => Promise<void>;
	/** Resolves when the process has ended, for whatever reason. */
	ended: Promise<unknown>;
	/** Ends the process that was started here, and nothing else. */
	stop: () => Promise<void>;
	/** Ends that process without a chance to tidy up. */
	kill: () => Promise<void>;
}

export interface N8nOptions {
	/** The folder that this n8n is installed in; the current release if there is none. */
	installation?: string;
	/** n8n's command with its flags. */
	command?: readonly string[];
	/** Settings beside those that every n8n gets here. */
	settings?: Readonly<Record<string, string>>;
}

/** The Node that runs n8n: this one when it is new enough, else the one from the lockfile of the current release. */
export function nodeBinary(): string {
	const major = Number(process.versions.node.split('.')[0]);
	return major >= NEEDED_NODE_MAJOR
		? process.execPath
		: path.join(CURRENT, 'node_modules', '.bin', 'node');
}

/** Puts in place what would be published, the way n8n unpacks a community package. */
function installPackage(userFolder: string): void {
	const packed = path.join(userFolder, 'packed');
	const target = path.join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);
	for (const folder of [packed, target]) {
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
	}
	execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', packed], {
		cwd: ROOT,
		stdio: 'pipe',
		shell: process.platform === 'win32',
	});
	const [archive] = readdirSync(packed);
	if (!archive) throw new Error('npm pack made no archive');
	execFileSync('tar', ['-xzf', path.join(packed, archive), '-C', target, '--strip-components=1']);
}

/** Only what is named here reaches n8n: no proxy, no test mode, no n8n settings of the user. */
function environment(
	userFolder: string,
	port: number,
	brokerPort: number,
	node: string,
): NodeJS.ProcessEnv {
	const temporary = path.join(userFolder, 'tmp');
	mkdirSync(temporary, { recursive: true });
	return {
		...SETTINGS,
		PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
		HOME: userFolder,
		TMPDIR: temporary,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
	};
}

/** What an n8n serves when it is ready. Older ones say so a moment before they serve the editor. */
const servedBy = ([command]: readonly string[]): string[] =>
	command === 'start' ? ['/healthz/readiness', '/rest/settings'] : ['/healthz/readiness'];

async function isServed(url: string): Promise<boolean> {
	return await axios.get(url, { proxy: false, timeout: 10_000 }).then(
		() => true,
		() => false,
	);
}

function endOfLog(logFile: string): string {
	return readFileSync(logFile, 'utf8').trim().split('\n').slice(-15).join('\n');
}

/** Starts an n8n with the built package in it; the caller has `stop` in hand before it is ready. */
export async function startN8n(
	userFolder: string,
	port: number,
	{ installation = CURRENT, command = ['start'], settings = {} }: N8nOptions = {},
): Promise<RunningN8n> {
	// From no other folder n8n reads files.
	mkdirSync(path.join(userFolder, '.n8n-files'), { recursive: true });
	installPackage(userFolder);
	const logFile = path.join(userFolder, 'n8n.log');
	// Added to: after a crash, what n8n said before it still counts.
	const log = openSync(logFile, 'a');
	const node = nodeBinary();
	const n8n = path.join(installation, 'node_modules', 'n8n', 'bin', 'n8n');
	const child = spawn(node, ['--import', END_WITH_PARENT, n8n, ...command], {
		// n8n reads a .env file from where it is started.
		cwd: userFolder,
		env: { ...environment(userFolder, port, await freePort(), node), ...settings },
		stdio: ['pipe', log, log],
		// Ctrl-C must reach it only through stop().
		detached: true,
	});
	closeSync(log);
	const ended = once(child, 'exit').catch((error: unknown) => error);
	const baseUrl = `http://127.0.0.1:${port}`;
	const ready = async () => {
		const deadline = Date.now() + READY_WITHIN_MS;
		for (const path of servedBy(command)) {
			while (!(await isServed(`${baseUrl}${path}`))) {
				if (child.exitCode !== null || Date.now() > deadline) {
					throw new Error(`n8n did not start; the end of ${logFile}:\n${endOfLog(logFile)}`);
				}
				await sleep(250);
			}
		}
	};
	const stop = async () => {
		if (await stopProcess(child, ended))
			console.log('n8n had not finished: what it was executing has ended as in a crash');
	};
	const kill = async () => {
		child.kill('SIGKILL');
		await ended;
	};
	return { pid: child.pid, baseUrl, logFile, ready, ended, stop, kill };
}
