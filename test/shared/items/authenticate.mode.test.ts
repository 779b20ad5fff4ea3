import { authenticateRequest } from '../../../nodes/shared/items/authenticateRequest';

const BASE = 'https://api.example.com/api';
const KEY = 'k-0123456789abcdef';

describe('a mode other than live', () => {
	const send = (mode: unknown, method?: string) =>
		authenticateRequest(
			{ baseUrl: BASE, apiKey: KEY, mode, testNumber: '+4915112345678' },
			{ url: '/v1/x', ...(method !== undefined && { method }) },
		);
	const REFUSED_METHOD =
		'Other nodes can send only GET requests with the Assistant Service API credential. To the service, the mode "Live" allows all. Choose the method GET, or another credential.';
	// What the mode can be is in credential.test.ts.
	const closed = [undefined, '', 'checkOnly', 'redirect', 'Live', ['live']];
	const reading = [undefined, '', 'GET', 'get', 'Get'];
	const others = ['POST', 'Patch', 'HEAD', 'GETS', 'XGET', ' GET', 'GET\n', 'GET\r\nPOST', 'ɢᴇᴛ'];

	test.each(closed)('lets other nodes read, and send nothing but a GET: %j', (mode) => {
		for (const method of reading) {
			expect(send(mode, method).headers).toEqual({ 'x-api-key': KEY });
		}
		for (const method of [...others, null, ['GET', 'POST'], { toString: () => 'POST' }]) {
			expect(() => send(mode, method as unknown as string)).toThrow(new Error(REFUSED_METHOD));
		}
	});

	test.each(closed)('does not limit what the package sends itself: %j', (mode) => {
		const credential = { baseUrl: BASE, apiKey: KEY, mode, isOwnRequest: true };
		const request = { url: '/v1/x', method: 'POST' };
		expect(authenticateRequest(credential, request).headers).toEqual({ 'x-api-key': KEY });
		for (const isOwnRequest of [undefined, false, 'true', 1]) {
			expect(() => authenticateRequest({ ...credential, isOwnRequest }, request)).toThrow(
				new Error(REFUSED_METHOD),
			);
		}
	});

	test('live lets other nodes send', () => {
		expect(send('live', 'POST').headers).toEqual({ 'x-api-key': KEY });
	});
});
