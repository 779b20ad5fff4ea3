import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

const END_OF_MAIL = '.';

/** A mail server on a loopback port that takes every mail. */
export async function startMailServer() {
	const mails: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		let mail: string[] | undefined;
		const say = (line: string) => socket.write(`${line}\r\n`);
		say('220 mail');
		createInterface({ input: socket }).on('line', (line) => {
			if (mail !== undefined && line !== END_OF_MAIL) {
				mail.push(line);
			} else if (mail !== undefined) {
				mails.push(decode(mail.join('\n')));
				mail = undefined;
				say('250 taken');
			} else if (line === 'DATA') {
				mail = [];
				say('354 go on');
			} else {
				say(line === 'QUIT' ? '221 bye' : '250 yes');
			}
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		/** The mails that were sent, oldest first, decoded from quoted-printable; they can be removed. */
		mails,
		stop: async (): Promise<void> => {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}

const decode = (text: string): string =>
	text
		.replace(/=\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
