import fc from 'fast-check';
import { DateTime } from 'luxon';

import { tellFault } from '../../../nodes/shared/answer/valueFault';
import { isAllowedAt, nextAllowed, type Hours } from '../../../nodes/shared/rules/allowedHours';
import { readHours } from '../../../nodes/shared/rules/hoursText';
import { formatWithZone, instantAt, localTime } from '../../../nodes/shared/rules/localTime';
import { anyText } from '../../anyText';

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

const HOUR = 3_600_000;

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC');
const minutes = fc
	.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 })
	.map((minute) => minute * 60_000);

test('each moment of each zone comes back, or the earlier one that its clock shows alike', () => {
	fc.assert(
		fc.property(zones, minutes, (zone, instant) => {
			const { wall } = localTime(instant, zone);
			const read = instantAt(wall, zone);

			expect(localTime(read, zone).wall).toBe(wall);
			expect(read === instant || (read < instant && read >= instant - 3 * HOUR)).toBe(true);
		}),
		{ numRuns: 2_000 },
	);
});

test.each([
	['an hour that comes twice is the first', '2026-10-25T02:30', BERLIN, '2026-10-25T00:30:00.000Z'],
	['an hour that is left out is later', '2026-03-29T02:30', BERLIN, '2026-03-29T01:30:00.000Z'],
	['in the south', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
])('%s: %s in %s', (_, wall, zone, instant) => {
	expect(new Date(instantAt(Date.parse(`${wall}Z`), zone)).toISOString()).toBe(instant);
});

const every = (from: number, to: number): Hours => ({ days: [], from, to });

test.each<[text: string, hours: Hours[]]>([
	['Mon-Fri 09:00-18:00', [{ days: [1, 2, 3, 4, 5], from: 540, to: 1080 }]],
	['9:00 - 18:00', [every(540, 1080)]],
	['00:00-24:00', [every(0, 1440)]],
	['sat, SUNDAY 10:00-14:00', [{ days: [6, 0], from: 600, to: 840 }]],
	['Fri-Mon 10:00-14:00', [{ days: [5, 6, 0, 1], from: 600, to: 840 }]],
	['Mon,Wed-Thu 10:00–14:00', [{ days: [1, 3, 4], from: 600, to: 840 }]],
	['Monday - Tuesday 10:00-14:00;', [{ days: [1, 2], from: 600, to: 840 }]],
	[
		' Mon 09:00-12:00 ; Tue 13:00-17:00\r\n18:00-19:00 ',
		[{ days: [1], from: 540, to: 720 }, { days: [2], from: 780, to: 1020 }, every(1080, 1140)],
	],
])('%j is read', (text, hours) => {
	expect(readHours(text)).toEqual({ kind: 'read', value: hours });
});

test.each<[text: string, unreadable: string, expected: string]>([
	['  ;\n', '  ;\\n', 'hours'],
	['always', 'always', 'hours'],
	['09:00', '09:00', 'times'],
	['25:00-12:00', '25:00-12:00', 'times'],
	['Xyz-Fri 09:00-18:00', 'Xyz-Fri', 'days'],
	['Fri-Xyz 09:00-18:00', 'Fri-Xyz', 'days'],
	['09:00-17:60', '09:00-17:60', 'times'],
	['Mon-Wed-Fri 09:00-18:00', 'Mon-Wed-Fri', 'days'],
	['Mon, 09:00-18:00', 'Mon,', 'days'],
	['Mon-Fri09:00-18:00', 'Mon-Fri', 'days'],
	['Mon 09:00-12:00, Tue 09:00-12:00', '09:00-12:00, Tue 09:00-12:00', 'times'],
	['09:00-12:00; undefined', 'undefined', 'hours'],
	['09:00-12:00 Europe/Berlin', '09:00-12:00 Europe/Berlin', 'times'],
	['٠٩:٠٠-١٨:٠٠', '٠٩:٠٠-١٨:٠٠', 'hours'],
])('of %j the part %j cannot be read as %s', (text, unreadable, expected) => {
	const problem = expect.stringContaining(`cannot be read as ${expected}, e.g. `) as string;
	expect(readHours(text)).toEqual({ kind: 'bad', value: unreadable, problem });
});

test('whatever is written by the rules is read as it is meant, and whatever else is no hours', () => {
	const NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
	const two = (value: number) => String(value).padStart(2, '0');
	const clock = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
	const range = fc.record({
		days: fc.uniqueArray(fc.nat(6)),
		from: fc.integer({ min: 0, max: 1439 }),
		to: fc.integer({ min: 0, max: 1440 }),
	});
	const write = ({ days, from, to }: Hours) =>
		`${days.map((day) => NAMES[day]).join(', ')} ${clock(from)}-${clock(to)}`.trim();
	fc.assert(
		fc.property(fc.array(range, { minLength: 1, maxLength: 5 }), (hours) => {
			expect(readHours(hours.map(write).join('; '))).toEqual({ kind: 'read', value: hours });
		}),
	);
	fc.assert(
		fc.property(anyText, (text) => {
			const read = readHours(text);
			if (read.kind === 'read') expect(text).toMatch(/\d{1,2}:\d{2}\s*-\s*\d{1,2}:\d{2}/);
			else expect(tellFault(read)).toContain('cannot be read as');
		}),
	);
});
