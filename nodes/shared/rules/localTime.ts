/** A moment as a clock on a wall shows it. */
export interface LocalTime {
	/** The local date and time as if they were UTC, in milliseconds since the epoch. */
	readonly wall: number;
	/** How far the zone is ahead of UTC at this moment, in milliseconds. */
	readonly offset: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How many zones are prepared at a time; a format takes a tenth of a millisecond to make. */
const MAX_FORMATS = 1_000;

/** @throws RangeError if there is no such zone */
function formatOf(timezone: string): Intl.DateTimeFormat {
	const known = formats.get(timezone);
	if (known) return known;
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone: timezone,
		calendar: 'gregory',
		numberingSystem: 'latn',
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	if (formats.size >= MAX_FORMATS) formats.clear();
	formats.set(timezone, format);
	return format;
}

/** True for a zone of the IANA database, such as `Europe/Berlin`, by what this Node.js knows. */
export function isTimezone(timezone: string): boolean {
	try {
		formatOf(timezone);
		return true;
	} catch {
		return false;
	}
}

/**
 * What a clock in a zone shows.
 *
 * @param instant in milliseconds since the epoch
 * @throws RangeError if there is no such zone
 */
export function localTime(instant: number, timezone: string): LocalTime {
	const second = Math.floor(instant / 1_000) * 1_000;
	const part: Record<string, number> = {};
	for (const { type, value } of formatOf(timezone).formatToParts(second))
		part[type] = Number(value);
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = part;
	const wall = Date.UTC(year, month - 1, day, hour, minute, seconds);
	return { wall: wall + (instant - second), offset: wall - second };
}

/** A moment as ISO 8601 with the offset of its zone, to the second: `2026-11-23T09:00:00+01:00`. */
export function formatWithZone(instant: number, timezone: string): string {
	const { wall, offset } = localTime(instant, timezone);
	const minutes = Math.round(Math.abs(offset) / 60_000);
	const two = (value: number): string => String(value).padStart(2, '0');
	const sign = offset < 0 ? '-' : '+';
	const zone = `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
	return new Date(wall).toISOString().slice(0, 19) + zone;
}
