import axios from 'axios';
import type { Scope } from '../dataTables/tables';
import { access, scopeTests } from './access';
import type { ApiRequest } from './request';
import { inserts } from './inserts';
import { reads } from './reads';
import { tables } from './tables';
import { updates } from './updates';

const REQUESTS = [...access, ...scopeTests, ...tables, ...inserts, ...reads, ...updates];

/** An n8n, a real one or our server. */
export interface Api {
	/** Without /api/v1. */
	readonly baseUrl: string;
	/** A key with all scopes but these. */
	readonly keyWithout: (...scopes: Scope[]) => string | Promise<string>;
}

/** Encodes what n8n wants encoded, which is more than encodeURIComponent does. */
export const encode = (value: string): string =>
	encodeURIComponent(value).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16)}`,
	);

const queryOf = ({ query = {}, rawQuery }: ApiRequest): string =>
	rawQuery ??
	Object.entries(query)
		.map(([name, value]) => {
			const text = typeof value === 'string' ? value : JSON.stringify(value);
			return `${name}=${encode(text)}`;
		})
		.join('&');

const isList = (body: unknown): body is { data: { id: unknown }[] } =>
	typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data);

/** Sends every request of the list, in order, and compares what comes back: the same for n8n and for our server. */
export function testDataTablesApi(api: () => Api): void {
	// Nothing of another test has this name.
	const suffix = String(Date.now());
	const tableIds = new Map<string, string>();
	const filled = (text: string): string =>
		text
			.replaceAll('<suffix>', suffix)
			.replace(/<id of ([^>]+)>/g, (_, name: string) => tableIds.get(name) ?? 'none');
	const fill = <T>(value: T): T =>
		value === undefined ? value : (JSON.parse(filled(JSON.stringify(value))) as T);

	test.each(REQUESTS.map((request) => [request.title, request] as const))(
		'%s',
		async (_, request) => {
			const { method, path, key = 'good', remember } = request;
			const { keyWithout, baseUrl } = api();
			const without = typeof key === 'object' ? key.without : [];
			const apiKey = key === 'bad' ? 'not-a-key' : await keyWithout(...without);
			const query = queryOf(fill(request));
			const { status, data } = await axios.request<unknown>({
				method,
				url: `${baseUrl}/api/v1${filled(path)}${query && `?${query}`}`,
				headers: key === 'none' ? {} : { 'X-N8N-API-KEY': apiKey },
				data: fill(request.body),
				proxy: false,
				validateStatus: () => true,
			});
			if (remember !== undefined && typeof data === 'object' && data !== null && 'id' in data)
				tableIds.set(remember, String(data.id));
			if (request.ids === undefined) {
				expect({ status, data }).toEqual(fillExpected(request.gives, filled));
				return;
			}
			expect({ status, ids: isList(data) ? data.data.map(({ id }) => id) : data }).toEqual({
				status: 200,
				ids: fill(request.ids),
			});
		},
	);
}

/** The same with the texts filled; asymmetric matchers stay. */
function fillExpected(expected: unknown, filled: (text: string) => string): unknown {
	if (typeof expected === 'string') return filled(expected);
	if (Array.isArray(expected)) return expected.map((one) => fillExpected(one, filled));
	if (Object.prototype.toString.call(expected) !== '[object Object]') return expected;
	if (typeof expected !== 'object' || expected === null || '$$typeof' in expected) return expected;
	return Object.fromEntries(
		Object.entries(expected).map(([name, value]) => [name, fillExpected(value, filled)]),
	);
}
