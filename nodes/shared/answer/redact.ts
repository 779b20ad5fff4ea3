import { isContainer, isDeeperThan, isObject, MAX_DEPTH, toPlainText } from '../values';

const MASK = '*****';

/** A shorter secret could be a part of ordinary words and identifiers. */
const MIN_SECRET_LENGTH = 8;

/** Lists what of a credential must appear nowhere. */
export const secretsOf = (values: Readonly<Record<string, unknown>>): string[] =>
	['apiKey', 'n8nApiKey', 'webhookSecret', 'previousWebhookSecret'].map((name) =>
		toPlainText(values[name]),
	);

/**
 * Prepares to copy JSON without secrets in texts, numbers (which become texts) or property names:
 * as they are, or encoded as in JSON, an address or a page. Ignores secrets of under 8 characters.
 * The copy of a value nested over 200 deep is `undefined`.
 */
export function createRedaction(secrets: readonly string[]): (value: unknown) => unknown {
	const patterns = secrets
		.filter(({ length }) => length >= MIN_SECRET_LENGTH)
		// The longest first, so that none is broken up by another that is a part of it.
		.sort((first, second) => second.length - first.length)
		.flatMap(patternsOf);
	const clean = (text: string): string =>
		patterns.reduce((cleaned, pattern) => cleaned.replace(pattern, MASK), text);
	const walk = (part: unknown): unknown => {
		if (typeof part === 'string') return clean(part);
		if (typeof part === 'number') return clean(String(part)) === String(part) ? part : MASK;
		if (Array.isArray(part)) return part.map(walk);
		if (!isObject(part)) return part;
		const entries = Object.entries(part).map(([name, inner]) => [clean(name), walk(inner)]);
		return Object.fromEntries(entries);
	};
	return (value) =>
		isContainer(value) && isDeeperThan(value, MAX_DEPTH) ? undefined : walk(value);
}

function patternsOf(secret: string): RegExp[] {
	const inJson = literally(JSON.stringify(secret).slice(1, -1)).replaceAll('/', '\\\\?/');
	return [secret.replace(/./gsu, inText), inJson].map((text) => new RegExp(text, 'g'));
}

/** A character as it is, or encoded in an address, a form (a plus for a space) or a page. */
function inText(character: string): string {
	const hex = Buffer.from(character).toString('hex').replace(/../g, '%$&');
	const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const inPage = /\w/.test(character) ? '' : '|&#?\\w+;';
	return `(?:${anyCase}|${literally(character)}${character === ' ' ? '|\\+' : ''}${inPage})`;
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
