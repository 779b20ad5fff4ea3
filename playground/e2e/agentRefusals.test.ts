import type { RecordedRequest } from '../../test/simulator/simulator';
import { callOf, createAgent, loseAnswerTo, pairOf, TOOL, useAgentWorld } from './agent';
import type { Agent } from './agent';
import { phoneOf, reached, refuseOnce, requestsFor } from './calls';
import { inTurn } from './modelServer';

const HOUR = '3600';
/** The moment, or how long it is until then. */
const WHEN_TO_ASK_AGAIN = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|\b(?:3600 s|60 min|1 h)/;

const MAY_HAVE = /may have/i;
const WITH_DETAILS = /may have.*"outcome":"unknown"/i;

const world = useAgentWorld();
let agent: Agent;

beforeAll(async () => {
	agent = await createAgent(world());
});

describe("what n8n's AI Agent 3.1 reads of a refusal", () => {
	it('reads what is wrong with its values, and that nothing was sent', async () => {
		const [ada] = pairOf(50);
		const bad = { tool: TOOL, arguments: { toNumber: 'Ada' } };
		const before = world().simulator.requests.length;

		const { answers } = await agent.converse(inTurn([bad], [callOf(ada)]));

		expect(world().simulator.requests).toHaveLength(before + 1);
		expect(requestsFor(world().simulator, [ada])).toEqual([1]);
		expect(answers[0]).toContain('To Number');
		expect(answers[0]).toMatch(/nothing was sent/i);
		expect(answers[1]).toContain('callId');
	});

	it('reads that the service refused, and may ask again', async () => {
		const [ada] = pairOf(51);
		refuseOnce(world().simulator, ada);

		const { answers } = await agent.converse(inTurn([callOf(ada)], [callOf(ada)]));

		expect(requestsFor(world().simulator, [ada])).toEqual([2]);
		expect(reached(world().simulator, [ada])).toEqual([1]);
		expect(answers[0]).toContain('The service says: Invalid input');
		expect(answers[0]).not.toMatch(MAY_HAVE);
		expect(answers[1]).toContain('callId');
	});

	it('reads when the service wants to be asked again, and each use of the tool asks it once', async () => {
		const [ada] = pairOf(52);
		const when = ({ body }: RecordedRequest) => phoneOf(body) === ada.phone;
		world().simulator.addFault({ kind: 'rateLimited', retryAfter: HOUR, times: 2, when });

		const { answers } = await agent.converse(inTurn([callOf(ada)], [callOf(ada)], [callOf(ada)]));

		expect(requestsFor(world().simulator, [ada])).toEqual([3]);
		expect(reached(world().simulator, [ada])).toEqual([1]);
		expect(answers).toEqual([
			expect.stringMatching(WHEN_TO_ASK_AGAIN),
			expect.stringMatching(WHEN_TO_ASK_AGAIN),
			expect.stringContaining('callId'),
		]);
	});
});

describe('what an agent reads of a lost answer, by the setting On Error of the tool', () => {
	it.each([
		{ version: 3.1, onError: undefined, group: 60, reads: MAY_HAVE },
		{ version: 3.1, onError: 'continueRegularOutput', group: 61, reads: WITH_DETAILS },
		{ version: 2.2, onError: undefined, group: 62, reads: MAY_HAVE },
		{ version: 2.2, onError: 'continueRegularOutput', group: 63, reads: WITH_DETAILS },
	] as const)('AI Agent $version, $onError', async ({ version, onError, group, reads }) => {
		const [ada] = pairOf(group);
		loseAnswerTo(world(), ada);
		const settings = onError && { onError };
		const other = await createAgent(world(), { version, settings });

		const { answers } = await other.converse(inTurn([callOf(ada)], [callOf(ada)]));

		expect(requestsFor(world().simulator, [ada])).toEqual([1]);
		expect(answers).toHaveLength(2);
		for (const answer of answers) expect(answer).toMatch(reads);
	});

	it('does not call while n8n would hide from the agent that it has called', async () => {
		const [ada] = pairOf(64);
		const settings = { onError: 'continueErrorOutput' } as const;
		const hiding = await createAgent(world(), { settings });

		const { answers } = await hiding.converse(inTurn([callOf(ada)]));

		expect(requestsFor(world().simulator, [ada])).toEqual([0]);
		expect(answers).toEqual([expect.stringMatching(/nothing was sent.*on error/i)]);
	});
});
