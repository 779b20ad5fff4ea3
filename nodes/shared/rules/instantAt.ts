import { isTimezone, localTime } from './localTime';

const DAY = 24 * 3_600_000;

/**
 * Finds the moment at which a clock in a zone shows `wall`, see {@link localTime}: the first one if
 * the hour comes twice; if it is left out, as much later as the clock is set forward. `NaN` if
 * there is no such zone.
 */
export function instantAt(wall: number, timezone: string): number {
	if (!isTimezone(timezone)) return Number.NaN;
	const withOffsetAt = (near: number): number => wall - localTime(near, timezone).offset;
	const [before, after] = [withOffsetAt(wall - DAY), withOffsetAt(wall + DAY)];
	const isShown = (instant: number): boolean => localTime(instant, timezone).wall === wall;
	return !isShown(before) && isShown(after) ? after : before;
}
