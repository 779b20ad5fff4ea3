import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listen, type Listening } from './loopback';

/** A server that is not the service: it answers everything in one way and keeps what it was asked. */
export interface OtherServer extends Listening {
	readonly requests: { url: string; headers: IncomingHttpHeaders }[];
}

/** What a server does with each request, whose `url` is path and query as on the wire. */
export type Answerer = (
	response: ServerResponse,
	request: { url: string; headers: IncomingHttpHeaders },
) => void;

export async function startOtherServer(answer: Answerer): Promise<OtherServer> {
	const requests: OtherServer['requests'] = [];
	const server = createServer(({ url = '', headers }, response) => {
		requests.push({ url, headers });
		answer(response, { url, headers });
	});
	return { ...(await listen(server)), requests };
}

export const answerWith =
	(status: number, body = '', contentType = 'application/json', headers = {}): Answerer =>
	(response) => {
		response.writeHead(status, { 'content-type': contentType, ...headers });
		response.end(body);
	};

/** Starts such servers, and stops them at the end of each test. */
export function useOtherServers(): (answer: Answerer) => Promise<OtherServer> {
	const running: OtherServer[] = [];
	afterEach(async () => {
		for (const { stop } of running.splice(0)) await stop();
	});
	return async (answer) => {
		const server = await startOtherServer(answer);
		running.push(server);
		return server;
	};
}
