import { randomBytes } from 'crypto';
import { sleep } from 'n8n-workflow';

import { steadyNow } from './clock';

/**
 * The longest sleep at a time, in milliseconds: a timer of more than 2^31 ms fires at once, and a
 * pending timer keeps its run in memory.
 */
export const MAX_SLEEP = 1_000;

/**
 * Waits until the time has passed, or a second at most after the signal has aborted. It does not
 * listen: of many that wait at a time, Node would warn.
 */
export async function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
	const end = steadyNow() + milliseconds;
	for (let left = milliseconds; left > 0 && !signal.aborted; left = end - steadyNow())
		await sleep(Math.min(left, MAX_SLEEP));
}

/** Waits until the work, which may never end, is done, or the signal aborts: then `undefined`. */
export async function doneOrAborted<T>(
	work: Promise<T>,
	signal?: AbortSignal,
): Promise<T | undefined> {
	let onAbort: () => void = () => undefined;
	const aborted = new Promise<undefined>((resolve) => {
		onAbort = () => {
			resolve(undefined);
		};
		signal?.addEventListener('abort', onAbort, { once: true });
	});
	if (signal?.aborted === true) onAbort();
	// Also if it was aborted before: a failure of the work that nobody awaits would end the process.
	const result = await Promise.race([aborted, work]);
	signal?.removeEventListener('abort', onAbort);
	return result;
}

/**
 * Yields one turn of the event loop. `randomBytes` completes on the thread pool, so awaiting it
 * takes about 0.05 ms; the shortest sleep takes 1 ms, and nodes may not use `setImmediate`.
 */
export async function giveWay(): Promise<void> {
	await new Promise((resolve) => {
		randomBytes(1, resolve);
	});
}

/** How long the node may block the event loop at a time, in milliseconds. */
const MAX_STRETCH = 5;

/** Yields every {@link MAX_STRETCH} within a long loop of synchronous work. */
export function createYielder(): () => Promise<void> {
	let since = steadyNow();
	return async () => {
		if (steadyNow() - since < MAX_STRETCH) return;
		await giveWay();
		since = steadyNow();
	};
}

interface Attempts {
	/** For how long it is tried, in milliseconds. */
	readonly within: number;
	/** The pause after the first attempt, in milliseconds; each further one is twice as long. */
	readonly pause: number;
	/** The longest pause; that after the first, if absent. */
	readonly longest?: number;
}

/** Tries work until it gives something; gives `undefined` if no attempt does in time. */
export async function firstResult<T>(
	attempt: () => Promise<T | undefined> | T | undefined,
	{ within, pause, longest = pause }: Attempts,
): Promise<T | undefined> {
	const end = steadyNow() + within;
	for (let next = pause; ; next = Math.min(2 * next, longest)) {
		const result = await attempt();
		if (result !== undefined || steadyNow() > end) return result;
		await sleep(next);
	}
}
