import { nodesOnTheWay, numberOf, readTree, unpack, type DigitTree } from './digitTree';
import { isTimezone } from './localTime';
import type { Person } from './person';
import * as data from './zoneData';

/** What may stand before a national number, such as the 0 of +44 0…, and what replaces it. */
interface NationalPrefix {
	readonly pattern: RegExp;
	readonly transform: string;
}

interface Tables {
	readonly zones: readonly string[];
	/** The zones by prefix of a number: two letters for each. */
	readonly areas: DigitTree;
	/** All numbers. Each ends with a label: `a` if of an area, `c` if only its country is known. */
	readonly numbers: DigitTree;
	/** By calling code. */
	readonly prefixes: ReadonlyMap<string, NationalPrefix>;
}

let tables: Tables | undefined;

/** Unpacks the tables when the first number is asked for; takes some 20 milliseconds. */
const load = (): Tables =>
	(tables ??= {
		zones: unpack(data.ZONES).split(' '),
		areas: readTree(unpack(data.AREAS)),
		numbers: readTree(unpack(data.NUMBERS)),
		prefixes: readPrefixes(unpack(data.PREFIXES)),
	});

const readPrefixes = (text: string): ReadonlyMap<string, NationalPrefix> =>
	new Map(
		text.split(';').map((row) => {
			const [code = '', pattern = '', transform = ''] = row.replaceAll('~', '\\').split(' ');
			return [code, { pattern: new RegExp(`^(?:${pattern})`), transform }];
		}),
	);

/**
 * Finds the zones a number can be in, like `getTimeZonesForNumber` of libphonenumber 9.0.35
 * (2026-07-16): those of its area, or its country's if its digits name no area, such as a toll-free
 * one or most mobile ones. None if nothing is known of it, or this Node.js lacks a zone.
 *
 * An area code is not where the phone is.
 *
 * @param cleaned `+` and digits with their country code
 */
export function zonesOfNumber(cleaned: string): readonly string[] {
	const codes = labelOf(cleaned.slice(1)).match(/../g) ?? [];
	const names = codes.map((code) => load().zones[numberOf(code.toUpperCase())] ?? '');
	return names.every(isTimezone) ? names : [];
}

/** Finds the zones in which a contact's hours must hold; `undefined` if not by the number. */
export const zonesOfContact = ({ toNumber, rules }: Person): readonly string[] | undefined =>
	rules.timezoneFromNumber && rules.timezone === undefined ? zonesOfNumber(toNumber) : undefined;

/** The zones of a number, two letters for each; empty if nothing is known of it. */
function labelOf(digits: string): string {
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
