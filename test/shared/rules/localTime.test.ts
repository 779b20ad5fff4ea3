import fc from 'fast-check';

import { instantAt, localTime } from '../../../nodes/shared/rules/localTime';

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

const BERLIN = 'Europe/Berlin';

test.each([
	['an hour that comes twice is the first', '2026-10-25T02:30', BERLIN, '2026-10-25T00:30:00.000Z'],
	['an hour that is left out is later', '2026-03-29T02:30', BERLIN, '2026-03-29T01:30:00.000Z'],
	['in the south', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
])('%s: %s in %s', (_, wall, zone, instant) => {
	expect(new Date(instantAt(Date.parse(`${wall}Z`), zone)).toISOString()).toBe(instant);
});
