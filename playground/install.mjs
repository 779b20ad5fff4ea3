// Plain JavaScript without dependencies: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { onSignals, waitsFor } from './signals.mjs';

const HEARTBEAT_MS = 20_000;
const KILLED_AFTER_MS = 10_000;
/** npm's own record of what is in a folder, written at the end of an installation. */
const RECORD = path.join('node_modules', '.package-lock.json');

const NO_NETWORK =
	/npm error code (E[A-Z]*(?:NOTFOUND|AGAIN|CONN|TIMEDOUT|UNREACH|NOTCACHED)\w*|ERR_SOCKET_TIMEOUT)/;

/** What npm's and the compiler's own output means for the person who started this, first match wins. */
const REASONS = [
	[
		NO_NETWORK,
		(code) =>
			`could not reach the npm registry (${code}): check the network, or proxy and registry in "npm config list", then start again`,
	],
	[
		/npm error code (E40[13])/,
		(code) => `the npm registry refused access (${code}): check the login in "npm config list"`,
	],
	[
		/npm error code (EUSAGE)/,
		() => 'package.json and package-lock.json disagree: run "npm install" in that folder',
	],
	[/ENOSPC|No space left/, () => 'the disk is full: n8n alone needs about 3 GB'],
	[
		/find Python|not found: make|make: not found|(?:g\+\+|c\+\+|cc): (?:not found|No such file)/i,
		() =>
			'the database driver of n8n has to be compiled: install the tools with "sudo apt-get install -y python3 make g++" (macOS: "xcode-select --install"), then start again',
	],
];

/** A failure that is told in one line, without a stack. */
export class Problem extends Error {}

const startedAt = Date.now();

/** One line of progress with the seconds since the start. */
export function say(text) {
	const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
	console.log(`[${seconds}s] ${text}`);
}

function reasonFor(label, output) {
	for (const [pattern, reason] of REASONS) {
		const match = pattern.exec(output);
		if (match) return reason(match[1]);
	}
	const lastLines = output.trim().split('\n').slice(-15).join('\n');
	return `${label} failed; the end of its output:\n${lastLines}`;
}

/** Runs a command quietly, with a heartbeat; rejects with the reason in one line. */
export async function runQuietly(label, command, args, options = {}) {
	say(label);
	const began = Date.now();
	const heartbeat = setInterval(() => {
		say(`${label}: still at it, ${Math.round((Date.now() - began) / 1000)} s`);
	}, HEARTBEAT_MS);
	try {
		const { code, output } = await collect(command, args, options);
		if (code !== 0) throw new Problem(reasonFor(label, output));
	} finally {
		clearInterval(heartbeat);
	}
}

function collect(command, args, options) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			...options,
			stdio: ['ignore', 'pipe', 'pipe'],
			shell: process.platform === 'win32',
		});
		const chunks = [];
		child.stdout.on('data', (chunk) => chunks.push(chunk));
		child.stderr.on('data', (chunk) => chunks.push(chunk));
		let interrupted = false;
		// npm takes back what it has begun: nothing may start again before it has ended.
		const kill = () => child.kill('SIGKILL');
		const forget = onSignals((signal) => {
			interrupted = true;
			console.log(`\n${waitsFor(`${command} to take back what it has begun`, KILLED_AFTER_MS)}`);
			child.kill(signal);
			setTimeout(kill, KILLED_AFTER_MS).unref();
		}, kill);
		const settle = (settled) => {
			forget();
			settled();
		};
		child.on('error', ({ message }) => {
			settle(() => reject(new Problem(`cannot run ${command}: ${message}`)));
		});
		child.on('close', (code) => {
			const output = Buffer.concat(chunks).toString('utf8');
			settle(() => (interrupted ? reject(new Problem('interrupted')) : resolve({ code, output })));
		});
	});
}

function packagesIn(lockfile) {
	const { '': project, ...packages } = JSON.parse(readFileSync(lockfile, 'utf8')).packages;
	return packages;
}

/** True when npm has installed in this folder what its lockfile says now; optional packages may be missing. */
export function isInstalled(folder) {
	const record = path.join(folder, RECORD);
	if (!existsSync(record)) return false;
	const installed = packagesIn(record);
	const wanted = packagesIn(path.join(folder, 'package-lock.json'));
	const isThere = ([name, { version, integrity, optional = false }]) => {
		const found = installed[name];
		return found ? found.version === version && found.integrity === integrity : optional;
	};
	return (
		Object.keys(installed).every((name) => name in wanted) && Object.entries(wanted).every(isThere)
	);
}

/** One question in advance: without a network `npm ci` itself asks for each package in turn, for many minutes. */
async function registryAnswers(options) {
	const args = [
		'ping',
		'--fetch-retries=1',
		'--fetch-retry-mintimeout=1000',
		'--fetch-timeout=15000',
	];
	return !NO_NETWORK.test((await collect('npm', args, options)).output);
}

/** Brings a folder's node_modules in line with its lockfile; does nothing when it already is. */
export async function ensureInstalled(folder, { label = path.basename(folder), env } = {}) {
	if (isInstalled(folder)) return;
	rmSync(path.join(folder, RECORD), { force: true });
	const options = { cwd: folder, env };
	const source = (await registryAnswers(options)) ? '--prefer-offline' : '--offline';
	await runQuietly(`npm ci (${label})`, 'npm', ['ci', source], options);
}
