import { z } from 'zod';

import { CallQueue } from './callQueue';
import { Clock } from './clock';
import { endpoint, ok } from './endpoint';
import { noBody, workspacePath } from './schemas';
import { API_KEY, API_PREFIX, FORBIDDEN_API_KEY, WORKSPACE_ID } from './seed';
import { Server } from './server';
import { serve } from './service';
import { clientOf } from './testClient';
import { Workspace } from './workspace';

/** A made-up endpoint: the specification has none with a query. */
const list = endpoint({
	method: 'GET',
	path: '/v1/things/{workspaceId}',
	query: ['limit', 'text'],
	params: workspacePath.extend({
		limit: z.coerce.number().int().min(1),
		text: z.string().optional(),
	}),
	body: noBody,
	errors: { field: 'message' },
	handle: ({ params: { limit, text = null } }) => ok({ limit, text }),
});

const clock = new Clock();
const calls = new CallQueue(1, clock, () => undefined);
const workspace = new Workspace(WORKSPACE_ID, Infinity, clock, calls);
const match = { endpoint: list, params: { workspaceId: WORKSPACE_ID }, allowed: ['GET'] };
const keys = { valid: API_KEY, forbidden: FORBIDDEN_API_KEY };
const server = new Server({
	serve: (request) => serve(request, match, keys, workspace),
	control: () => {
		throw new Error('Not part of these tests');
	},
});
let baseUrl = '';

beforeAll(async () => {
	baseUrl = `${await server.listen(0)}${API_PREFIX}`;
});

afterAll(async () => {
	await server.close();
});

const send = async (query: string) =>
	await clientOf({ baseUrl, apiKey: API_KEY })({ method: 'GET', path: '/v1/chatbot', query });

test.each([
	['limit=2', { limit: 2, text: null }],
	['limit=2&text=', { limit: 2, text: '' }],
	['text=a%26b%20%C3%BC&limit=3', { limit: 3, text: 'a&b ü' }],
])('an endpoint is given the parameters of its query: %s', async (query, answer) => {
	expect(await send(query)).toMatchObject({ status: 200, data: answer });
	expect(server.requests.at(-1)).toMatchObject({ query, processed: true });
});

test.each([
	['a missing one', 'text=x'],
	['a bad value', 'limit=many'],
	['an unknown one', 'limit=2&verbose=1'],
	['one that comes twice', 'limit=2&limit=3'],
	['one of the path', `limit=2&workspaceId=${WORKSPACE_ID}`],
])('%s is refused', async (_, query) => {
	expect((await send(query)).status).toBe(400);
	expect(server.requests.at(-1)).toMatchObject({ query, processed: false });
});
