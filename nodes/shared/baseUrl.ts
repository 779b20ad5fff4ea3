/**
 * The address that comes before `/v1`, without what people tend to add: white space, a trailing `/`
 * or the `/v1` itself.
 */
export function normalizeBaseUrl(baseUrl: string): string {
	return baseUrl.trim().replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
}
