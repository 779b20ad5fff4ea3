import axios from 'axios';
import { Agent, type AgentOptions } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

import { readConnectionError } from '../../../nodes/shared/answer/connectionError';
import { createCertificate } from './certificate';
import { asThrownByN8n, useSockets } from './sockets';

const { key, cert } = createCertificate();
const GARBAGE = 'HTTP/1.1 400 Bad Request\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

const { listen, watch } = useSockets();

interface SecureServer {
	readonly url: string;
	/** The requests that arrived, decrypted. */
	readonly requests: string[];
}

/**
 * A server that speaks TLS, with the raw connection to each client in hand: at each request, `answer` gives what is
 * written through TLS, or else the answer's `raw` bytes are put into the connection past TLS.
 */
async function startSecure(
	answer: (count: number) => { secure?: string; raw?: string | Buffer },
): Promise<SecureServer> {
	const requests: string[] = [];
	let client: Socket | undefined;
	const inner = createTlsServer({ key, cert }, (socket) => {
		watch(socket).on('data', (data) => {
			const { secure, raw } = answer(requests.push(data.toString()));
			if (secure !== undefined) socket.write(secure);
			if (raw !== undefined) client?.write(raw);
		});
	});
	const innerPort = await listen(inner);
	const relay = createServer((socket) => {
		client = watch(socket);
		const upstream = watch(connect(innerPort, '127.0.0.1'));
		socket.pipe(upstream).pipe(socket);
	});
	return { url: `https://127.0.0.1:${await listen(relay)}`, requests };
}

/** The request of a call, and what its error means; `undefined` if it was answered. */
async function send(url: string, agent: Agent) {
	try {
		await axios.request({
			method: 'POST',
			url,
			data: { call: 1 },
			httpsAgent: agent,
			proxy: false,
		});
		return undefined;
	} catch (error) {
		return readConnectionError(asThrownByN8n(error));
	}
}

const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;
const agentFor = (options: AgentOptions): Agent => new Agent({ ca: cert, ...options });

describe.each(VERSIONS)('%s', (maxVersion) => {
	test.each([
		['text', GARBAGE],
		['a record of no known key', Buffer.from([23, 3, 3, 0, 30, ...Array<number>(30).fill(7)])],
		['an alert that is not encrypted', Buffer.from([21, 3, 3, 0, 2, 2, 40])],
	])('%s after the request: nobody can say what became of it', async (_, raw) => {
		const { url, requests } = await startSecure(() => ({ raw }));

		const failure = await send(url, agentFor({ maxVersion }));

		expect(requests).toHaveLength(1);
		expect(failure).toMatchObject({ kind: 'unreachable', outcome: 'unknown' });
	});

	test('a kept connection that breaks at its second request', async () => {
		const { url, requests } = await startSecure((count) =>
			count === 1 ? { secure: OK } : { raw: GARBAGE },
		);
		const agent = agentFor({ maxVersion, keepAlive: true });

		expect(await send(url, agent)).toBeUndefined();
		const failure = await send(url, agent);

		expect(requests).toHaveLength(2);
		expect(failure).toMatchObject({ kind: 'unreachable', outcome: 'unknown' });
	});

	test.each([
		['an unknown signer', { ca: [] }],
		['another name', { servername: 'other.example' }],
	])('a certificate that is refused for %s: nothing was sent', async (_, options) => {
		const { url, requests } = await startSecure(() => ({ secure: OK }));

		const failure = await send(url, agentFor({ maxVersion, ...options }));

		expect(failure).toMatchObject({ kind: 'unreachable', outcome: 'notSent' });
		expect(requests).toEqual([]);
	});
});

test('http where https is spoken: the error could come after the request, too', async () => {
	const port = await listen(
		createServer((socket) => {
			watch(socket).on('data', () => socket.end(GARBAGE));
		}),
	);

	expect(await send(`https://127.0.0.1:${port}`, agentFor({}))).toMatchObject({
		kind: 'unreachable',
		outcome: 'unknown',
	});
});
