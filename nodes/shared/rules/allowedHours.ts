import { DAY } from '../time/clock';
import { localTime } from './localTime';

/** Hours in which people may be reached, by the clock of a zone. */
export interface Hours {
	/** The days on which they begin, 0 for Sunday to 6; none stands for every day. */
	readonly days: readonly number[];
	/** Minutes after midnight. */
	readonly from: number;
	/** Minutes after midnight, exclusive; before `from` over midnight, equal to it the whole day. */
	readonly to: number;
}

const MINUTE = 60_000;

/** How many days are searched for hours: two weeks, since a clock change can leave out a day. */
const SEARCHED_DAYS = 15;

/**
 * Says whether somebody may be reached at a moment, in milliseconds since the epoch; without hours,
 * always. Both passes of an hour that the end of daylight saving time repeats count.
 */
export function isAllowedAt(instant: number, hours: readonly Hours[], timezone: string): boolean {
	if (hours.length === 0) return true;
	const { wall } = localTime(instant, timezone);
	const today = Math.floor(wall / DAY);
	const minute = Math.floor((wall - today * DAY) / MINUTE);
	return hours.some(({ days, from, to }) => {
		const begins = (day: number): boolean => days.length === 0 || days.includes(weekday(day));
		if (from === to) return begins(today);
		if (from < to) return begins(today) && minute >= from && minute < to;
		return (begins(today) && minute >= from) || (begins(today - 1) && minute < to);
	});
}

/**
 * Finds the first moment after this one at which somebody may be reached in all of the zones, in
 * milliseconds since the epoch; `undefined` if there is none within two weeks. Hours that the start
 * of daylight saving time leaves out begin when it has begun.
 */
export function nextAllowed(
	instant: number,
	hours: readonly Hours[],
	timezones: readonly string[],
): number | undefined {
	const moments = new Set(timezones.flatMap((timezone) => beginnings(instant, hours, timezone)));
	return [...moments]
		.filter((moment) => moment > instant)
		.sort((first, second) => first - second)
		.find((moment) => timezones.every((timezone) => isAllowedAt(moment, hours, timezone)));
}

/** The moments at which hours of a zone can begin, in milliseconds since the epoch. */
function beginnings(instant: number, hours: readonly Hours[], timezone: string): number[] {
	const moments = Array.from({ length: SEARCHED_DAYS + 1 }, (_, days) => {
		const moment = instant + days * DAY;
		return { moment, offset: localTime(moment, timezone).offset };
	});
	const changes = moments.flatMap((later, index) => {
		const earlier = moments[index - 1];
		const isChange = earlier !== undefined && earlier.offset !== later.offset;
		return isChange ? [findOffsetChange(earlier.moment, later.moment, timezone)] : [];
	});
	const offsets = [...new Set(moments.map(({ offset }) => offset))];
	const today = Math.floor(localTime(instant, timezone).wall / DAY);
	const starts = moments.flatMap((_, days) =>
		hours.flatMap(({ from, to }) => {
			const start = (today + days) * DAY + (from === to ? 0 : from * MINUTE);
			return offsets.map((offset) => start - offset);
		}),
	);
	return [...starts, ...changes];
}

/** When the offset of a zone changes between two moments; to the minute, as all zones change. */
function findOffsetChange(from: number, to: number, timezone: string): number {
	const offsetBefore = localTime(from, timezone).offset;
	let [lastMinuteBefore, firstMinuteAfter] = [Math.floor(from / MINUTE), Math.ceil(to / MINUTE)];
	while (firstMinuteAfter - lastMinuteBefore > 1) {
		const middleMinute = Math.floor((lastMinuteBefore + firstMinuteAfter) / 2);
		if (localTime(middleMinute * MINUTE, timezone).offset === offsetBefore)
			lastMinuteBefore = middleMinute;
		else firstMinuteAfter = middleMinute;
	}
	return firstMinuteAfter * MINUTE;
}

/** @param day days since the epoch, which was a Thursday */
const weekday = (day: number): number => (day + 4) % 7;
