import axios, { type AxiosResponse } from 'axios';
import type { Simulator } from './contract';
import type { Endpoint } from './endpoint';
import { ENDPOINTS, type EndpointName } from './endpoints';
import { ASSISTANT_ID, KNOWLEDGE_BASE_ID, WORKSPACE_ID } from './seed';

export interface ClientRequest {
	method: string;
	path: string;
	body?: Record<string, unknown> | string;
	headers?: Record<string, string | undefined>;
}

const SEEDED_PATH: Record<string, string> = {
	workspaceId: WORKSPACE_ID,
	assistantId: ASSISTANT_ID,
	kbId: KNOWLEDGE_BASE_ID,
};

/** The example of an endpoint as a request. */
export function good(name: EndpointName): ClientRequest {
	const { method, path, example }: Endpoint = ENDPOINTS[name];
	const inPath = { ...SEEDED_PATH, ...example.path };
	const fill = (_: string, part: string) => encodeURIComponent(inPath[part] ?? '');
	return { method, path: path.replace(/\{(\w+)\}/g, fill), body: example.body };
}

/** A good request with some body fields changed; undefined leaves a field out. */
export function changed(name: EndpointName, fields: Record<string, unknown>): ClientRequest {
	return { ...good(name), body: { ...ENDPOINTS[name].example.body, ...fields } };
}

export type Send = (request: ClientRequest) => Promise<AxiosResponse<unknown>>;

/** An independent client: every status resolves, no redirect is followed, and the good key is sent by default. */
export function clientOf({ baseUrl, apiKey }: Pick<Simulator, 'baseUrl' | 'apiKey'>): Send {
	return ({ method, path, body, headers }) =>
		axios.request<unknown>({
			url: baseUrl + path,
			method,
			data: body,
			headers: { 'x-api-key': apiKey, ...headers },
			maxRedirects: 0,
			proxy: false,
			validateStatus: () => true,
		});
}
