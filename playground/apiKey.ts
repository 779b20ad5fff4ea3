import type { AxiosInstance } from 'axios';
import { randomUUID } from 'node:crypto';

/** A new key to n8n's public API that does not expire, with these scopes. */
export async function createApiKey(http: AxiosInstance, scopes: string[]): Promise<string> {
	const { data } = await http.post<{ data: { rawApiKey: string } }>('/api-keys', {
		// n8n wants a name that no other key has.
		label: randomUUID(),
		scopes,
		expiresAt: null,
	});
	return data.data.rawApiKey;
}
