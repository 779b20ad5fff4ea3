import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { post } from '../post';
import type { WorkflowDraft } from '../restTypes';
import { createActive, node } from '../workflows';
import { PLACE_CALL, people, type Person } from './calls';
import { isTo } from './exampleWorkflows';
import { startModelServer, toolAnswers, type ModelServer, type Script } from './modelServer';
import { openWorld, useOpened, type World } from './world';

/** The name by which the model asks for the node. */
export const TOOL = 'Place_a_phone_call';

export interface AgentOptions {
	/** Of the tool; the model gives `toNumber` unless said otherwise. */
	parameters?: INodeParameters;
	/** Of the tool's node: its settings. */
	settings?: Partial<INode>;
	/** Of n8n's AI Agent. */
	version?: number;
}

export interface AgentWorld extends World {
	model: ModelServer;
}

/** The n8n of this test run, with a service and a language model of this test file. */
async function openAgentWorld(): Promise<AgentWorld> {
	const world = await openWorld();
	const model = await startModelServer();
	const stop = async () => {
		await model.stop();
		await world.stop();
	};
	return { ...world, model, stop };
}

/** To be called once for each file of tests; see {@link openAgentWorld}. */
export const useAgentWorld = () => useOpened(openAgentWorld);

/** Two people that no other pair has. */
export function pairOf(group: number): [Person, Person] {
	const [first, second] = people(2, group);
	if (!first || !second) throw new Error('no such people');
	return [first, second];
}

/** What the model has to say for the node to call this person. */
export const callOf = ({ phone: toNumber }: Person) => ({ tool: TOOL, arguments: { toNumber } });

/** An active workflow of n8n's AI Agent with a language model and the node as its tool. */
export async function createAgent(world: AgentWorld, options: AgentOptions = {}) {
	const { client, model } = world;
	const path = randomUUID();
	const webhook = {
		...{ httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries' },
	};
	const openAiApi = await client.saveCredential('openAiApi', `Model ${model.baseUrl}`, {
		apiKey: 'not-needed',
		url: model.baseUrl,
	});
	const draft: WorkflowDraft = {
		name: 'Agent',
		nodes: [
			node('n8n-nodes-base.webhook', 'Webhook', webhook, { typeVersion: 2.1 }),
			node('n8n-nodes-base.splitOut', 'People', { fieldToSplitOut: 'body.people' }),
			mainAgent(options),
			chatModel({ openAiApi }),
			toolNode(world, options),
		],
		connections: CONNECTIONS,
		settings: { executionOrder: 'v1' },
	};
	const workflow = await createActive(client, draft, () => `/webhook/${path}`);

	const answersRead = () => toolAnswers(model.requests.at(-1)?.messages ?? []);
	return {
		/** Starts the agent once, with one item for each person; gives what n8n answered, and the tools to the model. */
		converse: async (script: Script, people: Person[] = [{ phone: 'somebody' }]) => {
			model.play(script);
			const { data } = await post(`${client.baseUrl}/webhook/${path}`, { people });
			return { text: JSON.stringify(data), answers: answersRead() };
		},
		/** Retries the execution of the last conversation, which has failed. */
		retry: async (script: Script): Promise<string[]> => {
			const [last] = await client.allFinished(workflow.id);
			if (last?.status !== 'error') throw new Error('the last conversation has not failed');
			model.play(script);
			await client.retry(last.id);
			return answersRead();
		},
	};
}

function mainAgent({ version = 3.1 }: AgentOptions): INode {
	const parameters = { promptType: 'define', text: '=Call {{ $json.phone }}.' };
	return node('@n8n/n8n-nodes-langchain.agent', 'Agent', parameters, { typeVersion: version });
}

function chatModel(credentials: INode['credentials']): INode {
	return node(
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		'Model',
		{ model: { __rl: true, mode: 'id', value: 'scripted' }, responsesApiEnabled: false },
		{ typeVersion: 1.3, credentials },
	);
}

/** The node as a tool: the model gives the number to call. */
export function toolNode(
	{ credentials }: World,
	{ parameters, settings }: Pick<AgentOptions, 'parameters' | 'settings'>,
): INode {
	return node(
		'n8n-nodes-assistant-service.assistantServiceTool',
		TOOL,
		{
			...PLACE_CALL,
			toNumber: "={{ $fromAI('toNumber', 'the number to call', 'string') }}",
			...parameters,
		},
		{ credentials: { ...credentials }, ...settings },
	);
}

const to = (name: string, type: 'main' | 'ai_languageModel' | 'ai_tool' = 'main') => ({
	[type]: [[{ node: name, type, index: 0 }]],
});
const CONNECTIONS: IConnections = {
	Webhook: to('People'),
	People: to('Agent'),
	Model: to('Agent', 'ai_languageModel'),
	[TOOL]: to('Agent', 'ai_tool'),
};

export function loseAnswerTo({ simulator }: World, person: Person): void {
	simulator.addFault({ kind: 'resetAfter', times: 1, when: isTo(person.phone) });
}
