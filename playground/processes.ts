import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What has not ended by then is ended by force. */
export const STOPPED_WITHIN_MS = 15_000;

/**
 * To be imported by a Node process that is started with a pipe as its input: when its parent dies without
 * a word, the pipe closes, and it ends as well.
 */
export const END_WITH_PARENT =
	// Threads get it too, but have no such input.
	"data:text/javascript,import{isMainThread}from'node:worker_threads';if(isMainThread)process.stdin.on('end',()=>process.kill(process.pid,'SIGTERM')).resume().unref()";

/** Below those that a system gives out by itself: a port may be used only seconds later, or again after a crash. */
const PORTS = { first: 11_000, count: 20_000 };

/** A port nobody listens on right now, or will by chance. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = PORTS.first + randomInt(PORTS.count);
		if (await isFree(port)) return port;
	}
}

async function isFree(port: number): Promise<boolean> {
	const probe = net.createServer().listen(port, '127.0.0.1');
	try {
		await once(probe, 'listening');
	} catch {
		return false;
	}
	probe.close();
	await once(probe, 'close');
	return true;
}

/** Ends a process, by force if it does not end by itself: true then. */
export async function stopProcess(
	child: ChildProcess,
	ended: Promise<unknown>,
	signal: NodeJS.Signals = 'SIGTERM',
): Promise<boolean> {
	child.kill(signal);
	const isLate = sleep(STOPPED_WITHIN_MS, true, { ref: false });
	const isForced = await Promise.race([ended.then(() => false), isLate]);
	child.kill('SIGKILL');
	await ended;
	return isForced;
}
