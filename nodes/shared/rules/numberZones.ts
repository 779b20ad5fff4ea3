import { nodesOnTheWay, numberOf, readTree, unpack } from './digitTree';
import { isTimezone } from './localTime';
import type { Person } from './person';
import * as data from './zoneData';

let tables: ReturnType<typeof unpackTables> | undefined;

/** Unpacks the tables when the first number is asked for; takes some 20 milliseconds. */
const load = () => (tables ??= unpackTables());

const unpackTables = () => ({
	zones: unpack(data.ZONES).split(' '),
	/** The zones by prefix of a number: two letters for each. */
	areas: readTree(unpack(data.AREAS)),
	/** All numbers. Each ends with a label: `a` if of an area, `c` if only its country is known. */
	numbers: readTree(unpack(data.NUMBERS)),
	/** What may stand before a national number, and what replaces it, by calling code. */
	prefixes: new Map(unpack(data.PREFIXES).split(';').map(readPrefix)),
});

function readPrefix(row: string): [code: string, { pattern: RegExp; transform: string }] {
	const [code = '', pattern = '', transform = ''] = row.replaceAll('~', '\\').split(' ');
	return [code, { pattern: new RegExp(`^(?:${pattern})`), transform }];
}

/**
 * Finds the zones a number can be in, like `getTimeZonesForNumber` of libphonenumber 9.0.35
 * (2026-07-16): those of its area, or its country's if its digits name no area, such as a toll-free
 * one or most mobile ones. None if nothing is known of it, or this Node.js lacks a zone.
 *
 * @param cleaned `+` and digits with their country code
 */
export function zonesOfNumber(cleaned: string): readonly string[] {
	const codes = zoneCodes(cleaned.slice(1)).match(/../g) ?? [];
	const names = codes.map((code) => load().zones[numberOf(code.toUpperCase())] ?? '');
	return names.every(isTimezone) ? names : [];
}

/** Finds the zones in which a contact's hours must hold; `undefined` if not by the number. */
export const zonesOfContact = ({ toNumber, rules }: Person): readonly string[] | undefined =>
	rules.timezoneFromNumber && rules.timezone === undefined ? zonesOfNumber(toNumber) : undefined;

/** The zones of a number, two letters for each; empty if nothing is known of it. */
function zoneCodes(digits: string): string {
	const { areas, numbers } = load();
	for (const number of [withoutPrefix(digits), digits]) {
		const kind = nodesOnTheWay(numbers, number)[number.length]?.label;
		const labels = nodesOnTheWay(areas, number).flatMap(({ label }) => label || []);
		if (kind === 'a') return labels.at(-1) ?? '';
		if (kind === 'c') return labels[0] ?? '';
	}
	return '';
}

/** The number without its national prefix, such as the 0 of +44 0…, if it has one. */
function withoutPrefix(digits: string): string {
	for (const length of [1, 2, 3]) {
		const code = digits.slice(0, length);
		const prefix = load().prefixes.get(code);
		if (prefix === undefined) continue;
		const written = digits.slice(length);
		const lastGroup = prefix.pattern.exec(written)?.at(-1);
		return code + written.replace(prefix.pattern, lastGroup === undefined ? '' : prefix.transform);
	}
	return digits;
}
