import { itemsOf } from '../executions';
import { readExample } from '../setup';
import { ADA, called } from './exampleWorkflows';
import { inTurn, startModelServer, toolAnswers } from './modelServer';
import { open, reviewOf, useReviewer } from './reviewer';
import { START, useOpened, useWorld } from './world';

const EXAMPLE = readExample('approved-agent-call.json');
/** The node's own text for a model. */
const TOLD = 'Places a real phone call';
/** By the name of its node; the review step wants what is for the tool apart. */
const PLACE_CALL = {
	tool: 'Place_a_Phone_Call',
	arguments: { toolParameters: { toNumber: ADA, reason: 'Your appointment' }, hitlParameters: {} },
};

const world = useWorld();
const model = useOpened(startModelServer);
const mail = useReviewer(world);

beforeAll(async () => {
	const { client } = world();
	await client.saveCredential('openAiApi', 'OpenAI account', {
		apiKey: 'not-needed',
		url: model().baseUrl,
	});
});

/** Runs the example until the reviewer has a mail; gives the links of its two buttons. */
async function askForApproval() {
	const { client } = world();
	model().play(inTurn([PLACE_CALL]));
	const { id } = await client.createWorkflow(EXAMPLE);
	const executionId = await client.start(id, START);
	const review = await reviewOf(client, executionId, mail(), 0);
	return { ...review, executionId };
}

const readByAgent = () => toolAnswers(model().requests.at(-1)?.messages ?? []);

describe('the example "Approved agent call"', () => {
	it('calls once when the reviewer has approved, and not before, also if the link is opened twice', async () => {
		const { executionId, mail: text, approve } = await askForApproval();

		expect(mail().mails).toHaveLength(1);
		expect(text).toContain(ADA);
		expect(JSON.stringify(model().requests[0]?.tools)).toContain(TOLD);
		expect(world().simulator.requests).toEqual([]);

		await open(approve);
		const execution = await world().client.finished(executionId);
		await open(approve);

		expect(execution.status).toBe('success');
		expect(called(world())).toEqual([ADA]);
		expect(readByAgent()).toEqual([expect.stringContaining('callId')]);
		expect(itemsOf(execution, 'Agent')).toEqual([{ output: 'Done.' }]);
	});

	it('calls nobody when the reviewer has not approved, and the agent reads it', async () => {
		const { executionId, disapprove } = await askForApproval();
		await open(disapprove);

		expect((await world().client.finished(executionId)).status).toBe('success');
		expect(world().simulator.requests).toEqual([]);
		expect(readByAgent()).toEqual([expect.stringContaining('rejected')]);
	});
});
