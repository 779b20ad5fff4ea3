import fc from 'fast-check';

import { readCallBackTime, readYesOrNo } from '../../nodes/AssistantServiceTrigger/resultValues';
import { formatWithZone, localTime } from '../../nodes/shared/rules/localTime';

const TEXTS = { yes: ['true', 'yes', '1'], no: ['false', 'no', '0'] };

/** A text in any case, with white space around it. */
const written = (texts: readonly string[]) =>
	fc
		.tuple(fc.constantFrom(...texts), fc.constantFrom('', ' ', '\n\t'), fc.func(fc.boolean()))
		.map(([text, space, isUpper]) => {
			const letters = Array.from(text, (letter) =>
				isUpper(letter) ? letter.toUpperCase() : letter,
			);
			return space + letters.join('') + space;
		});

test.each([
	[true, fc.oneof(fc.constantFrom<unknown>(true, 1), written(TEXTS.yes))],
	[false, fc.oneof(fc.constantFrom<unknown>(false, 0, -0), written(TEXTS.no))],
	[null, fc.oneof(fc.constantFrom<unknown>(null, undefined), written(['', ' ']))],
])('%p is read of each way to write it', (meaning, values) => {
	fc.assert(
		fc.property(values, (value) => {
			expect(readYesOrNo(value)).toBe(meaning);
		}),
	);
});

test('whatever else JSON knows is neither', () => {
	const meant = [...TEXTS.yes, ...TEXTS.no, ''];
	const others = fc.jsonValue().filter((value) => {
		if (typeof value === 'string') return !meant.includes(value.trim().toLowerCase());
		return value !== null && typeof value !== 'boolean' && value !== 0 && value !== 1;
	});
	fc.assert(
		fc.property(others, (value) => {
			expect(readYesOrNo(value)).toBeUndefined();
		}),
		{ examples: [[[]], [{}], [['yes']], ['N/A'], ['01'], ['yes.'], [2]] },
	);
});

const RECEIVED = Date.parse('2026-11-23T09:00:00Z');
const DAY = 24 * 3_600_000;

const read = (value: unknown, zone = 'UTC') => readCallBackTime(value, zone, RECEIVED);

test.each([
	['2026-11-23T10:00', 'UTC', '2026-11-23T10:00:00.000Z'],
	['2026-11-23T10:00', 'Asia/Tokyo', undefined],
	['2026-11-23T18:00:01', 'Asia/Tokyo', '2026-11-23T09:00:01.000Z'],
	['2026-11-23T10:00Z', 'Asia/Tokyo', '2026-11-23T10:00:00.000Z'],
	['2026-11-23T10:00+01:00', 'UTC', '2026-11-23T09:00:00.000Z'],
	['2026-11-23T06:30:00.5-0500', 'UTC', '2026-11-23T11:30:00.500Z'],
	[' 2026-11-23T10:00Z\n', 'UTC', '2026-11-23T10:00:00.000Z'],
	['2028-02-29T10:00', 'UTC', undefined],
	['2027-11-23T09:00:00', 'UTC', '2027-11-23T09:00:00.000Z'],
	['2027-11-23T09:00:00.001', 'UTC', undefined],
	['2026-11-23T08:59:59.999Z', 'UTC', undefined],
	['2026-11-31T10:00', 'UTC', undefined],
	['2027-02-29T10:00', 'UTC', undefined],
	['2026-12-01T24:00', 'UTC', undefined],
	['2026-12-01T10:00+25:99', 'UTC', undefined],
	['2026-12-01T10:00', 'Nowhere/Land', undefined],
])('%j in %s is %p', (value, zone, time) => {
	expect(read(value, zone)).toBe(time);
});

test.each([undefined, null, '', ' \n'])('%p says nothing', (value) => {
	expect(read(value)).toBeNull();
});

test.each<unknown>([
	...['2026-12-01', '10:00', 'tomorrow', '2026-12-01 10:00', '1796120000', '01.12.2026 10:00'],
	...[1_796_120_000_000, true, [], {}, ['2026-12-01T10:00']],
])('%j cannot be read', (value) => {
	expect(read(value)).toBeUndefined();
});

test('each time of the coming year comes back, with the offset of its zone and by its clock', () => {
	const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
	const times = fc.integer({ min: 1, max: 365 * DAY - 1 }).map((passed) => RECEIVED + passed);
	fc.assert(
		fc.property(zones, times, (zone, time) => {
			expect(read(formatWithZone(time, zone))).toBe(new Date(time).toISOString());
			const shown = new Date(localTime(time, zone).wall).toISOString().replace('Z', '');
			const byClock = Date.parse(read(shown, zone) ?? '');
			// An hour that comes twice is the first of both.
			expect([time, time - 3_600_000, time - 1_800_000, Number.NaN]).toContain(byClock);
			expect(Number.isNaN(byClock) && time > RECEIVED + DAY).toBe(false);
		}),
		{ numRuns: 1_000 },
	);
});
