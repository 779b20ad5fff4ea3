import axios from 'axios';
import fc from 'fast-check';

export const BASE = 'https://api.example.com/api';

/** Where a request goes, as n8n's helpers take it. */
export interface Given {
	baseURL?: string;
	url?: string;
	uri?: string;
}

/** Where axios sends a request that n8n's helpers hand on to it. */
export const addressOf = ({ baseURL, url, uri }: Given): URL =>
	new URL(axios.getUri({ baseURL, url: url ?? uri }));

/** Parts of addresses, so that many of them are almost right. */
const part = fc.constantFrom(
	...['https:', 'http:', 'HTTPS:', 'ftp:'],
	...[':', '/', '//', '\\', '@', '?', '#', ' ', '\t', '\u0000'],
	...['api.example.com', 'API.example.com', 'evil.com', '.evil.com', ':443', ':8443', '%2f', '%2e'],
	...['api', 'apifoo', 'v1', 'x', '..', '.', '%2e%2e', 'a%20b', 'ü', '[::1]', '%'],
);
export const address = fc.oneof(
	fc.array(part, { maxLength: 9 }).map((parts) => parts.join('')),
	fc.array(part, { maxLength: 6 }).map((parts) => `${BASE}/${parts.join('')}`),
	fc.webUrl({ withFragments: true, withQueryParameters: true }),
	fc.string(),
);
export const baseUrls = fc.oneof(
	fc.constantFrom(BASE, 'https://api.example.com', 'http://127.0.0.1:3000/api/v1/'),
	fc.webUrl({ validSchemes: ['http', 'https'] }),
);
export const asFolder = (path: string) => `${path.replace(/\/+$/, '')}/`;
