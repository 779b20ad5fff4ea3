import path from 'node:path';
import { OWNER } from '../setup';
import { signIn } from '../signIn';
import { PLACE_CALL, people, requestsFor } from './calls';
import { ONCE_A_DAY, openBook, rowsOf } from './contactBook';
import { inTurn, startModelServer, toolAnswers, type Script } from './modelServer';
import { openOwnWorld } from './ownWorld';
import { useOpened, type World } from './world';

const FOLDER = path.join(__dirname, '..', '.state', 'agents');
const MODULES_OFF = 'mcp-registry,instance-ai,chat-hub,source-control,external-secrets';

/** What happens in a conversation, as n8n streams it. */
interface ChatEvent {
	type: string;
	payload?: { runId: string; toolCallId: string };
}

/** An n8n with its own Agents, which are off in the others. */
const agents = useOpened(async () => {
	const world = await openOwnWorld(FOLDER, { settings: { N8N_DISABLED_MODULES: MODULES_OFF } });
	const model = await startModelServer();
	const http = await signIn(world.client.baseUrl, OWNER);
	const project = await http.get<{ data: { id: string } }>('/projects/personal');
	const all = `/projects/${project.data.data.id}/agents/v2`;
	const read = async (url: string, data: object): Promise<ChatEvent[]> => {
		const answer = await http.post<string>(url, data, { responseType: 'text' });
		const lines = answer.data.split('\n').filter((line) => line.startsWith('data: '));
		return lines.map((line) => JSON.parse(line.slice('data: '.length)) as ChatEvent);
	};
	const key = { apiKey: 'not-needed', url: model.baseUrl };
	const { id: credential } = await world.client.saveCredential('openRouterApi', 'Model', key);

	/** An agent with these tools, and what it is told. */
	const create = async (tools: object[]) => {
		const made = await http.post<{ data: { id: string } }>(all, { name: 'Caller' });
		const url = `${all}/${made.data.data.id}`;
		const saved = await http.get<{ data: { configHash: string } }>(`${url}/config`);
		const texts = { name: 'Caller', model: 'openrouter/scripted', instructions: 'Call.' };
		const config = { ...texts, credential, tools };
		await http.put(`${url}/config`, { config, baseConfigHash: saved.data.data.configHash });
		return {
			chat: async (script: Script) => {
				model.play(script);
				return await read(`${url}/chat`, { message: 'Go on.' });
			},
			answer: async (asked: ChatEvent['payload'], approved: boolean) =>
				await read(`${url}/chat/resume`, { ...asked, resumeData: { approved } }),
		};
	};
	const answers = () => toolAnswers(model.requests.at(-1)?.messages ?? []);
	const stop = async () => {
		await model.stop();
		await world.stop();
	};
	return { world, create, answers, stop };
});

const toolOf = ({ credentials }: World, name: string, nodeParameters: object, more = {}) => ({
	...{ type: 'node', name, description: name, ...more },
	node: {
		nodeType: 'n8n-nodes-assistant-service.assistantService',
		...{ nodeTypeVersion: 1, nodeParameters, credentials },
	},
});

it('a tool that needs approval calls once when it is approved, and a rule holds back the next call', async () => {
	const { world, create, answers } = agents();
	const [ada, bob] = people(2);
	const book = await openBook(world);
	const toNumber = "={{ $fromAI('to', 'who to call', 'string') }}";
	const parameters = { ...PLACE_CALL, ...ONCE_A_DAY, toNumber };
	const agent = await create([toolOf(book.world, 'call', parameters, { requireApproval: true })]);
	const uses = [ada, ada, bob].map((person) => [
		{ tool: 'call', arguments: { to: person?.phone } },
	]);
	let [asked] = (await agent.chat(inTurn(...uses))).filter((event) => event.payload?.runId);

	for (const approved of [true, true, false]) {
		const before = world.simulator.requests.length;
		// Twice at the same moment, as by two clicks.
		const both = [agent.answer(asked?.payload, approved), agent.answer(asked?.payload, approved)];
		[asked] = (await Promise.all(both)).flat().filter((event) => event.payload?.runId);
		expect(world.simulator.requests.length - before).toBeLessThanOrEqual(1);
	}

	expect(requestsFor(world.simulator, people(2))).toEqual([1, 0]);
	expect(answers()[1]).toContain('was contacted recently');
	expect(await rowsOf(book)).toMatchObject([
		{ phone: ada?.phone, outcome: 'accepted', workflow: '' },
	]);
});
