import type { INodeParameters } from 'n8n-workflow';
import { callOf, createAgent, pairOf, useAgentWorld } from './agent';
import { requestsFor, type Person } from './calls';
import { inTurn } from './modelServer';

const HOUR = 3_600_000;
const NOT_BEFORE = /Do not repeat this tool call before \d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

const world = useAgentWorld();

/** Hours that have not begun at this moment. */
function laterHours(): INodeParameters {
	const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().slice(11, 16);
	return { allowedHours: `${at(2)}-${at(3)}`, timezone: 'UTC' };
}

/** What the agent reads when it calls these people one after the other. */
async function callAll(
	contactRules: INodeParameters,
	all: Person[],
	options: INodeParameters = {},
): Promise<string[]> {
	const agent = await createAgent(world(), { parameters: { contactRules, options } });
	const { answers } = await agent.converse(inTurn(...all.map((person) => [callOf(person)])));
	return answers;
}

describe("a rule of contact holds back a call of n8n's AI Agent, and the agent is told", () => {
	it('who must not be contacted, and that this stays so', async () => {
		const [ada, bob] = pairOf(70);

		const answers = await callAll({ doNotContact: ada.phone }, [ada, bob]);

		expect(requestsFor(world().simulator, [ada, bob])).toEqual([0, 1]);
		expect(answers[0]).toContain(`Nothing was sent: ${ada.phone} is on the list`);
		expect(answers[0]).toContain('Do not contact this person again, by this or another tool.');
		expect(answers[1]).toContain('callId');
	});

	it('who was contacted a short time ago, and when to ask again', async () => {
		const [ada, bob] = pairOf(71);

		const answers = await callAll({ notAgainWithin: 24 }, [ada, bob, ada]);

		expect(requestsFor(world().simulator, [ada, bob])).toEqual([1, 1]);
		expect(answers[2]).toContain(
			`Nothing was sent: ${ada.phone} was contacted recently, or may have been.`,
		);
		expect(answers[2]).toMatch(NOT_BEFORE);
	});

	it.each([
		{ version: 3.1, group: 74 },
		{ version: 2.2, group: 75 },
	])('whom it asks for five times in one turn: AI Agent $version', async ({ version, group }) => {
		const [ada] = pairOf(group);
		const contactRules = { notAgainWithin: 24 };
		const agent = await createAgent(world(), { version, parameters: { contactRules } });

		const { answers } = await agent.converse(inTurn(Array(5).fill(callOf(ada))));

		expect(requestsFor(world().simulator, [ada])).toEqual([1]);
		expect(answers.filter((answer) => answer.includes('callId'))).toHaveLength(1);
	});

	it('that nobody may be contacted at this time, and when to ask again', async () => {
		const [ada] = pairOf(72);

		const answers = await callAll(laterHours(), [ada]);

		expect(requestsFor(world().simulator, [ada])).toEqual([0]);
		expect(answers[0]).toMatch(/Nothing was sent: .* outside the hours/);
		expect(answers[0]).toMatch(NOT_BEFORE);
	});
});

it('a saved tool keeps working with rules and options that a tool does not offer', async () => {
	const [ada, bob] = pairOf(73);
	const rules = { maxPeople: 1, heldBackItems: 'leaveOut', doNotContact: ada.phone };
	const options = { maxConcurrentRequests: 5, requestsPerSecond: 2 };

	const answers = await callAll(rules, [ada, bob], options);

	expect(requestsFor(world().simulator, [ada, bob])).toEqual([0, 1]);
	expect(answers).toEqual([
		expect.stringContaining('Nothing was sent'),
		expect.stringContaining('callId'),
	]);
});
