import { z } from 'zod';
import { bookRow, type BookRow } from '../../nodes/shared/book/columns';
import { openDataTables } from '../dataTables';
import { passDay } from '../passDay';
import type { N8nClient } from '../rest';
import { OWNER, webhookPath, type Credentials } from '../setup';

const NEWEST = '20';

/** The rows of calls without an end for which an execution waits, or has waited. */
const AWAITED = JSON.stringify({
	filters: [
		{ columnName: 'outcome', condition: 'eq', value: 'accepted' },
		{ columnName: 'resumeUrl', condition: 'isNotEmpty', value: null },
		{ columnName: 'endedAt', condition: 'eq', value: null },
	],
});

/** The rows of lists, and those of people who have opted out. */
const OF_LISTS = JSON.stringify({
	type: 'or',
	filters: [
		{ columnName: 'list', condition: 'isNotEmpty', value: null },
		{ columnName: 'doNotContact', condition: 'eq', value: true },
	],
});

/** An execution that waits for calls: its number, its workflow, where n8n shows it, and the rows of the calls without an end. */
export type Wait = Record<'id' | 'name' | 'url', string> & { rows: BookRow[] };

/** The newest rows of the contact book, newest first, and the number of all. */
export interface Seen {
	newest: BookRow[];
	count: number;
	waits: Wait[];
	/** Those of lists and of people who have opted out, newest first. */
	ofLists: BookRow[];
}

/** What the page says about the n8n beside it. */
export interface N8nBeside {
	url: string;
	email: string;
	password: string;
	/** The name of the workflow whose trigger has this URL, for tests or for production. */
	workflowAt: (url: string) => Promise<string | undefined>;
	/** What n8n knows now; rejects if it does not answer, or has no contact book. */
	look: () => Promise<Seen>;
	/** Makes the contact book look as if a day had passed. */
	passDay: () => Promise<void>;
}

/** The n8n of a client with the contact book of its credential, under the address that people open. */
export async function besideOf(
	{ client, credentials }: { client: N8nClient; credentials: Credentials },
	url = client.baseUrl,
): Promise<N8nBeside> {
	const { email, password } = OWNER;
	const tables = await openDataTables(client.baseUrl);
	const bookTable = async () => {
		// Somebody may have entered another table.
		const { contactBookTable } = await client.credentialData(credentials.assistantServiceApi);
		const table = await tables.find(z.string().parse(contactBookTable));
		if (!table) throw new Error('no contact book');
		return table;
	};
	const look = async (): Promise<Seen> => {
		const table = await bookTable();
		const [newest, awaited, ofLists, waiting] = await Promise.all([
			table.find({ sortBy: 'id:desc', take: NEWEST }),
			table.find({ filter: AWAITED }),
			table.find({ filter: OF_LISTS, sortBy: 'id:desc', take: '250' }),
			client.executions(undefined, ['waiting']),
		]);
		const open = z.array(bookRow).parse(awaited.data);
		const waits = waiting.map(({ id, workflowId, workflowName: name = '' }) => {
			const rows = open.filter(({ resumeUrl }) => resumeUrl?.includes(`/${id}/`));
			return { id, name, url: `${url}/workflow/${workflowId}/executions/${id}`, rows };
		});
		return {
			newest: z.array(bookRow).parse(newest.data),
			count: newest.count,
			waits: waits.filter((one) => one.rows.length > 0),
			ofLists: z.array(bookRow).parse(ofLists.data),
		};
	};
	return {
		...{ url, email, password, look },
		passDay: async () => {
			await passDay(await bookTable());
		},
		workflowAt: async (webhookUrl) => await workflowAt(client, webhookUrl).catch(() => undefined),
	};
}

async function workflowAt(client: N8nClient, url: string): Promise<string | undefined> {
	const path = new URL(url).pathname.replace('/webhook-test/', '/webhook/');
	const ids = (await client.workflows()).map(({ id }) => id);
	const all = await Promise.all(ids.map(async (id) => await client.workflow(id)));
	return all.find(({ nodes }) => nodes.some((node) => webhookPath(node) === path))?.name;
}
