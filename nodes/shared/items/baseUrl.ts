import { baseUrl as schema } from '../declaration/schemas';

/**
 * The address that comes before `/v1`, without what people tend to add: white space, a trailing `/`
 * or the `/v1` itself.
 */
export const normalizeBaseUrl = (baseUrl: string): string => withoutEnd(baseUrl, '/v1');

/** The address of n8n itself, without the same or the `/api/v1` of its public API. */
const normalizeN8nUrl = (n8nUrl: string): string => withoutEnd(n8nUrl, '/api/v1');

const withoutEnd = (address: string, end: string): string => {
	const trimmed = withoutSlashes(address.trim());
	return withoutSlashes(trimmed.endsWith(end) ? trimmed.slice(0, -end.length) : trimmed);
};

/** The text without the slashes at its end. */
export function withoutSlashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '/') end -= 1;
	return text.slice(0, end);
}

const isUrl = (address: string): boolean => URL.canParse(address);

const NO_URL = 'expected a URL that starts with http:// or https://';

/** The base address of the service, ready for use. */
export const serviceAddress = schema.transform(normalizeBaseUrl).refine(isUrl, NO_URL);

/** The base address of n8n, ready for use. */
export const n8nAddress = schema.transform(normalizeN8nUrl).refine(isUrl, NO_URL);

/** True if one of the addresses lies within the other: what is meant for one of them could reach the other. */
export function areNested(one: string, other: string): boolean {
	const [{ origin, pathname }, second] = [new URL(one), new URL(other)];
	const [path, otherPath] = [asFolder(pathname), asFolder(second.pathname)];
	return origin === second.origin && (path.startsWith(otherPath) || otherPath.startsWith(path));
}

/** A path as one that others can lie below. */
export const asFolder = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
