import axios from 'axios';
import { eventually } from '../eventually';
import { itemsOf } from '../executions';
import type { SavedExecution } from '../restTypes';
import { readExample } from '../setup';
import { phoneOf } from './calls';
import { startMailServer, type MailServer } from './mailServer';
import { inTurn, startModelServer, toolAnswers, type ModelServer } from './modelServer';
import { useOpened, useWorld } from './world';

const EXAMPLE = readExample('approved-agent-call.json');
const ADA = '+15550102001';
/** By the name of its node; the review step wants what is for the tool apart. */
const PLACE_CALL = {
	tool: 'Place_a_Phone_Call',
	arguments: { toolParameters: { toNumber: ADA, reason: 'Your appointment' }, hitlParameters: {} },
};

/** n8n takes no answer from a bot, such as a mail server that looks at links. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const world = useWorld();
const model = useOpened(startModelServer, async (server: ModelServer) => server.stop());
const mail = useOpened(startMailServer, async (server: MailServer) => server.stop());

beforeAll(async () => {
	const { client } = world();
	await client.saveCredential('openAiApi', 'OpenAI account', {
		apiKey: 'not-needed',
		url: model().baseUrl,
	});
	await client.saveCredential('smtp', 'SMTP account', {
		host: '127.0.0.1',
		port: mail().port,
		secure: false,
		disableStartTls: true,
	});
});

const called = () =>
	world()
		.simulator.processed('placeCall')
		.map(({ body }) => phoneOf(body));

/** Runs the example until the reviewer has a mail; gives the links of its two buttons. */
async function askForApproval() {
	const { client } = world();
	model().play(inTurn([PLACE_CALL]));
	const before = mail().mails.length;
	const { id } = await client.createWorkflow(EXAMPLE);
	const executionId = await client.start(id, 'Start');
	await eventually('the wait for the reviewer', async () => {
		const execution = await client.execution(executionId);
		if (execution.status === 'error') throw new Error(execution.raw);
		return execution.status === 'waiting' ? true : undefined;
	});
	const mails = mail().mails.slice(before);
	const links = Array.from(mails.join().matchAll(/href="([^"]+approved[^"]+)"/g), ([, link = '']) =>
		link.replaceAll('&amp;', '&'),
	);
	const linkOf = (approved: boolean) =>
		links.find((link) => link.includes(`approved=${approved}`)) ?? '';
	return { executionId, mails, approve: linkOf(true), disapprove: linkOf(false) };
}

async function answer(executionId: string, link: string): Promise<SavedExecution> {
	await axios.get(link, { proxy: false, headers: { 'user-agent': BROWSER } });
	return await world().client.finished(executionId);
}

const readByAgent = () => toolAnswers(model().requests.at(-1)?.messages ?? []);

describe('the example "Approved agent call"', () => {
	it('calls once when the reviewer has approved, and not before', async () => {
		const { executionId, mails, approve } = await askForApproval();

		expect(mails).toHaveLength(1);
		expect(mails[0]).toContain(ADA);
		expect(world().simulator.requests).toEqual([]);

		const execution = await answer(executionId, approve);

		expect(execution.status).toBe('success');
		expect(called()).toEqual([ADA]);
		expect(readByAgent()).toEqual([expect.stringContaining('callId')]);
		expect(itemsOf(execution, 'Agent')).toEqual([{ output: 'Done.' }]);
	});

	it('calls nobody when the reviewer has not approved, and the agent reads it', async () => {
		const { executionId, disapprove } = await askForApproval();
		const execution = await answer(executionId, disapprove);

		expect(execution.status).toBe('success');
		expect(world().simulator.requests).toEqual([]);
		expect(readByAgent()).toEqual([expect.stringContaining('rejected')]);
	});

	it('calls once when the link is opened twice', async () => {
		const { executionId, approve } = await askForApproval();
		await answer(executionId, approve);
		await axios.get(approve, {
			proxy: false,
			headers: { 'user-agent': BROWSER },
			validateStatus: () => true,
		});

		expect(called()).toEqual([ADA]);
	});
});
