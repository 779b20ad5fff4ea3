import type { z } from 'zod';
import { Refusal, type ErrorStyle } from './errors';
import { uuid } from './schemas';
import type { Workspace } from './workspace';

/** What a path holds, by the names in it. */
type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
	? Record<Name, string> & PathParams<Rest>
	: unknown;

interface Answer {
	status: number;
	body: Record<string, unknown>;
}

/** A row of the endpoint table. */
interface EndpointRow<Path extends string, Body> {
	method: string;
	/** In the notation of S 4. */
	path: Path;
	body: z.ZodType<Body, z.ZodTypeDef, unknown>;
	errors: ErrorStyle;
	/** Throws a `Refusal` where the service says no. */
	handle(input: { workspace: Workspace; params: PathParams<Path>; body: Body }): Answer;
}

/** A row whose types are settled: it checks what it is given by itself. */
export interface Endpoint {
	method: string;
	path: string;
	errors: ErrorStyle;
	handle(workspace: Workspace, params: Record<string, string> | undefined, body: unknown): Answer;
}

export function endpoint<Path extends string, Body>(row: EndpointRow<Path, Body>): Endpoint {
	const { method, path, errors } = row;
	return {
		method,
		path,
		errors,
		handle(workspace, params, rawBody) {
			if (params === undefined) throw new Refusal('invalidInput');
			for (const [name, value] of Object.entries(params)) {
				if (name.endsWith('Id') && !uuid.safeParse(value).success)
					throw new Refusal('invalidInput');
			}
			const body = row.body.safeParse(rawBody);
			if (!body.success) throw new Refusal('invalidInput', describe(body.error));
			// The router has filled in every name of the path.
			return row.handle({ workspace, params: params as PathParams<Path>, body: body.data });
		},
	};
}

export const ok = (body: Record<string, unknown>): Answer => ({ status: 200, body });

function describe(error: z.ZodError): string {
	return error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
}
