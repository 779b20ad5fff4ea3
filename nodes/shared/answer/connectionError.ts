import type { IDataObject } from 'n8n-workflow';

import { createFailure, type Failure } from './failure';
import { isObject } from '../values';

/** System calls with which a connection begins. An error of one of them says that nothing was sent. */
const CONNECTING = new Set(['connect', 'getaddrinfo']);

/** Codes that only these system calls have, for errors that do not name theirs. */
const CODES_OF_CONNECTING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Codes of Node.js for what fails before a byte of the request is written: an address or header that cannot be sent, and
 * a certificate that is refused. Other errors of TLS may come after the request too, with the same codes.
 */
const BEFORE_SENDING = new Set([
	'ERR_INVALID_URL',
	'ERR_INVALID_CHAR',
	// What axios says of a protocol other than http; statuses are no errors here.
	'ERR_BAD_REQUEST',
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
]);

const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED']);

/** How deep the causes of an error are followed. */
const MAX_CAUSES = 6;

/**
 * Says what an error of the transport means. Only its codes are read: the error itself may carry the
 * whole request with its headers. Never throws.
 */
export function readConnectionError(error: unknown): Failure {
	const facts = readFacts(error);
	const { codes } = facts;
	const code = codes[0] ?? null;
	if (isBeforeSending(facts)) {
		return createFailure({ kind: 'unreachable', outcome: 'notSent', code });
	}
	if (codes.some((name) => TIMED_OUT.has(name))) {
		return createFailure({ kind: 'timeout', outcome: 'unknown', code });
	}
	if (codes.some((name) => name.startsWith('HPE_'))) {
		return createFailure({ kind: 'badResponse', outcome: 'unknown', code });
	}
	return createFailure({
		kind: 'unreachable',
		outcome: 'unknown',
		message: 'The connection to the service broke before its answer came',
		code,
	});
}

/** What an error and its causes say of themselves. */
interface Facts {
	readonly codes: string[];
	readonly systemCalls: string[];
}

/** True if nothing can have been sent. If the error names its system call, that decides; otherwise its code. */
function isBeforeSending({ codes, systemCalls }: Facts): boolean {
	if (systemCalls.length > 0) return systemCalls.every((name) => CONNECTING.has(name));
	return codes.some((name) => BEFORE_SENDING.has(name) || CODES_OF_CONNECTING.has(name));
}

function readFacts(error: unknown): Facts {
	const chain: IDataObject[] = [];
	for (let next = error; isObject(next) && chain.length < MAX_CAUSES; next = next.cause) {
		chain.push(next);
	}
	// A host with several addresses gives one error for each.
	const attempts = chain.flatMap(({ errors }): unknown[] => (Array.isArray(errors) ? errors : []));
	return {
		codes: chain.map(({ code }) => code).filter(isText),
		systemCalls: [...chain, ...attempts.filter(isObject)]
			.map(({ syscall }) => syscall)
			.filter(isText),
	};
}

const isText = (value: unknown): value is string => typeof value === 'string';
