import type { z } from 'zod';
import { Refusal, type ErrorStyle } from './errors';
import type { Workspace } from './workspace';

type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** A request that the service accepts at its start, with no more than it has to hold. */
interface Example {
	/** What the path names beside the seeded workspace, assistant and knowledge base. */
	path?: Record<string, string>;
	body?: Record<string, unknown>;
}

interface Answer {
	status: number;
	body: Record<string, unknown>;
}

/** A row of the endpoint table. */
interface EndpointRow<Params, Body> {
	method: string;
	/** In the notation of S 4. */
	path: string;
	/** Nothing if a request needs no more than the path. */
	example?: Example;
	/** What the path holds. */
	params: Schema<Params>;
	body: Schema<Body>;
	errors: ErrorStyle;
	/** Throws a `Refusal` where the service says no. */
	handle(input: { workspace: Workspace; params: Params; body: Body }): Answer;
}

/** A row whose types are settled: it checks what it is given by itself. */
export interface Endpoint {
	method: string;
	path: string;
	example: Example;
	errors: ErrorStyle;
	handle(workspace: Workspace, params: unknown, body: unknown): Answer;
}

export function endpoint<Params, Body>(row: EndpointRow<Params, Body>): Endpoint {
	const { method, path, example = {}, errors } = row;
	return {
		method,
		path,
		example,
		errors,
		handle(workspace, rawParams, rawBody) {
			const params = row.params.safeParse(rawParams);
			if (!params.success) throw new Refusal('invalidInput');
			const body = row.body.safeParse(rawBody);
			if (!body.success) throw new Refusal('invalidInput', describe(body.error));
			return row.handle({ workspace, params: params.data, body: body.data });
		},
	};
}

export const ok = (body: Record<string, unknown>): Answer => ({ status: 200, body });

function describe(error: z.ZodError): string {
	return error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
}
