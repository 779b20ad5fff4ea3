import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { createServer } from 'node:http';

import { bookFields } from '../contactBook/bookFields';
import { retryRun, runNode, type NodeSetup } from './engine';
import { listen } from '../loopback';
import { useEach } from '../useEach';
import { ada, useContacts } from './contacts';
import { useFastClock } from './fastClock';
import { getPrompt, placeCall } from './world';

useFastClock();
const { simulator, calls } = useContacts();

/** n8n's own protection against requests to addresses within the network (SSRF). */
const protection = Container.get(SsrfProtectionConfig);

/** Where n8n finds a proxy; the names in lower case count first. */
const PROXY_SETTINGS = /^(?:https?|no|all)_proxy$/i;

const REFUSAL = JSON.stringify({ message: 'Authorization denied: no API key' });

/** A proxy that wants a password, in plain HTTP and for a tunnel; n8n sends everything through it. */
async function startProxy() {
	const asked: string[] = [];
	const server = createServer(({ method }, response) => {
		asked.push(String(method));
		response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end(REFUSAL);
	});
	server.on('connect', (_, socket) => {
		asked.push('CONNECT');
		socket.end(
			`HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: ${REFUSAL.length}\r\n\r\n${REFUSAL}`,
		);
	});
	const { baseUrl: url, stop: close } = await listen(server);
	const others = Object.entries(process.env).filter(([name]) => !PROXY_SETTINGS.test(name));
	jest.replaceProperty(process, 'env', {
		...Object.fromEntries(others),
		http_proxy: url,
		https_proxy: url,
	});
	const stop = async () => {
		jest.restoreAllMocks();
		await close();
	};
	return { asked, stop };
}

/** A call by an address of the service in which a part is another one. */
const callBy = (from: string, to: string): NodeSetup =>
	calls([ada], {}, { credential: { baseUrl: simulator().baseUrl.replace(from, to) } });

describe("an address that n8n's own protection does not allow", () => {
	beforeEach(() => {
		protection.enabled = true;
	});
	afterEach(() => {
		protection.enabled = false;
	});

	test('nothing is sent, and a retry sends', async () => {
		const call = callBy('127.0.0.1', 'localhost');
		const failed = await runNode(call);

		expect(simulator().requests).toEqual([]);
		expect(failed.error?.message).toMatch(/SSRF protection/);
		expect(failed.error?.description).toMatch(
			/N8N_SSRF_ALLOWED_HOSTNAMES.+N8N_SSRF_ALLOWED_IP_RANGES/,
		);
		expect(failed.error?.context.details).toMatchObject({
			kind: 'unreachable',
			outcome: 'notSent',
			httpStatus: null,
		});

		protection.enabled = false;
		const { items } = await retryRun(failed.run, call);

		expect(items).toMatchObject([{ json: { result: 'placed' } }]);
	});

	test('of the contact book: a node says so before anybody is called', async () => {
		const credential = bookFields({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key' });

		const { error } = await runNode(calls([ada], {}, { credential }));

		expect(error?.message).toContain('contact book cannot be reached');
		expect(error?.description).toContain('SSRF protection on, n8n must allow this address');
		expect(simulator().requests).toEqual([]);
	});
});

describe('a proxy that wants a password', () => {
	const proxy = useEach(startProxy);

	test.each([
		['http', placeCall, 'POST'],
		['https', getPrompt, 'CONNECT'],
	])('%s, %j: nothing reached the service', async (protocol, parameters, method) => {
		const { error } = await runNode({ ...callBy('http', protocol), parameters });

		expect(new Set(proxy().asked)).toEqual(new Set([method]));
		expect(error?.context.details).toMatchObject({
			kind: 'unreachable',
			outcome: 'notSent',
			httpStatus: 407,
			serviceMessage: null,
		});
		expect(error?.message).toMatch(/proxy/);
		expect(error?.description).toMatch(/HTTPS_PROXY.+NO_PROXY/);
	});
});
