import fc from 'fast-check';
import { DateTime } from 'luxon';

import { isAllowedAt, nextAllowed, type Hours } from '../../../nodes/shared/rules/allowedHours';
import { formatWithZone } from '../../../nodes/shared/rules/localTime';

const BERLIN = 'Europe/Berlin';

/** Minutes after midnight. */
const at = (time: string): number => {
	const [hour = 0, minute = 0] = time.split(':').map(Number);
	return hour * 60 + minute;
};

const hours = (from: string, to: string, ...days: number[]): Hours => ({
	days,
	from: at(from),
	to: at(to),
});

const instant = (local: string, zone = BERLIN): number =>
	DateTime.fromISO(local, { zone }).toMillis();

const next = (local: string, rows: Hours[], zone = BERLIN): string | null => {
	const found = nextAllowed(instant(local, zone), rows, [zone]);
	return found === undefined ? null : formatWithZone(found, zone);
};

test('without hours, somebody may be reached at any time', () => {
	expect(isAllowedAt(instant('2026-11-20T03:00'), [], BERLIN)).toBe(true);
});

// The clock leaves out the hour after 2026-03-29T02:00, and passes that after 2026-10-25T02:00 twice.
test.each<[from: string, to: string, day: number[], at: string, next: string]>([
	['02:15', '02:45', [0], '2026-03-22T02:50', '2026-04-05T02:15:00+02:00'],
	['02:30', '05:00', [], '2026-03-29T00:10', '2026-03-29T03:00:00+02:00'],
	['02:00', '02:30', [], '2026-10-25T02:40:00+02:00', '2026-10-25T02:00:00+01:00'],
])('from %s to %s on %j: after %s they begin at %s', (from, to, days, local, expected) => {
	expect(next(local, [hours(from, to, ...days)])).toBe(expected);
});

/** All begins, ends and changes of a clock in this file are at a quarter of an hour. In milliseconds. */
const QUARTER = 900_000;

const NINE_DAYS = 9 * 24 * 4 * QUARTER;

/** Whether it is one of the hours, by another library. */
const isOpen =
	(moment: number, rows: Hours[]) =>
	(zone: string): boolean => {
		const { weekday, hour, minute } = DateTime.fromMillis(moment, { zone });
		const time = hour * 60 + minute;
		return rows.some(({ days, from: start, to }) => {
			const isDay = (day: number) => days.length === 0 || days.includes(day % 7);
			if (start === to) return isDay(weekday);
			if (start < to) return isDay(weekday) && time >= start && time < to;
			return (isDay(weekday) && time >= start) || (isDay(weekday + 6) && time < to);
		});
	};

/** The same quarter by quarter, in 9 days. */
function nextByQuarters(from: number, rows: Hours[], zones: string[]): number | undefined {
	for (
		let moment = (Math.floor(from / QUARTER) + 1) * QUARTER;
		moment < from + NINE_DAYS;
		moment += QUARTER
	) {
		if (zones.every(isOpen(moment, rows))) return moment;
	}
	return undefined;
}

test('a moment is allowed, and the next one is found, as by another library', () => {
	const time = fc.nat(95).map((quarter) => quarter * 15);
	const rows = fc.array(
		fc
			.record({
				days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
				from: time,
				to: fc.option(time),
			})
			// Hours that end when they begin are those of a whole day.
			.map(({ to, ...row }) => ({ ...row, to: to ?? row.from })),
		{ minLength: 1, maxLength: 3 },
	);
	const zones = fc.subarray(
		[
			...[BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Beirut', 'UTC'],
			...['Pacific/Apia', 'Asia/Kathmandu', 'America/St_Johns'],
		],
		{ minLength: 1, maxLength: 3 },
	);
	// Around the changes of the year, and at any other time.
	const moment = fc.oneof(
		fc.integer({ min: Date.UTC(2026, 2, 5), max: Date.UTC(2026, 3, 6) }),
		fc.integer({ min: Date.UTC(2026, 9, 1), max: Date.UTC(2026, 10, 3) }),
		fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
	);
	fc.assert(
		fc.property(rows, zones, moment, (hoursOf, timezones, from) => {
			const quarter = Math.floor(from / QUARTER) * QUARTER;
			for (const moment of [from, quarter, quarter - 1, quarter + QUARTER])
				for (const zone of timezones)
					expect(isAllowedAt(moment, hoursOf, zone)).toBe(isOpen(moment, hoursOf)(zone));
			fc.pre(!timezones.every((timezone) => isAllowedAt(from, hoursOf, timezone)));
			const next = nextAllowed(from, hoursOf, timezones);
			const isFar = next !== undefined && next >= from + NINE_DAYS;
			expect(isFar ? undefined : next).toBe(nextByQuarters(from, hoursOf, timezones));
		}),
		{ numRuns: 60 },
	);
});
