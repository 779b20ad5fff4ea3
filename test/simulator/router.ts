import type { Endpoint } from './endpoint';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from './endpoints';

const ROUTES = ENDPOINT_NAMES.map((name) => {
	const endpoint: Endpoint = ENDPOINTS[name];
	const pattern = endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
	return { name, endpoint, pattern: new RegExp(`^${pattern}$`) };
});

export interface Match {
	/** The endpoint and its name; undefined when no path matches, or none with the method. */
	endpoint?: Endpoint;
	name?: EndpointName;
	/** The decoded path parameters; undefined when the encoding is broken. */
	params?: Record<string, string>;
	/** The methods that the path knows; empty when no path matches. */
	allowed: string[];
}

/** Finds the endpoint of a raw path; paths are taken literally, a trailing slash included. */
export function matchRoute(method: string, path: string): Match {
	const routes = ROUTES.filter(({ pattern }) => pattern.test(path));
	const allowed = routes.map(({ endpoint }) => endpoint.method);
	const route = routes.find(({ endpoint }) => endpoint.method === method);
	if (!route) return { allowed };
	const { name, endpoint, pattern } = route;
	return { name, endpoint, params: decoded(pattern.exec(path)?.groups), allowed };
}

function decoded(segments: Record<string, string> = {}): Record<string, string> | undefined {
	try {
		return Object.fromEntries(
			Object.entries(segments).map(([name, segment]) => [name, decodeURIComponent(segment)]),
		);
	} catch {
		return undefined;
	}
}
