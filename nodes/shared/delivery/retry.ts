import type { Answer } from '../answer';
import type { FailureKind } from '../failure';
import type { Operation } from '../operation';

/**
 * Which failures are tried again. An operation that reaches people or adds data is tried again only if
 * the service certainly did nothing: no connection was made, or it answered 429, or 503 with
 * Retry-After. A timeout or a broken answer is never tried again.
 */
const RETRIED_KINDS: readonly FailureKind[] = ['unreachable', 'rateLimited', 'serviceError'];

export const MAX_TRIES = 4;

/** Back-off before the second try, in milliseconds; it doubles with each further one. */
const FIRST_BACKOFF = 500;

/** How long an item may spend on tries and waits before the last one starts, in milliseconds. */
const MAX_TOTAL = 120_000;

/**
 * How long to wait before the next try, in milliseconds, or `undefined` if there is to be none.
 *
 * @param elapsed milliseconds since the first try started
 */
export function retryDelay(
	{ repeatable }: Operation,
	{ failure, retryAfter }: Answer & { accepted: false },
	tries: number,
	elapsed: number,
): number | undefined {
	const isSafe = repeatable || failure.outcome !== 'unknown';
	if (!isSafe || !RETRIED_KINDS.includes(failure.kind) || tries >= MAX_TRIES) return undefined;
	const delay = readRetryAfter(retryAfter) ?? backoff(tries);
	return elapsed + delay <= MAX_TOTAL ? delay : undefined;
}

/** Exponential, with jitter between half and the whole. */
function backoff(tries: number): number {
	const whole = FIRST_BACKOFF * 2 ** (tries - 1);
	return whole / 2 + Math.random() * (whole / 2);
}

/** The header Retry-After, in seconds or as an HTTP date, in milliseconds from now. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
	if (header === undefined) return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
	const date = /\d:\d\d/.test(header) ? Date.parse(header) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
