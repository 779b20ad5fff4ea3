import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const { href } = pathToFileURL(path.resolve(__dirname, '..', 'playground', 'signals.mjs'));
const PROGRAM = `
import { onSignals, waitsFor } from '${href}';
onSignals(
	(signal) => console.log(signal, waitsFor('n8n', 15_000)),
	() => process.exit(7),
);
setInterval(() => {}, 1000);
console.log('ready');`;

/** Longer than one Ctrl-C takes to arrive from everywhere. */
const ONE_PRESS_MS = 1100;

test('one Ctrl-C counts once, and says what is waited for; a second one ends at once', async () => {
	const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM]);
	const ended = once(child, 'exit');
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
	const says = async (text: string) => {
		while (!said.includes(text)) await sleep(10);
	};
	await says('ready');
	// The terminal, npm and the process above.
	for (let count = 0; count < 3; count++) {
		child.kill('SIGINT');
		await sleep(10);
	}
	await says('at once');
	await sleep(ONE_PRESS_MS);
	expect(child.exitCode).toBeNull();
	child.kill('SIGINT');

	expect(await ended).toEqual([7, null]);
	expect(said).toBe(
		'ready\nSIGINT stopping: waiting for n8n, 15 seconds at most; Ctrl-C again ends it at once\n',
	);
});
