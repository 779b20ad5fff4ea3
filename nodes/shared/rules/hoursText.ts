import { bad, type Parsed } from '../answer/valueFault';
import { isBlank } from '../values';
import type { Hours } from './allowedHours';

const EXPECTED = {
	days: 'days, e.g. Mon-Fri or Sat, Sun',
	times: 'times, e.g. 09:00-18:00, with ; between several hours',
	hours: 'hours, e.g. Mon-Fri 09:00-18:00; Sat 10:00-14:00',
} as const;

/** Says which part of a text cannot be read, and what it should have been. */
const unreadable = (text: string, expected: keyof typeof EXPECTED): Parsed<never> =>
	bad(text, `cannot be read as ${EXPECTED[expected]}`);

const DASHES = /[\u2010-\u2015\u2212]/g;

/** Days with white space behind them, or none. */
const DAYS_PART = /^$|\s$/;

const TIMES_PART = /^(\d{1,2}:\d{2})\s*-\s*(\d{1,2}:\d{2})$/;

const TIME = /^(?:[01]?\d|2[0-3]):[0-5]\d$/;

const MINUTES_A_DAY = 24 * 60;

/** In the order of JavaScript. */
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * Reads hours in which people may be reached: ranges like `Mon-Fri 09:00-18:00`, `09:00-18:00`
 * (every day) or `Sat, Sun 10:00-24:00`, parted by `;` or line breaks. Days are three letters or
 * the English name, in any case. All must be readable: what is skipped could bar hours.
 */
export function readHours(text: string): Parsed<Hours[]> {
	const hours: Hours[] = [];
	for (const part of text.split(/[;\n\r]/)) {
		if (isBlank(part)) continue;
		const range = readRange(part.trim().replace(DASHES, '-'));
		if (range.kind !== 'read') return range;
		hours.push(range.value);
	}
	return hours.length > 0 ? { kind: 'read', value: hours } : unreadable(text, 'hours');
}

/** `Mon-Fri 09:00-18:00`: days, which may be missing, and two times. */
function readRange(part: string): Parsed<Hours> {
	const firstDigitAt = part.search(/\d/);
	if (firstDigitAt < 0) return unreadable(part, 'hours');
	const [written, times] = [part.slice(0, firstDigitAt), part.slice(firstDigitAt)];
	const [, begin = '', end = ''] = TIMES_PART.exec(times) ?? [];
	const days = written === '' ? [] : readDays(written);
	if (days === undefined || !DAYS_PART.test(written)) return unreadable(written.trim(), 'days');
	const from = readTime(begin);
	const to = end === '24:00' ? MINUTES_A_DAY : readTime(end);
	if (from === undefined || to === undefined) return unreadable(times, 'times');
	return { kind: 'read', value: { days, from, to } };
}

function readTime(text: string): number | undefined {
	if (!TIME.test(text)) return undefined;
	const [hours = '', minutes = ''] = text.split(':');
	return Number(hours) * 60 + Number(minutes);
}

/** `Mon, Wed-Fri`; a span may go over the end of the week. */
function readDays(text: string): number[] | undefined {
	const days: number[] = [];
	for (const entry of text.split(',')) {
		const [first = -1, last = first, ...more] = entry.split('-').map(readDay);
		if (first < 0 || last < 0 || more.length > 0) return undefined;
		const count = ((last - first + 7) % 7) + 1;
		for (let day = first; day < first + count; day++) days.push(day % 7);
	}
	return days;
}

/** The number of a day, 0 for Sunday; -1 if the text is none. */
function readDay(text: string): number {
	const name = text.trim().toLowerCase();
	return DAYS.findIndex((day) => name === day || name === day.slice(0, 3));
}
