import type { IHttpRequestMethods } from 'n8n-workflow';

import type { RequestProperties } from '../answer/answerRules';
import type { Operation } from '../declaration/operation';

/** A request that is ready to go out; `url` is the path after the base address, encoded. */
export interface ServiceRequest {
	readonly operation: Operation;
	readonly method: IHttpRequestMethods;
	readonly url: string;
	readonly body?: Readonly<Record<string, unknown>>;
	/** Milliseconds. */
	readonly timeout: number;
}

/**
 * Puts the properties that the `url` names into the path, each as one encoded segment. All others
 * are the body. A GET or DELETE sends no body (S 4).
 *
 * @throws Error if a property that the path names has no text
 */
export function createRequest(
	operation: Operation,
	properties: RequestProperties,
	timeout: number,
): ServiceRequest {
	const { method } = operation.request;
	const hasBody = method !== 'GET' && method !== 'DELETE';
	const segments = operation.path.map((part, index) => {
		if (index % 2 === 0) return part;
		const value = properties[part];
		if (typeof value !== 'string') throw new Error(`${operation.name}: {${part}} has no value`);
		return encodeURIComponent(value);
	});
	const inBody = Object.entries(properties).filter(([name]) => !operation.path.includes(name));
	const body = hasBody ? Object.fromEntries(inBody) : undefined;
	return { operation, method, url: segments.join(''), body, timeout };
}
