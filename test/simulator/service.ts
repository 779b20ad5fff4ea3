import type { RecordedRequest } from './contract';
import { NO_ENDPOINT_STYLE, Refusal, refusalReply } from './errors';
import { jsonReply, type Reply } from './reply';
import type { Match } from './router';
import type { Workspace } from './workspace';

interface ApiKeys {
	valid: string;
	forbidden: string;
}

/** What the service does with a request: it acts on it or says no. */
export function serve(
	request: RecordedRequest,
	match: Match,
	keys: ApiKeys,
	workspace: Workspace,
): Reply {
	const { endpoint, params, allowed } = match;
	if (!endpoint) return noEndpointReply(allowed, request.body);
	try {
		checkKey(request, keys);
		checkTransport(request);
		const { status, body } = endpoint.handle(workspace, params, request.body);
		request.processed = true;
		return jsonReply(status, body);
	} catch (error) {
		if (error instanceof Refusal) return refusalReply(endpoint.errors, error, request.body);
		throw error;
	}
}

function noEndpointReply(allowed: string[], requestBody: unknown): Reply {
	const kind = allowed.length === 0 ? 'notFound' : 'methodNotAllowed';
	const reply = refusalReply(NO_ENDPOINT_STYLE, new Refusal(kind), requestBody);
	return { ...reply, headers: { ...reply.headers, allow: allowed.join(', ') } };
}

/** S 5. */
function checkKey({ headers }: RecordedRequest, keys: ApiKeys): void {
	const key = headers['x-api-key'];
	if (key === undefined || key === '') throw new Refusal('missingKey');
	if (key === keys.forbidden) throw new Refusal('forbidden');
	if (key !== keys.valid) throw new Refusal('invalidKey');
}

/** S 4: JSON bodies with their content type. Own choice: 400 otherwise, and for a query, which no endpoint has. */
function checkTransport({ query, rawBody, body, headers }: RecordedRequest): void {
	if (query !== '') throw new Refusal('invalidInput', 'no query is known');
	if (rawBody === '') return;
	if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
		throw new Refusal('invalidInput', 'the content type is not application/json');
	}
	if (body === undefined) throw new Refusal('invalidInput', 'the body is not JSON');
}
