import { DAY } from '../time/clock';

/** By zone; a format takes a tenth of a millisecond to make, and there are some hundred zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
	const options = { timeZone: timezone, timeZoneName: 'longOffset' } as const;
	const format = formats.get(timezone) ?? new Intl.DateTimeFormat('en-US', options);
	formats.set(timezone, format);
	return format;
}

/** Says whether this Node.js knows a name as a zone of the IANA database, e.g. `Europe/Berlin`. */
export function isTimezone(timezone: string): boolean {
	try {
		formatOf(timezone);
		// Later releases of Node.js also know offsets.
		return /^[a-z]/i.test(timezone);
	} catch {
		return false;
	}
}

/** How far a zone is ahead of UTC: `+05:30`. */
const offsetAt = (instant: number, timezone: string): string =>
	/GMT(.+)$/.exec(formatOf(timezone).format(instant))?.[1] ?? '+00:00';

/**
 * Reads what a clock in a zone shows, `wall`: local date and time as if UTC. `offset` is how far
 * the zone is ahead of UTC then. All are in milliseconds, and moments since the epoch.
 *
 * @throws RangeError if there is no such zone
 */
export function localTime(instant: number, timezone: string): { wall: number; offset: number } {
	const offset = 0 - Date.parse(`1970-01-01T00:00${offsetAt(instant, timezone)}`);
	return { wall: instant + offset, offset };
}

/**
 * Finds the moment at which a clock in a zone shows `wall`, see {@link localTime}: the first one if
 * the hour comes twice; if it is left out, as much later as the clock is set forward. `NaN` if
 * there is no such zone.
 */
export function instantAt(wall: number, timezone: string): number {
	if (!isTimezone(timezone)) return Number.NaN;
	const withOffsetAt = (near: number): number => wall - localTime(near, timezone).offset;
	const [before, after] = [withOffsetAt(wall - DAY), withOffsetAt(wall + DAY)];
	const hasWallTime = (instant: number): boolean => localTime(instant, timezone).wall === wall;
	return !hasWallTime(before) && hasWallTime(after) ? after : before;
}

/** Writes a moment as ISO 8601 with the offset of its zone: `2026-11-23T09:00:00+01:00`. */
export const formatWithZone = (instant: number, timezone: string): string =>
	new Date(localTime(instant, timezone).wall).toISOString().replace(/(?:\.000)?Z$/, '') +
	offsetAt(instant, timezone);
