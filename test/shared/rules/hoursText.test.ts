import fc from 'fast-check';

import { tellFault } from '../../../nodes/shared/answer/valueFault';
import type { Hours } from '../../../nodes/shared/rules/allowedHours';
import { readHours } from '../../../nodes/shared/rules/hoursText';
import { anyText } from '../../anyText';

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
