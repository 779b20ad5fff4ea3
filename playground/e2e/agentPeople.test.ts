import { createAgent, loseAnswerTo, pairOf, TOOL, useAgentWorld } from './agent';
import { people, requestsFor } from './calls';
import { inTurn } from './modelServer';

/** The model says nothing about whom to call: each use of the tool looks like any other. */
const CALL = { tool: TOOL, arguments: {} };
/** Long enough for the tools that are used at the same moment to be at the service together. */
const LATENCY_MS = 500;

const world = useAgentWorld();

describe('whom to call is said by an expression, with equal arguments of the model', () => {
	it('calls the person of each item when an agent runs over several', async () => {
		const persons = people(3, 30);
		const agent = await createAgent(world(), { parameters: { toNumber: '={{ $json.phone }}' } });

		await agent.converse(inTurn([CALL]), persons);

		expect(requestsFor(world().simulator, persons)).toEqual([1, 1, 1]);
	});

	it('calls only the one again whose call was accepted when all items ask again', async () => {
		const [ada, bob] = pairOf(31);
		loseAnswerTo(world(), ada);
		const agent = await createAgent(world(), { parameters: { toNumber: '={{ $json.phone }}' } });

		await agent.converse(inTurn([CALL], [CALL]), [ada, bob]);

		expect(requestsFor(world().simulator, [ada, bob])).toEqual([1, 2]);
	});

	it.each([
		{ version: 3.1, group: 32, turn: 'one after the other', inFlight: [1, 1] },
		{ version: 2.2, group: 33, turn: 'at the same moment', inFlight: [1, 2] },
	])('calls both people of one turn, $turn: AI Agent $version', async (row) => {
		const [ada, bob] = pairOf(row.group);
		const toNumber = `={{ ${JSON.stringify([ada.phone, bob.phone])}[$runIndex] }}`;
		const agent = await createAgent(world(), { version: row.version, parameters: { toNumber } });
		const before = world().simulator.requests.length;
		world().simulator.setTraffic({ latencyMs: LATENCY_MS });

		const { answers } = await agent.converse(inTurn([CALL, CALL]));

		world().simulator.setTraffic({ latencyMs: 0 });
		expect(requestsFor(world().simulator, [ada, bob])).toEqual([1, 1]);
		expect(answers[0]).toContain(ada.phone);
		expect(answers[1]).toContain(bob.phone);
		const sent = world().simulator.requests.slice(before);
		expect(sent.map(({ inFlight }) => inFlight)).toEqual(row.inFlight);
	});
});
