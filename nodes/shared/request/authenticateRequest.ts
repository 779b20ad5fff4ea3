import type { IDataObject } from 'n8n-workflow';

import { readBaseUrl, withoutSlashes } from './baseUrl';
import { readMode, type CredentialValues } from './credential';
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

/** n8n would send the key to the target of a redirect. Its older helpers have two names for this setting. */
const NO_REDIRECTS = {
	followRedirect: false,
	followAllRedirects: false,
	disableFollowRedirect: true,
} as const;

const refused = (credential: string, base: string): string =>
	`The ${credential} credential sends its key only to addresses under its ${base}. Enter an address that begins with the ${base}, or choose another credential.`;

const refusedProxy = (credential: string): string =>
	`The ${credential} credential sends its key to no proxy that a node names. Remove the Proxy option, or set the proxy for all of n8n (HTTP_PROXY, HTTPS_PROXY).`;

const REFUSED_METHOD =
	'The "Mode" of the Assistant Service API credential is not "Live", so other nodes can send only GET requests with it. Choose the method GET, another credential, or the mode "Live".';

/**
 * Adds the key to a request (S 5.1), and the base address if the request names none. Its address stays
 * as it is. All requests with the key go through here, those of n8n's HTTP Request node too.
 *
 * @throws Error if the Base URL cannot be used, if the address is not under it, if the request names a proxy, or if it
 * is not a GET while the mode is not `live`: then nothing may be sent
 */
export function authenticateRequest<T extends Addressed>(credential: CredentialValues, request: T) {
	const bound = bindToBase(readBaseUrl(credential.baseUrl), request, 'Assistant Service API');
	if (!isGet(request.method) && readMode(credential).mode.kind !== 'live')
		throw new Error(REFUSED_METHOD);
	return {
		...bound,
		headers: { ...request.headers, 'x-api-key': toPlainText(credential.apiKey) },
	};
}

/**
 * Binds a request to a base address, so that a key goes nowhere else.
 *
 * @param base without a slash at its end
 * @param credential the display name of the credential type, for errors
 * @param name what the base address is called there
 * @throws Error if the address of the request is not under the base address, or if the request names a proxy
 */
export function bindToBase<T extends Addressed>(
	base: string,
	request: T,
	credential: string,
	name = 'Base URL',
) {
	// Versions of axios strip different numbers of trailing slashes.
	const given = request.baseURL ?? '';
	const baseURL = given === '' ? base : withoutSlashes(given);
	const root = new URL(base);
	const addresses = new Set([given, request.url ?? '', request.uri ?? '']);
	if (![...addresses].every((address) => isUnder(root, baseURL, address)))
		throw new Error(refused(credential, name));
	if (isSet(request.proxy)) throw new Error(refusedProxy(credential));
	return { ...request, ...NO_REDIRECTS, baseURL };
}

/** Control characters: some software removes some of them before it reads an address, some after. */
const CONTROL = /[^ -\uffff]/;

/** What may be read as a whole address. */
const LIKE_WHOLE = /^\s*(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i;

/** The address that axios makes of the two; nothing if its versions do not agree. */
function combine(baseURL: string, address: string): string | undefined {
	if (CONTROL.test(address)) return undefined;
	if (/^https?:\/\//i.test(address)) return address;
	return LIKE_WHOLE.test(address) ? undefined : `${baseURL}/${address.replace(/^\/+/, '')}`;
}

/**
 * True if a request for the address goes to the base address or below it. axios appends it to `baseURL`,
 * other software resolves it against `baseURL` (WHATWG): with both, the host must be the base's.
 */
function isUnder({ origin, pathname }: URL, baseURL: string, address: string): boolean {
	const combined = combine(baseURL, address);
	if (combined === undefined || !URL.canParse(combined) || !URL.canParse(address, baseURL)) {
		return false;
	}
	const sent = new URL(combined);
	return (
		sent.origin === origin &&
		new URL(address, baseURL).origin === origin &&
		asFolder(sent.pathname).startsWith(asFolder(pathname))
	);
}

const asFolder = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/** n8n's HTTP Request node gives an empty text or object for a proxy that is not set. */
const isSet = (proxy: unknown): boolean =>
	Boolean(proxy) && (!isContainer(proxy) || Object.keys(proxy).length > 0);

/** A request without a method is a GET. */
const isGet = (method = ''): boolean => /^(?:get)?$/i.test(method);
