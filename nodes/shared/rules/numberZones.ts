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
	/** The numbers that there are. Each ends with a label: `a` if it is of an area, `c` if only its country is known. */
	readonly numbers: DigitTree;
	/** By calling code. */
	readonly prefixes: ReadonlyMap<string, NationalPrefix>;
}

let tables: Tables | undefined;

/** Unpacked when the first number is asked for; takes some 20 milliseconds. */
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
 * Finds the time zones that a number can be in, like `getTimeZonesForNumber` of libphonenumber 9.0.35 (2026-07-16):
 * those of its area; those of its whole country if its digits name no area, such as a mobile number in most countries
 * or a toll-free one. None if nothing is known of the number, or if this Node.js does not know one of the zones.
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

/** Finds the zones in which the hours of a contact must hold; `undefined` if they do not come from the number. */
export const zonesOfContact = ({ toNumber, rules }: Person): readonly string[] | undefined =>
	rules.timezoneFromNumber && rules.timezone === undefined ? zonesOfNumber(toNumber) : undefined;

/** The zones of a number, two letters for each; empty if nothing is known of it. */
function labelOf(digits: string): string {
	const { areas, numbers } = load();
	for (const number of [withoutPrefix(digits), digits]) {
		const kind = nodesOnTheWay(numbers, number)[number.length]?.label;
		const labels = nodesOnTheWay(areas, number)
			.map(({ label }) => label)
			.filter((label) => label !== '');
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
		if (prefix !== undefined) return code + nationalPart(digits.slice(length), prefix);
	}
	return digits;
}

function nationalPart(written: string, { pattern, transform }: NationalPrefix): string {
	const found = pattern.exec(written);
	if (found === null) return written;
	const isKept = transform !== '' && found.at(-1) !== undefined;
	return isKept ? written.replace(pattern, transform) : written.slice(found[0].length);
}
