import type { OnError } from 'n8n-workflow';
import { OPERATION_CASES } from '../../test/operations';
import { withNewIds } from '../../test/operations/expected';
import { KNOWLEDGE_BASE, KNOWLEDGE_BASE_ID } from '../../test/simulator/seed';
import { callOf, createAgent, loseAnswerTo, pairOf } from '../e2e/agent';
import {
	activateCalls,
	callsPlaced,
	countOf,
	people,
	PLACE_CALL,
	reached,
	refuseOnce,
	requestsFor,
} from '../e2e/calls';
import { each, ONCE_A_DAY, openBook, outcomesOf } from '../e2e/contactBook';
import { RECEIVED, REPEAT, sendEvent } from '../e2e/events';
import { openTool } from '../e2e/mcp';
import { inTurn, startModelServer } from '../e2e/modelServer';
import type { OwnWorld } from '../e2e/ownWorld';
import { createOneNode, createTrigger, jsonOf, runOneNode, START } from '../e2e/world';
import { post } from '../post';
import { apiCredentialData } from '../setup';
import type { Check } from './document';

const PACKAGE = 'n8n-nodes-assistant-service';
const PEOPLE = people(8);
const once = PEOPLE.map(() => 1);

/** An active trigger, and what delivers always the same event to it. */
async function openTrigger(world: OwnWorld) {
	const trigger = await createTrigger(world, { authentication: 'secret', options: {} });
	const deliver = async (secret = world.secret) =>
		await sendEvent({ secret }, trigger.url, { callId: 'call-1' });
	return { ...trigger, deliver, path: new URL(trigger.url).pathname };
}

