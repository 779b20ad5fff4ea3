import { callOf, createAgent, loseAnswerTo, pairOf, useAgentWorld } from './agent';
import type { Agent } from './agent';
import { reached, requestsFor } from './calls';
import { failAfterTool, inTurn } from './modelServer';

const MAY_HAVE_GONE_OUT = /may have/i;
const WHAT_NOT_TO_DO = /do not|not\b.*\bagain/i;

const world = useAgentWorld();
let next = 20;

/** People whom no other test of this file calls. */
const somebodyNew = () => pairOf(next++);

describe.each([
	{ how: 'in one piece', responseMode: 'lastNode', stream: false },
	{ how: 'as a stream', responseMode: 'streaming', stream: true },
] as const)("n8n's AI Agent 3.1 with a model that answers $how", ({ responseMode, stream }) => {
	let agent: Agent;

	beforeAll(async () => {
		agent = await createAgent(world(), { responseMode });
	});

	afterEach(() => {
		const asked = world().model.requests.map((request) => request.stream);
		expect(new Set(asked)).toEqual(new Set([stream]));
	});

	it('calls two people in one turn, each once, and reads both answers', async () => {
		const [ada, bob] = somebodyNew();

		const { text, answers } = await agent.converse(inTurn([callOf(ada), callOf(bob)]));

		expect(requestsFor(world().simulator, [ada, bob])).toEqual([1, 1]);
		expect(answers).toHaveLength(2);
		expect(answers[0]).toContain(ada.phone);
		expect(answers[1]).toContain(bob.phone);
		expect(text).toContain('Done.');
	});

	it('calls a person once whose answer was lost, however often the model asks', async () => {
		const [ada, bob] = somebodyNew();
		loseAnswerTo(world(), ada);

		const { text, answers } = await agent.converse(
			inTurn([callOf(ada)], [callOf(ada)], [callOf(ada), callOf(bob)]),
		);

		expect(requestsFor(world().simulator, [ada, bob])).toEqual([1, 1]);
		expect(reached(world().simulator, [ada, bob])).toEqual([1, 1]);
		const lost = answers.filter((answer) => !answer.includes('callId'));
		expect(lost).toHaveLength(3);
		for (const answer of lost) {
			expect(answer).toMatch(MAY_HAVE_GONE_OUT);
			expect(answer).toMatch(WHAT_NOT_TO_DO);
		}
		expect(text).toContain('Done.');
	});

	it('calls a person again whose first call was accepted', async () => {
		const [ada] = somebodyNew();

		const { answers } = await agent.converse(inTurn([callOf(ada)], [callOf(ada)]));

		expect(requestsFor(world().simulator, [ada])).toEqual([2]);
		expect(answers).toHaveLength(2);
		expect(new Set(answers).size).toBe(2);
	});

	it('calls a person again in another conversation', async () => {
		const [ada] = somebodyNew();

		await agent.converse(inTurn([callOf(ada)]));
		await agent.converse(inTurn([callOf(ada)]));

		expect(requestsFor(world().simulator, [ada])).toEqual([2]);
	});
});

describe('a lost answer, whatever the settings of the tool', () => {
	it.each([
		{ name: 'Retry On Fail', settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 } },
		{ name: 'On Error: Continue', settings: { onError: 'continueRegularOutput' } },
		{
			name: 'both',
			settings: {
				onError: 'continueRegularOutput',
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 10,
			},
		},
	] as const)('$name: one call', async ({ settings }) => {
		const [ada] = somebodyNew();
		loseAnswerTo(world(), ada);
		const agent = await createAgent(world(), { settings });

		const { answers } = await agent.converse(inTurn([callOf(ada)], [callOf(ada)], [callOf(ada)]));

		expect(requestsFor(world().simulator, [ada])).toEqual([1]);
		expect(answers).toHaveLength(3);
		for (const answer of answers) {
			expect(answer).toMatch(MAY_HAVE_GONE_OUT);
			expect(answer).toMatch(WHAT_NOT_TO_DO);
		}
	});

	it('is remembered when an agent has an agent as its tool, which calls', async () => {
		const [ada] = somebodyNew();
		loseAnswerTo(world(), ada);
		const caller = 'Caller';
		const agent = await createAgent(world(), { through: caller });
		const delegate = { tool: caller, arguments: { task: 'Call Ada.' } };

		await agent.converse((request) => {
			const isMain = request.tools?.some(({ function: { name } }) => name === caller);
			const script = isMain ? inTurn([delegate], [delegate]) : inTurn([callOf(ada)], [callOf(ada)]);
			return script(request);
		});

		expect(requestsFor(world().simulator, [ada])).toEqual([1]);
	});
});

describe('the model fails after the call, and the execution is retried', () => {
	it('goes on with the answer that came', async () => {
		const [ada] = somebodyNew();
		const agent = await createAgent(world());
		await agent.converse(failAfterTool(inTurn([callOf(ada)])));

		const answers = await agent.retry(inTurn([callOf(ada)]));

		expect(requestsFor(world().simulator, [ada])).toEqual([1]);
		expect(answers).toEqual([expect.stringContaining('callId')]);
	});

	it('does not call whose answer was lost, though the model asks again', async () => {
		const [ada] = somebodyNew();
		loseAnswerTo(world(), ada);
		const agent = await createAgent(world());
		await agent.converse(failAfterTool(inTurn([callOf(ada)])));

		const answers = await agent.retry(inTurn([callOf(ada)], [callOf(ada)]));

		expect(requestsFor(world().simulator, [ada])).toEqual([1]);
		expect(answers).toHaveLength(2);
	});
});
