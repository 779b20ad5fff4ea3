import type { Endpoint } from './endpoint';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from './endpoints';

const ROUTES = ENDPOINT_NAMES.map((name) => {
	const endpoint: Endpoint = ENDPOINTS[name];
	const segments = endpoint.path.split('/').map((segment) => ({
		literal: segment,
		parameter: /^\{(.+)\}$/.exec(segment)?.[1],
	}));
	return { name, endpoint, segments };
});

type Route = (typeof ROUTES)[number];

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
	const segments = path.split('/');
	const routes = ROUTES.filter((route) => fits(route, segments));
	const allowed = routes.map(({ endpoint }) => endpoint.method);
	const route = routes.find(({ endpoint }) => endpoint.method === method);
	if (!route) return { allowed };
	const { name, endpoint } = route;
	return { name, endpoint, params: decodeParams(route, segments), allowed };
}

function fits(route: Route, segments: string[]): boolean {
	return (
		route.segments.length === segments.length &&
		route.segments.every(({ literal, parameter }, index) =>
			parameter === undefined ? literal === segments[index] : segments[index] !== '',
		)
	);
}

function decodeParams(route: Route, segments: string[]): Record<string, string> | undefined {
	const params: Record<string, string> = {};
	try {
		for (const [index, { parameter }] of route.segments.entries()) {
			if (parameter !== undefined) params[parameter] = decodeURIComponent(segments[index] ?? '');
		}
	} catch {
		return undefined;
	}
	return params;
}
