import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
/** Long: it is to end what hangs, not to tell what is slow. */
const WITHIN_MS = 240_000;

/** Asks again until there is an answer. */
export async function eventually<T>(
	what: string,
	ask: () => Promise<T | undefined>,
	withinMs = WITHIN_MS,
): Promise<T> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
		await sleep(POLL_MS);
	}
}
