import type { IDataObject } from 'n8n-workflow';

import { createFailure, type Failure } from './failure';
import { isObject } from '../values';

/** System calls that begin a connection. An error of one of them says that nothing was sent. */
const CONNECTING = new Set(['connect', 'getaddrinfo']);

/** Node.js's code for a proxy that opens no tunnel to the service, if Node.js itself connects. */
const NO_TUNNEL = 'ERR_PROXY_TUNNEL';

/**
 * Codes of failures before a byte of the request is written: no connection, an unusable address or
 * header, a refused certificate. Codes of other TLS errors may come after the request, too.
 */
const BEFORE_SENDING = new Set([
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', NO_TUNNEL, 'ERR_INVALID_URL', 'ERR_INVALID_CHAR'],
	// What axios says of a protocol other than http; statuses are no errors here.
	'ERR_BAD_REQUEST',
	...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'],
	...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT'],
	...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
]);

/** How names of errors begin by which n8n protects its own network, before it connects. */
const OF_PROTECTION = 'SsrfBlocked';

const NOT_SENT = { kind: 'unreachable', outcome: 'notSent' } as const;

const BY_PROTECTION = {
	...NOT_SENT,
	message: "n8n's SSRF protection does not allow requests to this address",
	hint: 'Ask the administrator of n8n to allow it: a name in N8N_SSRF_ALLOWED_HOSTNAMES, an IP address in N8N_SSRF_ALLOWED_IP_RANGES. The proxy of n8n must be allowed, too.',
	advice:
		'Nothing was sent. Do not repeat this tool call: it fails until the administrator of n8n allows this address. Report this.',
} as const;

/** The failure of a request that a proxy did not pass on, e.g. as it wants a password (407). */
export const BY_PROXY = {
	...NOT_SENT,
	message: 'The proxy did not pass the request on to the service',
	hint: 'Ask the administrator of n8n to correct HTTP_PROXY and HTTPS_PROXY, or to add the host of "Base URL" to NO_PROXY.',
	advice:
		'Nothing reached the service. Do not repeat this tool call: it fails until the administrator of n8n has set up the proxy. Report this.',
} as const;

const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED']);

/** How deep the causes of an error are followed. */
const MAX_CAUSES = 6;

/**
 * Says what an error of the transport means. Only its codes and names are read: the error itself
 * may carry the whole request with its headers. Never throws.
 */
export function readConnectionError(error: unknown): Failure {
	const { codes, names, systemCalls } = readFacts(error);
	const code = codes[0] ?? null;
	if (names.some((name) => name.startsWith(OF_PROTECTION)))
		return createFailure({ ...BY_PROTECTION, code });
	// If the error names its system call, that decides; otherwise its code.
	const isBeforeSending =
		systemCalls.length > 0
			? systemCalls.every((name) => CONNECTING.has(name))
			: codes.some((each) => BEFORE_SENDING.has(each));
	if (isBeforeSending)
		return createFailure({ ...(codes.includes(NO_TUNNEL) ? BY_PROXY : NOT_SENT), code });
	const outcome = 'unknown';
	if (codes.some((each) => TIMED_OUT.has(each)))
		return createFailure({ kind: 'timeout', outcome, code });
	if (codes.some((each) => each.startsWith('HPE_')))
		return createFailure({ kind: 'badResponse', outcome, code });
	const message = 'The connection to the service broke before its answer came';
	return createFailure({ kind: 'unreachable', outcome, message, code });
}

/** What an error and its causes say of themselves. */
function readFacts(error: unknown) {
	const chain: IDataObject[] = [];
	for (let next = error; isObject(next) && chain.length < MAX_CAUSES; next = next.cause)
		chain.push(next);
	// A host with several addresses gives one error for each.
	const attempts = chain.flatMap(({ errors }): unknown[] => (Array.isArray(errors) ? errors : []));
	return {
		names: textsOf(chain, 'name'),
		codes: textsOf(chain, 'code'),
		systemCalls: textsOf([...chain, ...attempts.filter(isObject)], 'syscall'),
	};
}

const textsOf = (errors: readonly IDataObject[], property: string): string[] =>
	errors.map((error) => error[property]).filter((value) => typeof value === 'string');
