import { baseUrl as schema } from '../declaration/schemas';

/**
 * The address that comes before `/v1`, without what people tend to add: white space, a trailing `/`
 * or the `/v1` itself.
 */
export function normalizeBaseUrl(baseUrl: string): string {
	return withoutSlashes(withoutSlashes(baseUrl.trim()).replace(/\/v1$/, ''));
}

/** The text without the slashes at its end. */
export function withoutSlashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '/') end -= 1;
	return text.slice(0, end);
}

/**
 * The base address of a credential, ready for use.
 *
 * @throws Error if it is not a URL to which a path can be added
 */
export function readBaseUrl(baseUrl: unknown): string {
	const { data = '' } = schema.safeParse(baseUrl);
	const base = normalizeBaseUrl(data);
	if (!URL.canParse(base)) {
		throw new Error('The Base URL must start with http:// or https:// and hold neither ? nor #');
	}
	return base;
}
