import { baseUrl as schema } from '../declaration/schemas';

/** Takes off what users add to the address before `/v1`: white space, a last `/`, the `/v1`. */
export const normalizeBaseUrl = (address: string, end = '/v1'): string => {
	const trimmed = withoutSlashes(address.trim());
	return withoutSlashes(trimmed.endsWith(end) ? trimmed.slice(0, -end.length) : trimmed);
};

/** Takes the slashes off the end of a text. */
export function withoutSlashes(text: string): string {
	let end = text.length;
	while (text[end - 1] === '/') end -= 1;
	return text.slice(0, end);
}

const addressBefore = (end: string) =>
	schema
		.transform((address) => normalizeBaseUrl(address, end))
		.refine(
			(address) => URL.canParse(address),
			'expected a URL that starts with http:// or https://',
		);

/** The base address of the service, ready for use. */
export const serviceAddress = addressBefore('/v1');

/** The address of n8n itself, without the `/api/v1` of its public API, ready for use. */
export const n8nAddress = addressBefore('/api/v1');

/** Says whether one address lies within the other: what is for one could reach the other. */
export const areNested = (first: string, second: string): boolean =>
	isWithin(first, second) || isWithin(second, first);

/** Says whether an address is the base address, or lies below it. */
export function isWithin(base: string, address: string): boolean {
	const [outer, inner] = [new URL(base), new URL(address)];
	return outer.origin === inner.origin && asFolder(inner).startsWith(asFolder(outer));
}

/** Gives the path of an address as one that others can lie below. */
const asFolder = ({ pathname }: URL): string =>
	pathname.endsWith('/') ? pathname : `${pathname}/`;
