import type { Server } from 'node:http';

export interface Listening {
	/** Without a path and a slash at the end. */
	readonly baseUrl: string;
	readonly port: number;
	readonly stop: () => Promise<void>;
}

/** Has a server listen on the loopback address, by default on a free port. */
export async function listen(server: Server, port = 0): Promise<Listening> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port was given');
	return {
		baseUrl: `http://127.0.0.1:${address.port}`,
		port: address.port,
		stop: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}
