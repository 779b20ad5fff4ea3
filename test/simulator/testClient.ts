import axios, { type AxiosResponse } from 'axios';
import { OPERATION_ROWS } from '../operations';
import type { Simulator } from './contract';
import type { EndpointName } from './endpoints';
import { matchRoute } from './router';

export interface ClientRequest {
	method: string;
	path: string;
	body?: Record<string, unknown>;
	headers?: Record<string, string | undefined>;
}

/** A request that the service accepts at its start: the one of the first operation that uses the endpoint. */
export function good(name: EndpointName): ClientRequest {
	const row = OPERATION_ROWS.find(({ method, path }) => matchRoute(method, path).name === name);
	if (row === undefined) throw new Error(`No operation uses ${name}`);
	const { method, path, body } = row;
	return { method, path, body };
}

/** A good request with some body fields changed; undefined leaves a field out. */
export function changed(name: EndpointName, fields: Record<string, unknown>): ClientRequest {
	const { body, ...request } = good(name);
	return { ...request, body: { ...body, ...fields } };
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
