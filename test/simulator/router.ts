import type { Endpoint } from './endpoint';
import { getPrompt, setLock, updatePrompt } from './endpoints/assistants';
import { createBulkCampaign, createCampaign } from './endpoints/campaigns';
import { chat, getConversation } from './endpoints/chat';
import { addParagraphs, deleteParagraph, getKnowledgeBase } from './endpoints/knowledgeBases';
import { continueMsgapp, sendMsgappTemplate, startMsgapp } from './endpoints/msgapp';
import { placeCall, startSms } from './endpoints/phone';

/** The endpoint table (S 4). */
const ENDPOINTS: readonly Endpoint[] = [
	chat,
	getConversation,
	placeCall,
	startSms,
	createCampaign,
	createBulkCampaign,
	startMsgapp,
	continueMsgapp,
	sendMsgappTemplate,
	addParagraphs,
	getKnowledgeBase,
	deleteParagraph,
	setLock,
	updatePrompt,
	getPrompt,
];

const ROUTES = ENDPOINTS.map((endpoint) => ({
	endpoint,
	segments: endpoint.path.split('/').map((segment) => ({
		literal: segment,
		parameter: /^\{(.+)\}$/.exec(segment)?.[1],
	})),
}));

type Route = (typeof ROUTES)[number];

export interface Match {
	/** The endpoint; undefined when no path matches, or none with the method. */
	endpoint?: Endpoint;
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
	return { endpoint: route.endpoint, params: decodeParams(route, segments), allowed };
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
