import { isContainer, isDeeperThan, isObject, MAX_DEPTH } from '../values';

const MASK = '*****';

/** A shorter secret could be a part of ordinary words and identifiers. */
const MIN_SECRET_LENGTH = 8;

/** Makes a copy of a JSON value in which no text, number or property name holds a secret; such a number becomes text. */
export type Redaction = (value: unknown) => unknown;

/**
 * Prepares to take secrets out of JSON values: as they are, escaped as in JSON, percent-encoded, in hex (upper or lower
 * case) and in base64 or base64url, also within a longer base64 text. In base64, the character before and after may
 * stay, which hold less than a byte of a secret. A secret of less than 8 characters is not looked for.
 *
 * The value itself is returned if it is clean. Nothing (`undefined`) is returned of a value that is nested more than
 * 200 deep.
 */
export function createRedaction(secrets: readonly string[]): Redaction {
	const all = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH).flatMap(formsOf);
	/** The longest first, so that no form is broken up by another that is a part of it. */
	const forms = [...new Set(all)].sort((one, other) => other.length - one.length);
	/** The forms as they stand in the JSON text of a value. */
	const inJson = forms.map(escapeJson);
	const clean = (text: string): string =>
		forms.reduce((cleaned, form) => cleaned.replaceAll(form, MASK), text);
	const holdsForm = (text: string): boolean => forms.some((form) => text.includes(form));
	const walk = (part: unknown): unknown => {
		if (typeof part === 'string') return clean(part);
		if (typeof part === 'number') return holdsForm(String(part)) ? clean(String(part)) : part;
		if (Array.isArray(part)) return part.map(walk);
		if (isObject(part)) {
			return Object.fromEntries(
				Object.entries(part).map(([name, inner]) => [clean(name), walk(inner)]),
			);
		}
		return part;
	};
	return (value) => {
		if (isContainer(value) && isDeeperThan(value, MAX_DEPTH)) return undefined;
		const json = (JSON.stringify(value) as string | undefined) ?? '';
		return inJson.some((form) => json.includes(form)) ? walk(value) : value;
	};
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function formsOf(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const hex = bytes.toString('hex');
	return [
		secret,
		...jsonForms(secret),
		...percentForms(bytes.toString()),
		hex,
		hex.toUpperCase(),
		...base64Forms(bytes),
	];
}

/** As JSON.stringify escapes it, and as others do, who escape slashes or all that is not ASCII. */
function jsonForms(secret: string): string[] {
	const escaped = escapeJson(secret);
	const ascii = escaped.replace(
		/[\u0080-\uffff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return [escaped, ascii].flatMap((form) => [form, form.replaceAll('/', '\\/')]);
}

/** Encoded as a part of an address, as a whole address, as RFC 3986 wants it and as a form is sent, with hex in both cases. */
function percentForms(secret: string): string[] {
	const part = encodeURIComponent(secret);
	const strict = part.replace(/[!'()*]/g, encodeCharacter);
	const inForm = part.replace(/[!'()~]/g, encodeCharacter).replaceAll('%20', '+');
	return [part, encodeURI(secret), strict, inForm].flatMap((form) => [
		form,
		form.replace(/%../g, (byte) => byte.toLowerCase()),
	]);
}

const encodeCharacter = (character: string): string =>
	`%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * The characters of base64 that depend on nothing but the secret, for each place of its first byte in a group of three.
 * At the start of a text, the last character depends on nothing else either.
 */
function base64Forms(bytes: Buffer): string[] {
	const within = [0, 1, 2].map((before) => {
		const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
		return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
	});
	return [bytes.toString('base64url'), ...within].flatMap((form) => [
		form,
		form.replaceAll('-', '+').replaceAll('_', '/'),
	]);
}
