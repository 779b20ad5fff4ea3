import { SsrfBlockedHostnameError, SsrfBlockedIpError } from '@n8n/backend-network';
import axios, { AxiosError, type AxiosRequestConfig } from 'axios';
import { NodeApiError, type JsonObject } from 'n8n-workflow';
import { Agent } from 'node:http';
import type { Socket } from 'node:net';

import { readConnectionError } from '../../../nodes/shared/answer/connectionError';
import type { Failure } from '../../../nodes/shared/answer/failure';
import { createNodeError } from '../../../nodes/shared/answer/nodeError';
import { useOtherServers } from '../../otherServer';
import { node } from '../samples';

const KEY = 'sk-very-secret-0815';

const start = useOtherServers();

/** The address of a server that does this with the connection as soon as a request arrives. */
const toServer = (onRequest: (socket: Socket) => void) => async () => {
	const { baseUrl } = await start(({ socket }) => {
		if (socket) onRequest(socket);
	});
	return baseUrl;
};

async function closedPort(): Promise<number> {
	const { port, stop } = await start(() => undefined);
	await stop();
	return port;
}

/** As n8n's helper throws it. In the realm of Jest, an error of Node.js itself is no `Error`. */
function asThrownByN8n(error: unknown): NodeApiError {
	const own = error instanceof Error ? error : Object.assign(new Error('Of Node.js'), error);
	return new NodeApiError(node, own as unknown as JsonObject);
}

async function failingRequest(url: string, more: AxiosRequestConfig = {}): Promise<NodeApiError> {
	try {
		await axios.request({
			method: 'POST',
			url,
			data: { toNumber: '+4915112345678' },
			headers: { 'x-api-key': KEY },
			maxRedirects: 0,
			proxy: false,
			validateStatus: () => true,
			...more,
		});
	} catch (error) {
		return asThrownByN8n(error);
	}
	throw new Error('The request did not fail');
}

const HALF_AN_ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"callId"';
const ignore = (): void => undefined;

type Fault = [
	name: string,
	url: () => Promise<string>,
	expected: Partial<Failure>,
	more?: AxiosRequestConfig,
];

const notSent = { kind: 'unreachable', outcome: 'notSent' } as const;
const unknown = { kind: 'unreachable', outcome: 'unknown' } as const;
const badResponse = { kind: 'badResponse', outcome: 'unknown' } as const;
const timeout = { kind: 'timeout', outcome: 'unknown' } as const;

const refused = { ...notSent, code: 'ECONNREFUSED' };
const reset = { ...unknown, code: 'ECONNRESET' };
const to = (url: string) => async () => await Promise.resolve(url);
const sendHalf = (socket: Socket) => socket.write(HALF_AN_ANSWER);
const resetLater = (socket: Socket): void => {
	socket.write(HALF_AN_ANSWER, () => setTimeout(() => socket.resetAndDestroy(), 20));
};

