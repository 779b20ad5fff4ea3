#!/usr/bin/env node
// One command from a bare clone to a running n8n with the nodes in it; plain JavaScript, since nothing is installed yet.
import { spawn } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	realpathSync,
	statSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem, ensureInstalled, runQuietly, say } from './install.mjs';

const NEEDED_NODE = [20, 19];
const DEFAULT_PORT = 5678;
/** The simulated service and its page stand beside n8n on ports that stay, so that saved credentials stay valid. */
const PORT_OFFSETS = { simulator: 2, page: 3 };
/** The configuration of jest and the file for its outcome. */
const TESTS = {
	test: ['jest.config.js', 'e2e.json'],
	'test-queue': ['queue/jest.config.js', 'queue.json'],
	'test-compat': ['compat/jest.config.js', 'compat.json'],
	'test-browser': ['browser/jest.config.js', 'browser.json'],
	screenshots: ['browser/jest.config.js', 'browser.json'],
};
const MODES = ['once', 'install-n8n', 'bench', ...Object.keys(TESTS)].map((mode) => `--${mode}`);
const BENCH_OPTIONS = [
	'--quick',
	'--trigger',
	'--items',
	'--lists',
	'--burst',
	'--aged',
	'--ten-days',
];
const playground = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(playground);
/** Releases of n8n, each with a lockfile of its own; only the table of versions needs others than the current one. */
const versions = path.join(playground, 'versions');
const current = path.join(versions, 'current');
const temporary = path.join(playground, '.state', 'tmp');
/** Caches and temporary files of everything that is started stay inside the clone. */
const environment = {
	...process.env,
	TMPDIR: temporary,
	TSX_DISABLE_CACHE: '1',
	PLAYGROUND_STARTED_AT: String(Date.now()),
};

function readArguments(args) {
	const known = { mode: 'stay', port: process.env.PORT, benchOptions: [] };
	for (let i = 0; i < args.length; i++) {
		const [name, value] = args[i].split('=');
		if (MODES.includes(name)) known.mode = name.slice(2);
		else if (known.mode === 'bench' && BENCH_OPTIONS.includes(name)) known.benchOptions.push(name);
		else if (name === '--port') known.port = value ?? args[++i];
		else throw new Problem(`unknown option ${args[i]}: use ${MODES.join(', ')}, --port <number>`);
	}
	if (known.port !== undefined && !/^\d{2,5}$/.test(known.port)) {
		throw new Problem(`"${known.port}" is not a port number`);
	}
	return known;
}

/** The tests and the benchmark choose their ports themselves. */
function commandOf({ mode, ports, benchOptions }) {
	if (mode in TESTS) return jestCommand(...TESTS[mode]);
	const run = (...file) => ['--import', 'tsx', path.join(playground, ...file)];
	return mode === 'bench'
		? [...run('bench', 'main.ts'), ...benchOptions]
		: [...run('main.ts'), mode, ...ports];
}

function jestCommand(config, outcome) {
	return [
		path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
		...['--config', path.join(playground, config)],
		...['--json', `--outputFile=${path.join(root, '.build', outcome)}`],
	];
}

/** Only the n8n that stays has well-known ports; the others take free ones and can run beside it. */
function portsFor(mode, port) {
	if (mode === 'stay') {
		const n8n = Number(port ?? DEFAULT_PORT);
		return [n8n, n8n + PORT_OFFSETS.simulator, n8n + PORT_OFFSETS.page];
	}
	return port === undefined ? [] : [Number(port)];
}

function checkNode() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1])) return;
	throw new Problem(
		`Node ${process.versions.node} is too old: this project needs ${NEEDED_NODE.join('.')} or newer`,
	);
}

