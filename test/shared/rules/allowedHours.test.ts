import fc from 'fast-check';
import { DateTime } from 'luxon';

import { isAllowedAt, nextAllowed, type Hours } from '../../../nodes/shared/rules/allowedHours';
import { formatWithZone, isTimezone } from '../../../nodes/shared/rules/localTime';

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

/** Rows of hours that several tests have. */
const DAYTIME = [hours('09:00', '18:00')];
const WITH_PAUSE = [hours('09:00', '12:00'), hours('14:00', '18:00')];
const FRIDAY_NIGHT = [hours('22:00', '02:00', 5)];
const ALL_FRIDAY = [hours('08:00', '08:00', 5)];

describe('hours', () => {
	// 2026-11-20 is a Friday.
	test.each<[string, Hours[], string, boolean]>([
		['no rows', [], '2026-11-20T03:00', true],
		['before the first minute', DAYTIME, '2026-11-20T08:59:59.999', false],
		['in the first minute', DAYTIME, '2026-11-20T09:00', true],
		['in the last minute', DAYTIME, '2026-11-20T17:59:59.999', true],
		['at the end, which is exclusive', DAYTIME, '2026-11-20T18:00', false],
		['on another day', [hours('09:00', '18:00', 1, 2)], '2026-11-20T10:00', false],
		['on one of the days', [hours('09:00', '18:00', 1, 5)], '2026-11-20T10:00', true],
		['in the second row', WITH_PAUSE, '2026-11-20T15:00', true],
		['between two rows', WITH_PAUSE, '2026-11-20T13:00', false],
		['before midnight', FRIDAY_NIGHT, '2026-11-20T23:00', true],
		['after midnight, by the day of the start', FRIDAY_NIGHT, '2026-11-21T01:59', true],
		['after midnight of the day before', FRIDAY_NIGHT, '2026-11-20T01:00', false],
		['at the end after midnight', FRIDAY_NIGHT, '2026-11-21T02:00', false],
		['until midnight', [hours('18:00', '00:00', 5)], '2026-11-20T23:59', true],
		['the whole day at its start', ALL_FRIDAY, '2026-11-20T00:00', true],
		['the whole day at its end', ALL_FRIDAY, '2026-11-20T23:59', true],
		['the day after a whole day', ALL_FRIDAY, '2026-11-21T00:00', false],
		['02:30 of the first pass', [hours('02:00', '03:00')], '2026-10-25T02:30:00+02:00', true],
		['02:30 of the second pass', [hours('02:00', '03:00')], '2026-10-25T02:30:00+01:00', true],
	])('%s', (_, rows, local, expected) => {
		expect(isAllowedAt(instant(local), rows, BERLIN)).toBe(expected);
	});

	// The clock leaves out the hour after 2026-03-29T02:00, and passes that after 2026-10-25T02:00 twice.
	test.each<[from: string, to: string, day: number[], at: string, next: string]>([
		['02:15', '02:45', [0], '2026-03-22T02:50', '2026-04-05T02:15:00+02:00'],
		['02:30', '05:00', [], '2026-03-29T00:10', '2026-03-29T03:00:00+02:00'],
		['02:15', '02:45', [], '2026-03-29T00:10', '2026-03-30T02:15:00+02:00'],
		['02:00', '02:30', [], '2026-10-25T02:40:00+02:00', '2026-10-25T02:00:00+01:00'],
		['01:50', '02:30', [], '2026-10-25T02:40:00+02:00', '2026-10-25T02:00:00+01:00'],
		['08:00', '08:00', [0], '2026-11-20T10:00', '2026-11-22T00:00:00+01:00'],
	])('from %s to %s on %j: after %s they begin at %s', (from, to, days, local, expected) => {
		expect(next(local, [hours(from, to, ...days)])).toBe(expected);
	});

	test.each([
		...['Pacific/Apia', 'Asia/Kathmandu', 'America/St_Johns'],
		...['Australia/Lord_Howe', 'Asia/Beirut'],
	])('in %s', (zone) => {
		expect(isAllowedAt(instant('2026-11-20T09:00', zone), [hours('09:00', '18:00', 5)], zone)).toBe(
			true,
		);
		expect(next('2026-11-20T18:00', DAYTIME, zone)).toBe(
			DateTime.fromISO('2026-11-21T09:00', { zone }).toISO({ suppressMilliseconds: true }),
		);
	});
});

test('a zone is one of the IANA database', () => {
	expect(['Europe/Berlin', 'America/New_York', 'UTC'].map(isTimezone)).toEqual([true, true, true]);
	expect(['Berlin', '', 'Mars/Base', 'UTC '].map(isTimezone)).toEqual(Array(4).fill(false));
});

/** All begins, ends and changes of a clock in this file are at a quarter of an hour. In milliseconds. */
const QUARTER = 900_000;

const NINE_DAYS = 9 * 24 * 4 * QUARTER;

/** The same by another library, quarter by quarter, in 9 days. */
function nextByQuarters(from: number, rows: Hours[], zones: string[]): number | undefined {
	const isOpen =
		(moment: number) =>
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
	for (
		let moment = (Math.floor(from / QUARTER) + 1) * QUARTER;
		moment < from + NINE_DAYS;
		moment += QUARTER
	) {
		if (zones.every(isOpen(moment))) return moment;
	}
	return undefined;
}

test('the next moment is the one that is found quarter by quarter', () => {
	const time = fc.nat(95).map((quarter) => quarter * 15);
	const rows = fc.array(
		fc.record({
			days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
			from: time,
			to: time,
		}),
		{ minLength: 1, maxLength: 3 },
	);
	const zones = fc.subarray(
		[BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Beirut', 'UTC'],
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
			fc.pre(!timezones.every((timezone) => isAllowedAt(from, hoursOf, timezone)));
			const next = nextAllowed(from, hoursOf, timezones);
			const isFar = next !== undefined && next >= from + NINE_DAYS;
			expect(isFar ? undefined : next).toBe(nextByQuarters(from, hoursOf, timezones));
		}),
		{ numRuns: 60 },
	);
});