const FAULTS: Fault[] = [
	['a refused connection', async () => `http://127.0.0.1:${await closedPort()}`, refused],
	[
		'a refused connection to all addresses of a name',
		async () => `http://localhost:${await closedPort()}`,
		refused,
	],
	['an unknown host', to('http://nonexistent.invalid'), notSent],
	['another protocol', to('ftp://127.0.0.1/'), notSent],
	['an address that is none', to('assistant.example'), notSent],
	['a port that is none', to('http://127.0.0.1:99999'), notSent],
	['no answer in time', toServer(ignore), timeout, { timeout: 50 }],
	['half an answer in time', toServer(sendHalf), timeout, { timeout: 50 }],
	['a reset before the answer', toServer((socket) => socket.resetAndDestroy()), reset],
	['an end before the answer', toServer((socket) => socket.end()), reset],
	['a reset in the middle of the answer', toServer(resetLater), unknown],
	['an end in the middle', toServer((socket) => socket.end(HALF_AN_ANSWER)), unknown],
	['no HTTP', toServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')), badResponse],
	['its deadline', toServer(ignore), timeout, { signal: AbortSignal.timeout(50) }],
];

test.each(FAULTS)('%s', async (_, url, expected, more = {}) => {
	const error = await failingRequest(await url(), more);

	const failure = readConnectionError(error);

	expect(failure).toMatchObject({ ...expected, httpStatus: null, serviceMessage: null });
	expect(JSON.stringify(failure)).not.toContain(KEY);
	const thrown = createNodeError(node, failure, { itemIndex: 0 });
	expect(thrown.message).toBe(failure.message);
	expect(JSON.stringify(thrown)).not.toContain(KEY);
});

const blocked = [new SsrfBlockedIpError('10.0.0.1'), new SsrfBlockedHostnameError('internal')];

test.each(blocked)(
	"n8n's protection against requests to its own network, asked when the host is looked up: $name",
	async (blockedBy) => {
		const httpAgent = new Agent({
			lookup: (_, __, onResult) => {
				onResult(blockedBy, '');
			},
		});

		const error = await failingRequest('http://assistant.example', { httpAgent });

		const failure = readConnectionError(error);
		expect(failure).toMatchObject({ ...notSent, code: null });
		expect(failure.message).toMatch(/SSRF protection/);
		expect(failure.hint).toMatch(/N8N_SSRF_ALLOWED_HOSTNAMES.+N8N_SSRF_ALLOWED_IP_RANGES/);
		expect(createNodeError(node, failure, { itemIndex: 0 }).message).toBe(failure.message);
	},
);

test('a tunnel that a proxy refuses to Node.js itself', () => {
	const cause = Object.assign(new Error('Failed to establish tunnel to a via http://user:pw@b'), {
		code: 'ERR_PROXY_TUNNEL',
		statusCode: 407,
	});

	const failure = readConnectionError(asThrownByN8n(AxiosError.from(cause)));

	expect(failure).toMatchObject({ ...notSent, code: 'ERR_PROXY_TUNNEL', httpStatus: null });
	expect(failure.hint).toMatch(/HTTPS_PROXY.+NO_PROXY/);
	expect(JSON.stringify(failure)).not.toContain('pw');
});

describe('codes', () => {
	test.each([
		['CERT_HAS_EXPIRED', undefined, notSent],
		['ERR_TLS_CERT_ALTNAME_INVALID', undefined, notSent],
		['ECONNREFUSED', undefined, notSent],
		['EAI_AGAIN', 'getaddrinfo', notSent],
		['EHOSTUNREACH', 'connect', notSent],
		['EHOSTUNREACH', 'read', unknown],
		['ECONNREFUSED', 'read', unknown],
		['EPROTO', 'write', unknown],
		['ERR_SSL_WRONG_VERSION_NUMBER', undefined, unknown],
		['ETIMEDOUT', 'connect', notSent],
		['ETIMEDOUT', 'read', timeout],
		['ECONNRESET', 'connect', notSent],
		['EPIPE', 'write', unknown],
		['HPE_HEADER_OVERFLOW', undefined, badResponse],
	])('%s of %s', (code, syscall, expected) => {
		const cause = Object.assign(new Error(code), {
			code,
			...(syscall !== undefined && { syscall }),
		});

		for (const error of [cause, new Error('Outer', { cause }), { cause: { cause } }]) {
			expect(readConnectionError(error)).toMatchObject({ ...expected, code });
		}
	});

	test.each([
		[['connect', 'connect'], notSent],
		[['connect', 'read'], timeout],
		[[undefined, {}], timeout],
	])('ETIMEDOUT of several addresses, each of %j', (syscalls, expected) => {
		const errors = syscalls.map((syscall) => ({ code: 'ETIMEDOUT', syscall }));
		const cause = { code: 'ETIMEDOUT', errors };

		expect(readConnectionError({ code: 'ETIMEDOUT', cause })).toMatchObject(expected);
	});

	const endless = new Error('Endless');
	endless.cause = endless;

	test.each([undefined, null, 'broken', 7, {}, [], { code: 7 }, new Error('No code'), endless])(
		'%p says nothing, so nobody can say what became of it',
		(error) => {
			expect(readConnectionError(error)).toMatchObject({ ...unknown, code: null });
		},
	);
});
