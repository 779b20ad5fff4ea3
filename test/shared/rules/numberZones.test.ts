import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

import { readMap } from '../../../libphonenumber/write';
import { rulesOf } from '../../../nodes/shared/rules/contactRules';
import { isTimezone } from '../../../nodes/shared/rules/localTime';
import { zonesOfContact, zonesOfNumber } from '../../../nodes/shared/rules/numberZones';

const map = readMap();

/** What libphonenumber itself gives: a row for each list of zones, with `-` for none, and its numbers. */
const ANSWERS = gunzipSync(
	readFileSync(path.join(__dirname, '../../../libphonenumber/answers.txt.gz')),
)
	.toString()
	.trim()
	.split('\n')
	.map((row) => {
		const [zones = '', ...numbers] = row.split(' ');
		return { zones: zones === '-' ? [] : zones.split('&'), numbers };
	});

const numbers = ANSWERS.flatMap((answer) => answer.numbers);

test('the zones are those that libphonenumber gives', () => {
	const wrong = ANSWERS.flatMap(({ zones, numbers: its }) =>
		its.filter((number) => zonesOfNumber(`+${number}`).join() !== zones.join()),
	);

	expect(wrong).toEqual([]);
});

test('libphonenumber was asked for every prefix of its map, and for 800 area codes of +1', () => {
	const begun = new Set(
		numbers.flatMap((number) => Array.from(number, (_, end) => number.slice(0, end + 1))),
	);

	expect([...map.keys()].filter((prefix) => !begun.has(prefix))).toEqual([]);
	expect([...begun].filter((start) => /^1\d{3}$/.test(start)).length).toBeGreaterThanOrEqual(800);
	expect(numbers.length).toBeGreaterThan(15_000);
});

const NEW_YORK = ['America/New_York'];

test('the number says its zones if the rule is on, and no time zone is given', () => {
	const zones = (timezoneFromNumber: boolean, timezone?: string) =>
		zonesOfContact({ toNumber: '+12125551234', rules: rulesOf({ timezoneFromNumber, timezone }) });

	expect(zones(true)).toEqual(NEW_YORK);
	expect([zones(false), zones(true, 'UTC'), zones(false, 'UTC')]).toEqual(Array(3).fill(undefined));
});

test('this Node.js knows all zones', () => {
	expect([...map.values()].flat().filter((zone) => !isTimezone(zone))).toEqual([]);
});

test('a number with a digit more or less, or any other, has zones of its country or none', () => {
	const near = fc
		.tuple(fc.constantFrom(...numbers), fc.nat(14), fc.stringMatching(/^\d{0,2}$/))
		.map(([number, at, other]) => number.slice(0, at + 1) + other + number.slice(at + 2));
	const any = fc.stringMatching(/^[1-9]\d{6,14}$/);
	fc.assert(
		fc.property(fc.oneof(near, any), (number) => {
			const code = [1, 2, 3].map((end) => number.slice(0, end)).find((one) => map.has(one));
			const ofCountry = [...map].flatMap(([prefix, zones]) =>
				code !== undefined && prefix.startsWith(code) ? zones : [],
			);
			expect(ofCountry).toEqual(expect.arrayContaining([...zonesOfNumber(`+${number}`)]));
		}),
	);
});
