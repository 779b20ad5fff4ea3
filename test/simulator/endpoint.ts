import type { z } from 'zod';
import type { EndpointName } from './contract';
import { Refusal, type ErrorStyle } from './errors';
import type { Workspace } from './workspace';

type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

interface Answer {
	status: number;
	body: Record<string, unknown>;
}

/** A row of the endpoint table. */
interface EndpointRow<Params, Body> {
	name: EndpointName;
	method: string;
	/** In the notation of S 4. */
	path: string;
	params: Schema<Params>;
	body: Schema<Body>;
	errors: ErrorStyle;
	/** Own choice: the plan limits just the endpoints for which S 7 lists the upgrade message. */
	planLimited?: boolean;
	/** Throws a `Refusal` where the service says no. */
	handle(input: { workspace: Workspace; params: Params; body: Body }): Answer;
}

/** A row whose types are settled: it checks what it is given by itself. */
export interface Endpoint {
	name: EndpointName;
	method: string;
	path: string;
	errors: ErrorStyle;
	handle(workspace: Workspace, params: unknown, body: unknown): Answer;
}

export function endpoint<Params, Body>(row: EndpointRow<Params, Body>): Endpoint {
	const { name, method, path, errors } = row;
	return {
		name,
		method,
		path,
		errors,
		handle(workspace, rawParams, rawBody) {
			const params = row.params.safeParse(rawParams);
			if (!params.success) throw new Refusal('invalidInput');
			const body = row.body.safeParse(rawBody);
			if (!body.success) throw new Refusal('invalidInput', describe(body.error));
			if (row.planLimited) workspace.checkPlan();
			const answer = row.handle({ workspace, params: params.data, body: body.data });
			if (row.planLimited) workspace.countPlanUse();
			return answer;
		},
	};
}

export const ok = (body: Record<string, unknown>): Answer => ({ status: 200, body });

function describe(error: z.ZodError): string {
	return error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
}
