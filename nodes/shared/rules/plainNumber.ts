const SPACE = 0x20;
const OPENING = 0x28;
const CLOSING = 0x29;
const PLUS = 0x2b;
const DASH = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;

/** The longest text that is read here, in characters. */
const MAX_LENGTH = 50;

/**
 * Reads a phone number that is written plainly: digits with a country code, with or without `+` or `00` before them, and
 * spaces, dots, dashes and round brackets between them. Whatever else is `NaN`: `readListed` decides on it. A number that
 * is read here is the number that `readListed` reads, in a hundredth of the time.
 *
 * @returns the digits as a whole number; there are at most 15 of them, so it is exact
 */
export function plainNumber(entry: unknown): number {
	if (typeof entry === 'number')
		return Number.isInteger(entry) ? withSevenToFifteenDigits(entry) : NaN;
	if (typeof entry !== 'string') return NaN;
	const text = entry.trim();
	if (text.length > MAX_LENGTH) return NaN;
	let number = 0;
	let isOpen = false;
	let dots = 0;
	let others = 0;
	for (let at = lengthOfPrefix(text); at < text.length; at++) {
		const code = text.charCodeAt(at);
		const digit = code - ZERO;
		if (digit >= 0 && digit <= 9) {
			// A country code does not begin with a zero, and one in brackets may not be meant to be dialled.
			if (digit === 0 && (number === 0 || isOpen)) return NaN;
			number = number * 10 + digit;
			isOpen = false;
		} else {
			if (number === 0 || !isFormatting(code)) return NaN;
			isOpen ||= code === OPENING;
			if (code === DOT) dots++;
			else others++;
		}
	}
	// One dot alone, or before a last zero, may be that of a decimal number.
	const isDecimal = (dots === 1 && others === 0) || text.endsWith('.0');
	return isDecimal ? NaN : withSevenToFifteenDigits(number);
}

function lengthOfPrefix(text: string): number {
	if (text.charCodeAt(0) === PLUS) return 1;
	return text.charCodeAt(0) === ZERO && text.charCodeAt(1) === ZERO ? 2 : 0;
}

const isFormatting = (code: number): boolean =>
	code === SPACE || code === DASH || code === DOT || code === OPENING || code === CLOSING;

const withSevenToFifteenDigits = (number: number): number =>
	number >= 1e6 && number < 1e15 ? number : NaN;
