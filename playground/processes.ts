import type { ChildProcess } from 'node:child_process';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const STOPPED_WITHIN_MS = 15_000;

/**
 * To be imported by a Node process that is started with a pipe as its input: when its parent dies without
 * a word, the pipe closes, and it ends as well.
 */
export const END_WITH_PARENT =
	// Threads get it too, but have no such input.
	"data:text/javascript,import{isMainThread}from'node:worker_threads';if(isMainThread)process.stdin.on('end',()=>process.kill(process.pid,'SIGTERM')).resume().unref()";

/** A port nobody listens on right now. */
export async function freePort(): Promise<number> {
	return await new Promise((resolve, reject) => {
		const probe = net.createServer();
		probe.once('error', reject);
		probe.listen(0, '127.0.0.1', () => {
			const { port } = probe.address() as AddressInfo;
			probe.close(() => {
				resolve(port);
			});
		});
	});
}

/** Ends a process, by force if it does not end by itself. */
export async function stopProcess(
	child: ChildProcess,
	ended: Promise<unknown>,
	signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
	child.kill(signal);
	await Promise.race([ended, sleep(STOPPED_WITHIN_MS, undefined, { ref: false })]);
	child.kill('SIGKILL');
	await ended;
}
