import type { AxiosInstance } from 'axios';

interface SavedKey {
	id: string;
	label: string;
}

/**
 * A new key to n8n's public API in place of the one of this name, since n8n shows a key only once. It has those of the scopes that this n8n
 * knows, or all that there are if it knows none of them.
 */
export async function replaceApiKey(
	http: AxiosInstance,
	scopes: readonly string[],
	label: string,
): Promise<string> {
	const { data: saved } = await http.get<{ data: SavedKey[] | { items: SavedKey[] } }>('/api-keys');
	const keys = 'items' in saved.data ? saved.data.items : saved.data;
	for (const key of keys.filter((one) => one.label === label)) {
		await http.delete(`/api-keys/${key.id}`);
	}
	const { data: known } = await http.get<{ data: string[] }>('/api-keys/scopes');
	const usable = scopes.filter((scope) => known.data.includes(scope));
	const wanted = { label, scopes: usable.length > 0 ? usable : known.data, expiresAt: null };
	const { data: made } = await http.post<{ data: { rawApiKey: string } }>('/api-keys', wanted);
	return made.data.rawApiKey;
}