export const CHECKS: readonly Check[] = [
	{
		title: 'n8n starts and offers the nodes, and the node as a tool',
		async run({ client }) {
			const nodes = await client.served<{ name: string }[]>('types/nodes.json');
			const own = nodes.map(({ name }) => name).filter((name) => name.startsWith(PACKAGE));
			expect(own.sort()).toEqual(
				['assistantService', 'assistantServiceTool', 'assistantServiceTrigger'].map(
					(name) => `${PACKAGE}.${name}`,
				),
			);
		},
	},
	{
		title: 'Credential test: a good key passes, a bad one does not',
		async run({ client, simulator, credentials }) {
			const test = async (changes: object) =>
				await client.testCredential(credentials.assistantServiceApi, {
					...apiCredentialData(simulator),
					...changes,
				});
			const results = [await test({}), await test({ apiKey: 'wrong' })];
			expect(results.map(({ status }) => status)).toEqual(['OK', 'Error']);
		},
	},
	{
		title: 'A credential that was saved without a mode checks the calls, and sends nothing',
		async run(world) {
			const { client, simulator } = world;
			const { mode: _, ...data } = apiCredentialData(simulator);
			const withoutMode = await client.saveCredential('assistantServiceApi', 'Without mode', data);
			const extra = { credentials: { assistantServiceApi: withoutMode } };
			const [checked] = jsonOf(await runOneNode(world, PLACE_CALL, PEOPLE, extra));

			expect(checked?.map(({ result }) => result)).toEqual(PEOPLE.map(() => 'checked'));
			expect(simulator.requests).toEqual([]);
		},
	},
	{
		title: 'Every operation of the seven resources but Place and Wait',
		async run(world) {
			for (const one of OPERATION_CASES.filter(({ waits }) => !waits)) {
				const { resource, operation, parameters, method, path, output } = one;
				world.simulator.reset();
				const execution = await runOneNode(world, { resource, operation, ...parameters });

				expect(execution.status).toBe('success');
				expect(jsonOf(execution)).toEqual([withNewIds(output)]);
				const sent = world.simulator.processed().map((request) => [request.method, request.path]);
				expect(sent).toEqual([[method, path]]);
			}
		},
	},
	{
		title:
			'On Error: Continue outputs the item that failed, by the regular and by the error output',
		limit: {
			before: '2.35',
			text: 'items of the error output have texts in `error` and `message`, and no `details`.',
		},
		async run(world) {
			const run = async (onError: OnError) => {
				refuseOnce(world.simulator, PEOPLE[3]);
				return jsonOf(await runOneNode(world, PLACE_CALL, PEOPLE, { onError }));
			};
			const [regular] = await run('continueRegularOutput');
			const [good, failed] = await run('continueErrorOutput');
			const error = expect.stringMatching(/./) as unknown;

			expect(regular).toHaveLength(PEOPLE.length);
			expect(regular?.[3]).toMatchObject({
				error,
				details: { outcome: 'refused', toNumber: PEOPLE[3]?.phone },
			});
			expect(good?.map(({ result }) => result)).toEqual(PEOPLE.slice(1).map(() => 'placed'));
			expect(failed).toEqual([expect.objectContaining({ ...PEOPLE[3], error })]);
		},
	},
	{
		title: 'Retry On Fail calls nobody twice',
		async run(world) {
			refuseOnce(world.simulator, PEOPLE[3]);
			const execution = await runOneNode(world, PLACE_CALL, PEOPLE, {
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 10,
			});
			expect(execution.status).toBe('success');
			expect(reached(world.simulator, PEOPLE)).toEqual(once);
		},
	},
	{
		title: 'A failed execution that is retried twice calls nobody twice; a new one calls all again',
		async run(world) {
			const { client, simulator } = world;
			refuseOnce(simulator, PEOPLE[3]);
			const { id } = await createOneNode(world, PLACE_CALL, PEOPLE);
			const failed = await client.run(id, START);
			const retries = [await client.retry(failed.id), await client.retry(failed.id, true)];
			const afterRetries = reached(simulator, PEOPLE);
			await client.run(id, START);

			expect(failed.status).toBe('error');
			expect(retries.map(({ status }) => status)).toEqual(['success', 'success']);
			expect(afterRetries).toEqual(once);
			expect(reached(simulator, PEOPLE)).toEqual(PEOPLE.map(() => 2));
		},
	},
	{
		title: 'Trigger: starts for a good secret, refuses a wrong one, ignores a repeat',
		async run(world) {
			const { workflowId, deliver, outputOf } = await openTrigger(world);
			const answers = [await deliver('wrong'), await deliver(), await deliver()];
			const executions = await world.client.finishedAfter('0', workflowId, 1);

			expect(answers).toEqual([
				{ status: 401, data: expect.anything() as unknown },
				RECEIVED,
				REPEAT,
			]);
			expect(executions.flatMap(outputOf)).toMatchObject([{ callId: 'call-1' }]);
		},
	},
	{
		title: 'n8n is killed: the retry calls nobody twice, and the trigger knows its events',
		async run(world) {
			const { client, simulator, credentials } = world;
			// So many that a busy machine kills n8n before all of them are marked.
			const all = people(400);
			const { deliver, path: triggerPath } = await openTrigger(world);
			await deliver();
			simulator.setTraffic({ latencyMs: 50 });
			const { workflow, path } = await activateCalls(client, credentials);
			await post(`${client.baseUrl}${path}`, { people: all });
			await callsPlaced(simulator, 20);
			await world.crash();
			const [newest] = await client.executions(workflow.id);
			const crashed = await client.finished(newest?.id ?? '');
			const before = reached(simulator, all);
			const retries = [await client.retry(crashed.id), await client.retry(crashed.id)];
			const after = reached(simulator, all);

			expect(crashed.status).toBe('crashed');
			expect(retries.map(({ status }) => status)).toEqual(['error', 'error']);
			expect(Math.max(...before)).toBe(1);
			expect(Math.max(...after)).toBe(1);
			expect(countOf(after, 1)).toBeGreaterThan(countOf(before, 1));
			await client.waitForWebhook(triggerPath);
			expect(await deliver()).toEqual(REPEAT);
		},
	},
	{
		title: 'The list of paragraphs can be searched',
		async run({ client, credentials }) {
			const found = await client.searchList({
				nodeTypeAndVersion: { name: `${PACKAGE}.assistantService`, version: 1 },
				currentNodeParameters: {
					resource: 'knowledgeBase',
					operation: 'deleteParagraph',
					knowledgeBaseId: KNOWLEDGE_BASE_ID,
				},
				credentials: { ...credentials },
				path: 'parameters.paragraphKey',
				methodName: 'searchParagraphs',
				filter: 'PARKING',
			});
			expect(found).toEqual([
				expect.objectContaining({ name: KNOWLEDGE_BASE.paragraphs.parking, value: 'parking' }),
			]);
		},
	},
	{
		title: 'The contact book holds back people that another workflow has called',
		async run(world) {
			const book = await openBook(world);
			const call = async () =>
				await runOneNode(book.world, { ...PLACE_CALL, ...ONCE_A_DAY }, PEOPLE);
			const results = [await call(), await call()].map((run) => jsonOf(run)[0]);

			expect(results.map((items) => items?.map(({ result }) => result))).toEqual([
				PEOPLE.map(() => 'placed'),
				PEOPLE.map(() => 'heldBack'),
			]);
			expect(reached(world.simulator, PEOPLE)).toEqual(once);
			expect(await outcomesOf(book)).toEqual(each(PEOPLE, 'accepted'));
		},
	},
	{
		title: 'As a tool of an MCP server: one call for each use, none twice when its answer is lost',
		async run(world) {
			const { simulator } = world;
			const both = people(2);
			const [ada, grace] = both;
			const lost = ({ rawBody }: { rawBody: string }) => rawBody.includes(grace?.phone ?? '');
			const call = await openTool(world);
			simulator.addFault({ kind: 'resetAfter', when: lost });
			const answers = [await call(ada?.phone ?? ''), await call(grace?.phone ?? '')];

			expect(answers).toEqual([
				expect.stringContaining('callId'),
				expect.stringContaining('may have taken effect'),
			]);
			expect(reached(simulator, both)).toEqual([1, 1]);
			expect(simulator.requests.filter(lost)).toHaveLength(1);
		},
	},
	{
		title: "As a tool of n8n's AI Agent 3: the same, however often the model asks",
		async run(world) {
			const [ada, grace] = pairOf(90);
			const script = inTurn([callOf(ada)], [callOf(grace)], [callOf(grace)]);
			const told = expect.stringMatching(/may have/) as unknown;
			const model = await startModelServer();
			try {
				const agent = await createAgent({ ...world, model }, { version: 3 });
				loseAnswerTo(world, grace);
				const { answers } = await agent.converse(script);

				const [first, ...later] = answers;
				expect(first).toContain('callId');
				expect(later).toEqual([told, told]);
				expect(requestsFor(world.simulator, [ada, grace])).toEqual([1, 1]);
			} finally {
				await model.stop();
			}
		},
	},
];
