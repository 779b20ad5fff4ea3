import { isWebAddress } from './webAddress';

/** The form of the IDs that S 2.1 types as UUID. */
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** The description of a field for such an ID: the service has no lists of them. */
export const describeId = (what: string): string =>
	`${what}. Find it in the dashboard of the service. You can paste the ID, or a web address that contains it.`;

// The editor shows the errors of a list without dashes, so these texts have none.
const NO_ID =
	'expected a UUID of 36 characters, or a web address that contains one as a part of its path or as a value of its query';
const SEVERAL_IDS = 'expected one ID, but the web address contains several. Paste only the ID';

/**
 * Reads a UUID that was pasted as it is, or within a web address: the one segment of its path or value of its query that
 * is a UUID. Letters keep their case. An address with two different UUIDs anywhere, even in its host or fragment, is
 * refused, because nobody can tell which one is meant.
 *
 * @param pasted without white space around it
 */
export function readId(pasted: string): { readonly id: string } | { readonly problem: string } {
	if (isId(pasted)) return { id: pasted };
	if (!isWebAddress(pasted)) return { problem: NO_ID };
	const { href, pathname, searchParams } = new URL(pasted);
	const all = new Set(decode(href).toLowerCase().match(UUID));
	if (all.size > 1) return { problem: SEVERAL_IDS };
	const id = [...pathname.split('/').map(decode), ...searchParams.values()].find(isId);
	return id === undefined ? { problem: NO_ID } : { id };
}

const isId = (text: string): boolean => text.length === 36 && text.match(UUID) !== null;

/** Decodes ASCII alone, of which UUIDs are made; unlike JavaScript's own function it never throws. */
const decode = (text: string): string =>
	text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
