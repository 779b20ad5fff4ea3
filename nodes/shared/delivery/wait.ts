import { randomBytes } from 'crypto';
import { sleep } from 'n8n-workflow';

/** Waits, but not longer than until the signal aborts. */
export async function waitUnlessAborted(milliseconds: number, signal?: AbortSignal): Promise<void> {
	if (milliseconds <= 0 || signal?.aborted === true) return;
	let onAbort: () => void = () => undefined;
	const aborted = new Promise<void>((resolve) => {
		onAbort = resolve;
		signal?.addEventListener('abort', onAbort, { once: true });
	});
	await Promise.race([sleep(milliseconds), aborted]);
	signal?.removeEventListener('abort', onAbort);
}

/**
 * Lets n8n do everything else that is due. The shortest sleep costs a whole millisecond, and nodes may not
 * use setImmediate; a random byte that is made beside the event loop is there after a twentieth of that.
 */
export async function giveWay(): Promise<void> {
	await new Promise((resolve) => {
		randomBytes(1, resolve);
	});
}

/** How long the node may keep n8n from everything else at a stretch, in milliseconds. */
const MAX_STRETCH = 5;

/** Lets n8n do other work from time to time within a long loop of synchronous work. */
export function createBreather(): () => Promise<void> {
	let since = Date.now();
	return async () => {
		if (Date.now() - since < MAX_STRETCH) return;
		await giveWay();
		since = Date.now();
	};
}
