import { AssistantServiceApi } from '../../../credentials/AssistantServiceApi.credentials';
import { authenticateRequest } from '../../../nodes/shared/request/authenticate';

const BASE = 'https://api.example.com/api';
const KEY = 'k-0123456789abcdef';

describe('a mode other than live', () => {
	const send = (mode: unknown, method?: string, url = '/v1/x') =>
		authenticateRequest(
			{ baseUrl: BASE, apiKey: KEY, mode, testNumber: '+4915112345678' },
			{ url, ...(method !== undefined && { method }) },
		);
	const REFUSED_METHOD =
		'The "Mode" of the Assistant Service API credential is not "Live", so other nodes can send only GET requests with it. Choose the method GET, another credential, or the mode "Live".';
	const closed = [
		undefined,
		'',
		null,
		'checkOnly',
		'redirect',
		'Live',
		'CHECKONLY',
		'test',
		' ',
		0,
		false,
		{},
		['live'],
	];
	const reading = [undefined, '', 'GET', 'get', 'Get'];
	const others = [
		...['POST', 'post', 'PUT', 'Patch', 'DELETE', 'delete', 'HEAD', 'head', 'OPTIONS', 'TRACE'],
		...[
			' GET',
			'GET ',
			'GET\n',
			'\nGET',
			'GETS',
			'XGET',
			'GET POST',
			'GET\r\nPOST',
			'GET,POST',
			'ɢᴇᴛ',
		],
		' ',
	];

	test.each(closed)('lets other nodes read: %j', (mode) => {
		for (const method of reading) {
			expect(send(mode, method).headers).toEqual({ 'x-api-key': KEY });
		}
	});

	test.each(closed)('lets other nodes send nothing but a GET: %j', (mode) => {
		for (const method of others) {
			expect(() => send(mode, method)).toThrow(new Error(REFUSED_METHOD));
		}
	});

	test.each(['live'])('is not %j', (mode) => {
		for (const method of [...reading, ...others]) {
			expect(send(mode, method).headers).toEqual({ 'x-api-key': KEY });
		}
	});

	test('refuses a method that is no text', () => {
		for (const method of [null, ['GET', 'POST'], { toString: () => 'POST' }, 0]) {
			expect(() => send('checkOnly', method as unknown as string)).toThrow(
				new Error(REFUSED_METHOD),
			);
		}
	});

	test.each([undefined, '', 'nobody', '0151 12345678'])(
		'refuses without a good test number, too: %j',
		(testNumber) => {
			const credential = { baseUrl: BASE, apiKey: KEY, mode: 'redirect', testNumber };
			expect(() => authenticateRequest(credential, { url: '/v1', method: 'POST' })).toThrow(
				new Error(REFUSED_METHOD),
			);
			expect(authenticateRequest(credential, { url: '/v1', method: 'GET' })).toMatchObject({
				headers: { 'x-api-key': KEY },
			});
		},
	);

	test.each(closed)('does not open other addresses: %j', (mode) => {
		for (const method of ['GET', 'POST']) {
			expect(() => send(mode, method, 'https://evil.com/api')).toThrow(
				/sends its key only to addresses under its Base URL/,
			);
		}
	});

	test('says the same when n8n asks the credential', async () => {
		const { authenticate: ofCredential } = new AssistantServiceApi();
		const credential = { baseUrl: BASE, apiKey: KEY, mode: 'checkOnly', testNumber: '' };
		await expect(ofCredential(credential, { url: '/v1/x', method: 'POST' })).rejects.toThrow(
			new Error(REFUSED_METHOD),
		);
		expect(await ofCredential(credential, { url: '/v1/x', method: 'GET' })).toMatchObject({
			headers: { 'x-api-key': KEY },
		});
	});
});
