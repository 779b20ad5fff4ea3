import axios, { type AxiosInstance } from 'axios';
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import type { Owner } from './restTypes';

/**
 * A connection to n8n's own REST API, signed in as the owner, who is made when the n8n is new.
 *
 * @throws Error with what n8n answered, here and from every later request that fails
 */
export async function signIn(baseUrl: string, owner: Owner): Promise<AxiosInstance> {
	const http = axios.create({
		baseURL: `${baseUrl}/rest`,
		proxy: false,
		timeout: 60_000,
		// A connection that is kept may be closed by n8n in the moment in which it is used again.
		httpAgent: new Agent({ keepAlive: false }),
		headers: { 'browser-id': randomUUID() },
	});
	http.interceptors.response.use(undefined, (error: unknown) => {
		throw axios.isAxiosError(error) ? new Error(describe(error)) : error;
	});
	if (await isNew(http)) await http.post('/owner/setup', owner);
	const { email: emailOrLdapLoginId, password } = owner;
	const answer = await http.post('/login', { emailOrLdapLoginId, password });
	const cookies = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]);
	http.defaults.headers.common.cookie = cookies.join('; ');
	return http;
}

async function isNew(http: AxiosInstance): Promise<boolean> {
	const { data } = await http.get<{
		data: { userManagement: { showSetupOnFirstLoad: boolean } };
	}>('/settings');
	return data.data.userManagement.showSetupOnFirstLoad;
}

function describe(error: {
	message: string;
	config?: { method?: string; url?: string };
	response?: { data: unknown };
}): string {
	const { method = '', url = '' } = error.config ?? {};
	return `n8n: ${method.toUpperCase()} ${url}: ${error.message} ${JSON.stringify(error.response?.data ?? '')}`;
}
