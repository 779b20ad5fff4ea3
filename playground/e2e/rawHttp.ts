import net from 'node:net';

/** A request that is only bytes, so that it may be no good HTTP. */
export interface RawRequest {
	bytes: Buffer;
	/** When the sender leaves, if nobody might ever answer. */
	leavesAfterMs?: number;
}

export interface RawAnswer {
	/** 0 when the connection was closed without an answer, -1 when nothing happened at all. */
	status: number;
	body: string;
}

const ANSWERED_WITHIN_MS = 30_000;

/** The first answer on a connection of its own, "100 Continue" left out. */
export async function exchange(
	port: number,
	{ bytes, leavesAfterMs }: RawRequest,
): Promise<RawAnswer> {
	return await new Promise((resolve) => {
		const parts: Buffer[] = [];
		const socket = net.connect({ port, host: '127.0.0.1' });
		let silent = 0;
		const leave = leavesAfterMs && setTimeout(() => socket.end(), leavesAfterMs);
		const giveUp = setTimeout(() => {
			silent = -1;
			socket.destroy();
		}, ANSWERED_WITHIN_MS);
		socket.on('data', (part) => {
			parts.push(part);
			if (isComplete(Buffer.concat(parts).toString('latin1'))) socket.destroy();
		});
		// What a reset means shows in what came before it.
		socket.on('error', () => undefined);
		socket.on('close', () => {
			if (leave) clearTimeout(leave);
			clearTimeout(giveUp);
			const { status, body } = read(Buffer.concat(parts).toString('latin1'));
			resolve({ status: status === 0 ? silent : status, body });
		});
		socket.write(bytes);
	});
}

const withoutContinue = (answer: string): string =>
	answer.replace(/^(?:HTTP\/1\.1 100 [^]*?\r\n\r\n)+/, '');

function isComplete(answer: string): boolean {
	const [head = '', ...body] = withoutContinue(answer).split('\r\n\r\n');
	const length = /^content-length: (\d+)/im.exec(head)?.[1];
	return length !== undefined && body.join('\r\n\r\n').length >= Number(length);
}

function read(answer: string): RawAnswer {
	const [head = '', ...body] = withoutContinue(answer).split('\r\n\r\n');
	const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
	return { status, body: body.join('\r\n\r\n') };
}
