import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { N8nClient } from '../rest';
import { OWNER, WEBHOOK_HEADER } from '../setup';
import { PLACE_CALL } from './calls';
import { createTrigger, fromSetup, listFromSetup, runOneNode, useWorld } from './world';

/** Stand in what n8n has to save, so that the search is known to find things. */
const MARK = '+15550103333';
const EVENT_MARK = 'by header and by query';
const CALL = { ...PLACE_CALL, toNumber: MARK };
/** What n8n copies there is its own: the editor, and the package under test. */
const NOT_SAVED_DATA = ['.cache', 'nodes', 'packed'];

const world = useWorld();

/** Every way in which a secret could get into an execution, beside what the other tests left. */
beforeAll(async () => {
	const { client, simulator, secret } = world();
	await runOneNode(world(), CALL);
	for (const fault of ['status', 'resetAfter', 'html', 'redirect'] as const) {
		simulator.addFault({ kind: fault, times: 1 });
		await runOneNode(world(), CALL);
	}
	const trigger = await createTrigger(world(), {
		authentication: 'secret',
		options: { output: 'raw' },
	});
	const { workflowId, url } = trigger;
	simulator.setWebhooks([
		{ url, headers: { [WEBHOOK_HEADER]: secret } },
		{ url: `${url}?secret=${secret}` },
	]);
	await simulator.deliverWebhook({ summary: EVENT_MARK });
	await client.finishedAfter('0', workflowId, 1);
});

function filesUnder(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !NOT_SAVED_DATA.includes(name))
		.flatMap((entry) => {
			const full = path.join(folder, entry.name);
			return entry.isDirectory() ? filesUnder(full) : [full];
		});
}

/** The data of all executions of all tests. */
async function executions(): Promise<string[]> {
	const clients = await Promise.all(
		listFromSetup('E2E_N8NS').map(async (url) => await N8nClient.signIn(url, OWNER)),
	);
	const all = clients.map(async (client) => {
		const summaries = await client.executions();
		return await Promise.all(summaries.map(async ({ id }) => (await client.execution(id)).raw));
	});
	return (await Promise.all(all)).flat();
}

const files = () =>
	listFromSetup('E2E_USER_FOLDERS')
		.flatMap(filesUnder)
		.map((file) => readFileSync(file));

it.each<[string, () => Promise<string[]> | Buffer[], string[]]>([
	['execution', executions, [MARK, EVENT_MARK]],
	// The database, its log of what is not yet in it, and the logs of n8n.
	['file', files, [MARK]],
])('no %s that n8n has saved holds the API key or the webhook secret', async (_, read, marks) => {
	const saved = await read();
	const holds = (wanted: string) => saved.some((one) => one.includes(wanted));

	expect(marks.filter(holds)).toEqual(marks);
	expect([fromSetup('E2E_API_KEY'), fromSetup('E2E_WEBHOOK_SECRET')].filter(holds)).toEqual([]);
});
