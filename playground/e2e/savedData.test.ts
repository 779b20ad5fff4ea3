import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { N8nClient } from '../rest';
import { OWNER, WEBHOOK_HEADER } from '../setup';
import { PLACE_CALL } from './calls';
import { createTrigger, fromSetup, listFromSetup, runOneNode, useWorld } from './world';

/** Stands in what n8n has to save, so that the search is known to find things. */
const MARK = '+15550103333';
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
	await simulator.deliverWebhook({ summary: 'by header and by query' });
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

const secrets = () => [fromSetup('E2E_API_KEY'), fromSetup('E2E_WEBHOOK_SECRET')];
const found = (text: string | Buffer, wanted: string[]) =>
	wanted.filter((one) => text.includes(one));

describe('what n8n has saved', () => {
	it('holds neither the API key nor the webhook secret in any execution', async () => {
		const clients = await Promise.all(
			listFromSetup('E2E_N8NS').map(async (url) => await N8nClient.signIn(url, OWNER)),
		);
		const executions = await Promise.all(
			clients.map(async (client) => {
				const summaries = await client.executions();
				return await Promise.all(summaries.map(async ({ id }) => await client.execution(id)));
			}),
		);
		const text = executions
			.flat()
			.map(({ raw }) => raw)
			.join('\n');
		expect(found(text, [MARK, 'by header and by query'])).toHaveLength(2);
		expect(found(text, secrets())).toEqual([]);
	});

	it('holds them in no file: not in the database, not in a log', () => {
		const files = listFromSetup('E2E_USER_FOLDERS').flatMap(filesUnder);
		const holding = (wanted: string[]) =>
			files.filter((file) => found(readFileSync(file), wanted).length > 0);
		// The database, or its log of what is not yet in it.
		expect(holding([MARK]).map((file) => path.extname(file))).toContainEqual(
			expect.stringMatching(/^\.sqlite/),
		);
		expect(holding(secrets())).toEqual([]);
	});
});