const databaseDriver = (folder) =>
	path.join(folder, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

function versionOfDriver(folder) {
	const manifest = path.join(folder, 'node_modules', 'sqlite3', 'package.json');
	return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/**
 * The database driver is native code: npm fetches it ready-made, or compiles it with the headers that are already here.
 * Other releases take that of the current one if it is the same.
 */
async function ensureDatabaseDriver(folder) {
	const driver = databaseDriver(folder);
	if (existsSync(driver)) return;
	if (folder !== current && versionOfDriver(folder) === versionOfDriver(current)) {
		mkdirSync(path.dirname(driver), { recursive: true });
		copyFileSync(databaseDriver(current), driver);
		return;
	}
	const ownNode = path.join(current, 'node_modules', '.bin', 'node');
	const headers = existsSync(ownNode)
		? { npm_config_nodedir: path.dirname(path.dirname(realpathSync(ownNode))) }
		: {};
	// Compiles in half the time.
	const flags = { CFLAGS: '-O1', CXXFLAGS: '-O1' };
	await runQuietly(
		"compiling n8n's database driver (about a minute)",
		'npm',
		['rebuild', 'sqlite3', '--ignore-scripts=false'],
		{ cwd: folder, env: { ...environment, ...headers, ...flags } },
	);
}

/** Brings one release of n8n into its folder. */
async function ensureN8n(folder, label) {
	await ensureInstalled(folder, { label, env: environment });
	await ensureDatabaseDriver(folder);
}

const ensureCurrent = async () => await ensureN8n(current, 'n8n, 3 to 7 minutes once');

function newestChange(target) {
	const status = statSync(target, { throwIfNoEntry: false });
	if (!status) return 0;
	if (!status.isDirectory()) return status.mtimeMs;
	return Math.max(0, ...readdirSync(target).map((name) => newestChange(path.join(target, name))));
}

async function ensureBuilt() {
	const sources = ['nodes', 'credentials', 'icons', 'gulpfile.js', 'package.json'];
	const changed = Math.max(...sources.map((name) => newestChange(path.join(root, name))));
	if (newestChange(path.join(root, 'dist')) > changed) return;
	await runQuietly('npm run build', 'npm', ['run', 'build'], { cwd: root, env: environment });
}

/** Asked before the long steps, so that nobody waits minutes for a port that is taken. */
async function checkPortIsFree(port) {
	await new Promise((resolve, reject) => {
		const probe = net.createServer();
		probe.once('error', (error) =>
			reject(
				error.code === 'EADDRINUSE'
					? new Problem(
							`port ${port} is busy: choose another with PORT=5700 npm start, or npm start -- --port 5700`,
						)
					: new Problem(`cannot listen on port ${port}: ${error.message}`),
			),
		);
		probe.listen(port, '127.0.0.1', () => probe.close(resolve));
	});
}

/** Asked before the long steps. Debian keeps PostgreSQL out of the search path. */
function checkServers() {
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	const releases = '/usr/lib/postgresql';
	const hasPostgres =
		existsSync(releases) &&
		readdirSync(releases).some((one) => existsSync(path.join(releases, one, 'bin', 'postgres')));
	const others = ['redis-server', 'caddy'].filter(
		(name) => !folders.some((folder) => existsSync(path.join(folder, name))),
	);
	const missing = [...(hasPostgres ? [] : ['postgresql']), ...others];
	if (missing.length === 0) return;
	throw new Problem(
		`not installed: ${missing.join(', ')}. Install them with "sudo apt-get install postgresql redis-server caddy", then start again`,
	);
}

/** Hands over to the part that needs the installed packages, and passes signals on. */
async function handOver(args, env) {
	const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => child.kill(signal));
	return await new Promise((resolve) => {
		child.on('exit', (code) => resolve(code ?? 1));
	});
}

/** Installs what the mode needs, and runs it; resolves to the exit code. */
async function run({ mode, port, benchOptions }) {
	if (mode === 'test-queue') checkServers();
	const ports = portsFor(mode, port);
	for (const wanted of ports) await checkPortIsFree(wanted);
	mkdirSync(temporary, { recursive: true });
	mkdirSync(path.join(root, '.build'), { recursive: true });
	// Can run beside `npm test`, which installs the project.
	if (mode === 'install-n8n') {
		await ensureCurrent();
		return 0;
	}
	await ensureInstalled(root, { label: 'the project', env: environment });
	await ensureCurrent();
	for (const version of mode === 'test-compat' ? readdirSync(versions) : []) {
		await ensureN8n(path.join(versions, version), `n8n ${version}, 3 to 6 minutes once`);
	}
	await ensureBuilt();
	return await handOver(commandOf({ mode, ports, benchOptions }), {
		...environment,
		// The tests of the browser also write the pictures of the documentation.
		...(mode === 'screenshots' && { PLAYGROUND_PICTURES: 'write' }),
	});
}

try {
	checkNode();
	process.exitCode = await run(readArguments(process.argv.slice(2)));
} catch (error) {
	console.error(error instanceof Problem ? `\n${error.message}` : error);
	process.exitCode = 1;
}
