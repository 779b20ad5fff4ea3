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

/** How long the node may keep n8n from everything else at a stretch, in milliseconds. */
const MAX_STRETCH = 15;

/** Lets n8n do other work from time to time within a long loop of synchronous work. */
export function createBreather(): () => Promise<void> {
	let since = Date.now();
	return async () => {
		if (Date.now() - since < MAX_STRETCH) return;
		await sleep(0);
		since = Date.now();
	};
}
