import { isObject } from './values';

const MASK = '*****';

/** Shorter secrets would take ordinary words out of a text. */
const MIN_SECRET_LENGTH = 4;

/**
 * A copy of a JSON value in which no text holds the secret, as it is or percent-encoded. The value
 * itself is returned if it is clean. Property names count too.
 */
export function redact(value: unknown, secret: string): unknown {
	if (secret.length < MIN_SECRET_LENGTH) return value;
	const encoded = [encodeURIComponent(secret), encodeURI(secret)];
	const inLowerCase = encoded.map((form) => form.replace(/%../g, (byte) => byte.toLowerCase()));
	const forms = [...new Set([secret, ...encoded, ...inLowerCase])];
	const clean = (text: string): string =>
		forms.reduce((cleaned, form) => cleaned.replaceAll(form, MASK), text);
	const walk = (part: unknown): unknown => {
		if (typeof part === 'string') return clean(part);
		if (Array.isArray(part)) return part.map(walk);
		if (isObject(part)) {
			return Object.fromEntries(
				Object.entries(part).map(([name, inner]) => [clean(name), walk(inner)]),
			);
		}
		return part;
	};
	const json = JSON.stringify(value) as string | undefined;
	const isClean =
		json === undefined ||
		![...forms, JSON.stringify(secret).slice(1, -1)].some((form) => json.includes(form));
	return isClean ? value : walk(value);
}
