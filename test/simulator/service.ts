import type { RecordedRequest } from './contract';
import type { Endpoint } from './endpoint';
import { NO_ENDPOINT_STYLE, Refusal, refusalReply } from './errors';
import { jsonReply, type Reply } from './reply';
import type { Match } from './router';
import type { Workspace } from './workspace';

export interface ApiKeys {
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
		const given = { ...readQuery(request, endpoint), ...params };
		const { status, body } = endpoint.handle(workspace, given, request.body);
		request.processed = true;
		return jsonReply(status, body);
	} catch (error) {
		if (error instanceof Refusal) return refusal(endpoint, error, request);
		throw error;
	}
}

const refusal = (endpoint: Endpoint, error: Refusal, request: RecordedRequest): Reply =>
	refusalReply(endpoint.errors, error, request.body);

function noEndpointReply(allowed: string[], requestBody: unknown): Reply {
	if (allowed.length === 0)
		return refusalReply(NO_ENDPOINT_STYLE, new Refusal('notFound'), requestBody);
	const reply = refusalReply(NO_ENDPOINT_STYLE, new Refusal('methodNotAllowed'), requestBody);
	return { ...reply, headers: { ...reply.headers, allow: allowed.join(', ') } };
}

/** S 5. */
function checkKey({ headers }: RecordedRequest, keys: ApiKeys): void {
	const key = headers['x-api-key'];
	if (key === undefined || key === '') throw new Refusal('missingKey');
	if (key === keys.forbidden) throw new Refusal('forbidden');
	if (key !== keys.valid) throw new Refusal('invalidKey');
}

/** Own choice: 400 for a query parameter that the endpoint does not know, and for one that comes twice. */
function readQuery({ query }: RecordedRequest, { query: known }: Endpoint): Record<string, string> {
	const given = [...new URLSearchParams(query)];
	const names = given.map(([name]) => name);
	for (const [index, name] of names.entries()) {
		if (!known.includes(name)) throw new Refusal('invalidInput', `no query parameter ${name}`);
		if (names.indexOf(name) !== index) throw new Refusal('invalidInput', `${name} comes twice`);
	}
	return Object.fromEntries(given);
}

/** S 4: JSON bodies with their content type. Own choice: 400 otherwise. */
function checkTransport({ rawBody, body, headers }: RecordedRequest): void {
	if (rawBody === '') return;
	if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
		throw new Refusal('invalidInput', 'the content type is not application/json');
	}
	if (body === undefined) throw new Refusal('invalidInput', 'the body is not JSON');
}
