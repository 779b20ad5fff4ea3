import axios from 'axios';
import { eventually } from '../eventually';
import type { N8nClient } from '../rest';
import { startMailServer, type MailServer } from './mailServer';
import { useOpened, type World } from './world';

/** n8n takes no answer from a bot, such as a mail server that looks at links. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A mail of n8n that asks for an approval. */
export interface Review {
	mail: string;
	approve: string;
	disapprove: string;
}

/**
 * A mail server for the tests of a file, to which n8n sends its mails by the credential that the examples ask for. It is
 * empty before each of them.
 */
export function useReviewer(world: () => World): () => MailServer {
	const mail = useOpened(startMailServer);
	beforeAll(async () => {
		await world().client.saveCredential('smtp', 'SMTP account', {
			host: '127.0.0.1',
			port: mail().port,
			secure: false,
			disableStartTls: true,
		});
	});
	beforeEach(() => {
		mail().mails.length = 0;
	});
	return mail;
}

/** The mail with this number, from 0, that an execution has sent before it waits for the reviewer. */
export async function reviewOf(
	client: N8nClient,
	executionId: string,
	{ mails }: MailServer,
	number: number,
): Promise<Review> {
	const mail = await eventually('the wait for the reviewer', async () => {
		const { status, raw } = await client.execution(executionId);
		if (status === 'error') throw new Error(raw);
		return status === 'waiting' ? mails[number] : undefined;
	});
	const links = Array.from(mail.matchAll(/href="([^"]+approved[^"]+)"/g), ([, link = '']) =>
		link.replaceAll('&amp;', '&'),
	);
	const linkOf = (approved: boolean) =>
		links.find((link) => link.includes(`approved=${approved}`)) ?? '';
	return { mail, approve: linkOf(true), disapprove: linkOf(false) };
}

/** Opens a link of a mail as a person does; whatever n8n answers. */
export async function open(link: string): Promise<void> {
	await axios.get(link, {
		proxy: false,
		headers: { 'user-agent': BROWSER },
		validateStatus: () => true,
	});
}
