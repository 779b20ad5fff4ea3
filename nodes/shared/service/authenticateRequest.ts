import type { IDataObject } from 'n8n-workflow';

import { areNested, isWithin, n8nAddress, serviceAddress, withoutSlashes } from './baseUrl';
import { NESTED, readMode, type CredentialValues } from './credential';
import { isContainer, toPlainText } from '../values';

/** Where a request goes, as n8n's helpers take it; the older helpers prefer `url` to `uri`. */
export interface Addressed {
	readonly method?: string;
	readonly baseURL?: string;
	readonly url?: string;
	readonly uri?: string;
	readonly headers?: IDataObject;
	readonly proxy?: unknown;
}

/** Else n8n sends the key to a redirect's target. Its older helpers name this setting twice. */
const NO_REDIRECTS = {
	followRedirect: false,
	followAllRedirects: false,
	disableFollowRedirect: true,
} as const;

const NO_BASE_URL =
	'"Base URL" of the credential must start with http:// or https://, without ? or #';

const REFUSED =
	'The Assistant Service API credential is only for addresses under "Base URL", or under /api/v1/data-tables of "n8n URL". Enter such an address, or choose another credential.';

const REFUSED_PROXY =
	'The Assistant Service API credential sends its keys to no proxy that a node names. Remove the option "Proxy", or set HTTP_PROXY and HTTPS_PROXY for all of n8n.';

const REFUSED_METHOD =
	'Other nodes can send only GET requests with the Assistant Service API credential. To the service, the mode "Live" allows all. Choose the method GET, or another credential.';

/**
 * Adds a key to a request (S 5.1): the service's under the Base URL, the default base address, or
 * n8n's under its Data Tables if there is a book. The address stays as it is. All requests with a
 * key come here, also of n8n's HTTP Request node. Our own have `isOwnRequest` in their credential.
 *
 * @throws Error if nothing may be sent: the Base URL is unusable, the credential's addresses are
 * nested, the request is under neither or names a proxy, or another node must use GET
 */
export function authenticateRequest<T extends Addressed>(credential: CredentialValues, request: T) {
	const { contactBook }: CredentialValues = { contactBook: false, ...credential };
	const { method = '' } = request;
	const isOwn = credential.isOwnRequest === true;
	const { data: serviceBase } = serviceAddress.safeParse(credential.baseUrl);
	if (serviceBase === undefined && !isOwn) throw new Error(NO_BASE_URL);
	const n8nBase = contactBook === true ? n8nAddress.safeParse(credential.n8nUrl).data : undefined;
	if (serviceBase !== undefined && n8nBase !== undefined && areNested(serviceBase, n8nBase))
		throw new Error(`${NESTED}.`);
	const ofService = serviceBase === undefined ? undefined : bindToBase(serviceBase, request);
	const bound = ofService ?? (n8nBase && bindToBase(`${n8nBase}/api/v1/data-tables`, request));
	if (!bound || (!ofService && isEncoded(bound))) throw new Error(REFUSED);
	if (isSet(request.proxy)) throw new Error(REFUSED_PROXY);
	const isLive = typeof contactBook === 'boolean' && readMode(credential).mode.kind === 'live';
	const mayWrite = isOwn || (ofService !== undefined && isLive);
	// A request without a method is a GET.
	if (!mayWrite && !/^(?:get)?$/i.test(method)) throw new Error(REFUSED_METHOD);
	const keyHeader = ofService
		? { 'x-api-key': toPlainText(credential.apiKey) }
		: { 'X-N8N-API-KEY': toPlainText(credential.n8nApiKey) };
	return { ...bound, headers: { ...request.headers, ...keyHeader } };
}

/** Says whether a path holds what a server in between may read as another path. */
const isEncoded = ({ url = '', uri = '' }: Addressed): boolean =>
	[url, uri].some((address) => /^[^?#]*%(?:2f|5c|25)/i.test(address));

/**
 * Binds a request to a base address, so no key goes elsewhere; `undefined` if it is not under it.
 *
 * @param base without a slash at its end
 */
function bindToBase<T extends Addressed>(base: string, request: T) {
	// Versions of axios strip different numbers of trailing slashes.
	const requestBase = request.baseURL ?? '';
	const baseURL = requestBase === '' ? base : withoutSlashes(requestBase);
	const addresses = [requestBase, request.url ?? '', request.uri ?? ''];
	return addresses.every((address) => isUnder(base, baseURL, address))
		? { ...request, ...NO_REDIRECTS, baseURL }
		: undefined;
}

/** Control characters: some software removes some before it reads an address, some after. */
const CONTROL = /[^ -\uffff]/;

/** What may be read as a whole address. */
const LIKE_WHOLE = /^\s*(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i;

/** The address that axios makes of the two; empty if its versions do not agree. */
function combine(baseURL: string, address: string): string {
	if (CONTROL.test(address)) return '';
	if (/^https?:\/\//i.test(address)) return address;
	return LIKE_WHOLE.test(address) ? '' : `${baseURL}/${address.replace(/^\/+/, '')}`;
}

/**
 * Says whether a request for the address goes to the base address or below it. axios appends it to
 * `baseURL`, others resolve it against that (WHATWG): with both, the host must be the base's.
 */
function isUnder(base: string, baseURL: string, address: string): boolean {
	const combined = combine(baseURL, address);
	if (!URL.canParse(combined) || !URL.canParse(address, baseURL)) return false;
	return isWithin(base, combined) && new URL(address, baseURL).origin === new URL(base).origin;
}

/** n8n's HTTP Request node gives an empty text or object for a proxy that is not set. */
const isSet = (proxy: unknown): boolean =>
	Boolean(proxy) && (!isContainer(proxy) || Object.keys(proxy).length > 0);
