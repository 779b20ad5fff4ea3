import { rmSync } from 'node:fs';
import path from 'node:path';
import { startSimulator } from '../test/simulator/simulator';
import { createCallsLog } from './callsLog';
import { runCommand } from './command';
import { runDemo } from './demo';
import { startN8n } from './n8n';
import { besideOf } from './page/beside';
import { startPage } from './page/server';
import { freePort } from './processes';
import { N8nClient } from './rest';
import { say } from './say';
import { BOOK_TABLE, OWNER, saveCheckOnlyCredential, saveCredentials } from './setup';
import type { Started } from './started';

/** Of the demo's calls: long enough to see the call in the list, short enough to wait for its end. */
const CALL_DURATION_MS = 2000;

function describe(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	// The ports were free before the installation.
	const isBusy = message.includes('EADDRINUSE');
	return isBusy ? `${message}: choose other ports with PORT=5700 npm start` : message;
}

/** Of each port, as two would spoil each other's database. A run that ends by itself has one that is new each time. */
function userFolder(stays: boolean, port: number): string {
	if (stays) return path.join(__dirname, '.n8n', String(port));
	const folder = path.join(__dirname, '.state', 'once');
	rmSync(folder, { recursive: true, force: true });
	return folder;
}

async function signIn(baseUrl: string): Promise<N8nClient> {
	try {
		return await N8nClient.signIn(baseUrl, OWNER);
	} catch (error) {
		throw new Error(`cannot sign in; to start afresh delete playground/.n8n (${describe(error)})`);
	}
}

async function main(started: Started, mode: string, ports: number[]): Promise<void> {
	const stays = mode === 'stay';
	const [port = await freePort(), simulatorPort = 0, pagePort = 0] = ports;
	const simulator = started.add(
		await startSimulator({ port: simulatorPort, callDurationMs: CALL_DURATION_MS }),
	);
	say(`the simulated service answers at ${simulator.baseUrl}, n8n is starting`);

	const folder = userFolder(stays, port);
	const callsFile = path.join(folder, 'calls.log');
	// Stopped after n8n.
	if (stays) started.add(createCallsLog(simulator, callsFile));
	let n8n = started.add(await startN8n(folder, port));
	await n8n.ready();
	say(`n8n answers at http://localhost:${port}, its log is ${path.relative('.', n8n.logFile)}`);
	const client = await signIn(n8n.baseUrl);
	const credentials = await saveCredentials(client, simulator);
	await saveCheckOnlyCredential(client, simulator);
	say('owner and credentials are there, the examples are running');

	try {
		const demo = await runDemo(client, simulator, credentials);
		if (demo) {
			say(`"Place calls" placed ${demo.calls.length} calls:`, demo.calls);
			say(`"End of call" received ${demo.events.length} events:`, demo.events);
		} else {
			say('"Place calls" or "End of call" has been changed: the first check is left out');
		}
	} catch (error) {
		// Somebody who has broken an example still gets their n8n.
		if (!stays) throw error;
		say(`the examples did not run: ${describe(error)}`);
	}
	if (!stays) return;

	// From now on somebody is there to end them.
	simulator.setCallDuration(undefined);
	const n8nUrl = `http://localhost:${port}`;
	const beside = await besideOf({ client, credentials }, n8nUrl);
	const page = started.add(await startPage(simulator, beside, pagePort));
	say(
		`open ${n8nUrl} and sign in; Ctrl-C stops everything: the page forgets its calls, which ${path.relative('.', callsFile)} lists then, and the URLs that you added`,
		[
			`n8n      ${n8nUrl}  ${OWNER.email}  ${OWNER.password}`,
			`book     ${n8nUrl}/home/datatables  the contacts of the nodes: the table "${BOOK_TABLE}"`,
			`page     ${page.url}  calls ring there until you end them; who waits for them, the contact book, messages, faults`,
			`crash    kill -9 ${n8n.pid}  ends n8n alone: it is started again, and the page keeps its calls`,
			`service  ${simulator.baseUrl}  API key ${simulator.apiKey}`,
		],
	);
	// Somebody may kill it on purpose, to see what a retry does: the service still knows its calls.
	for (await n8n.ended; !started.isStopping; await n8n.ended) {
		say(`n8n has ended by itself, see ${n8n.logFile}. It is started again`);
		n8n = started.add(await startN8n(folder, port));
		await n8n.ready();
		say(`n8n answers again. The page has kept its calls. To end it once more: kill -9 ${n8n.pid}`);
	}
}

const [mode = 'stay', ...ports] = process.argv.slice(2);

void runCommand(
	async (started) => {
		await main(started, mode, ports.map(Number));
	},
	(error) => {
		console.error(`\n${describe(error)}`);
	},
	mode === 'stay' ? 0 : 1,
);
