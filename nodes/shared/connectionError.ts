import { createFailure, type Failure } from './failure';

/** Codes of the system and of Node.js for a connection that was never made, so that nothing was sent. */
const NEVER_CONNECTED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'ENETDOWN',
	'EPROTO',
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
	'ERR_SSL_WRONG_VERSION_NUMBER',
]);

const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED']);

/** How deep the causes of an error are followed. */
const MAX_CAUSES = 6;

/**
 * Says what an error of the transport means. Only its codes are read: the error itself may carry the
 * whole request with its headers. Never throws.
 */
export function readConnectionError(error: unknown): Failure {
	const { codes, isConnect } = readCodes(error);
	const code = codes[0] ?? null;
	if (isConnect || codes.some((name) => NEVER_CONNECTED.has(name))) {
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

/** The codes of an error and its causes, and whether one of them happened while connecting. */
function readCodes(error: unknown): { codes: string[]; isConnect: boolean } {
	const codes: string[] = [];
	let isConnect = false;
	let current: unknown = error;
	for (
		let depth = 0;
		depth < MAX_CAUSES && typeof current === 'object' && current !== null;
		depth++
	) {
		if ('code' in current && typeof current.code === 'string') codes.push(current.code);
		isConnect ||=
			'syscall' in current && (current.syscall === 'connect' || current.syscall === 'getaddrinfo');
		current = 'cause' in current ? current.cause : undefined;
	}
	return { codes, isConnect };
}
