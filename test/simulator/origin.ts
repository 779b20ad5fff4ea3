import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * Whether a request to a server on the loopback address cannot come from a web site that somebody has open: it names
 * the server by a loopback name (a name that a site controls could lead here), and has no origin but the server's own.
 */
export const isOwnOrigin = ({ host = '', origin }: IncomingHttpHeaders): boolean =>
	LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`);
