import { NodeApiError, type JsonObject } from 'n8n-workflow';
import type { AddressInfo, Server, Socket } from 'node:net';

import { node } from '../samples';

/** Servers without a protocol, which end with all their connections after the tests of a file. */
export function useSockets() {
	const servers: Server[] = [];
	const sockets = new Set<Socket>();
	afterAll(async () => {
		for (const socket of sockets) socket.destroy();
		await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
	});
	return {
		/** Has a connection ended with the others; that it breaks is no error of the test. */
		watch: (socket: Socket): Socket => {
			sockets.add(socket);
			return socket.on('error', () => undefined);
		},
		listen: async (server: Server): Promise<number> => {
			servers.push(server);
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			return (server.address() as AddressInfo).port;
		},
	};
}

/**
 * The error of a request as n8n's helper throws it. Jest runs tests in a realm of their own, in which an error of Node.js
 * itself is not an `Error`.
 */
export function asThrownByN8n(error: unknown): NodeApiError {
	const own = error instanceof Error ? error : Object.assign(new Error('Of Node.js'), error);
	return new NodeApiError(node, own as unknown as JsonObject);
}
