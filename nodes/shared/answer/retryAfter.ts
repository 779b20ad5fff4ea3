/** What a service may ask for at most, in milliseconds: a hundred years, so that it stays a date. */
const MAX_RETRY_AFTER = 100 * 365 * 24 * 3_600_000;

/** The header Retry-After, in seconds or as an HTTP date, in milliseconds from now; at most a hundred years. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER);
	const date = /\d:\d\d/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MAX_RETRY_AFTER);
}
