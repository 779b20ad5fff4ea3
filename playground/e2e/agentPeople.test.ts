import { createAgent, loseAnswerTo, pairOf, TOOL, useAgentWorld } from './agent';
import { callsPlaced, people, requestsFor } from './calls';
import { inTurn } from './modelServer';

/** The model says nothing about whom to call: each use of the tool looks like any other. */
const CALL = { tool: TOOL, arguments: {} };
/** Long enough for a tool to be seen that does not wait for the one before it. */
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
		const before = world().simulator.processed('placeCall').length;
		const together = Math.max(...row.inFlight);
		const until = callsPlaced(world().simulator, before + together);
		world().simulator.addFault({ kind: 'delay', delayMs: LATENCY_MS, until, times: 2 });

		const { answers } = await agent.converse(inTurn([CALL, CALL]));

		expect(requestsFor(world().simulator, [ada, bob])).toEqual([1, 1]);
		expect(answers[0]).toContain(ada.phone);
		expect(answers[1]).toContain(bob.phone);
		const sent = world().simulator.processed('placeCall').slice(before);
		expect(sent.map(({ inFlight }) => inFlight)).toEqual(row.inFlight);
	});
});
