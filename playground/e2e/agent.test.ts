import { AGENT_VALUES, NUMBER } from '../../test/reports/runs';
import { recipientOf } from '../../test/simulator/recipient';
import { callOf, createAgent, loseAnswerTo, pairOf, TOOL, useAgentWorld } from './agent';
import { callsPlaced, reached, refuseOnce, requestsFor } from './calls';
import { ONCE_A_DAY, openBook } from './contactBook';
import { failAfterTool, inTurn } from './modelServer';
import { CONTINUE } from './world';

const MAY_HAVE_GONE_OUT = /may have/i;
const WHAT_NOT_TO_DO = /do not|not\b.*\bagain/i;
const WITH_DETAILS = /may have.*"outcome":"unknown"/i;
const NOT_BEFORE = /Do not repeat this tool call before \d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;
/** The model does not say who to call: each use of the tool looks like any other. */
const CALL = { tool: TOOL, arguments: {} };
/** Long enough for a tool to be seen that does not wait for the one before it. */
const LATENCY_MS = 500;
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

const world = useAgentWorld();
let next = 20;

/** People that no other test of this file calls. */
const somebodyNew = () => pairOf(next++);

it.each([
	{ version: 3.1, with: 'no settings', settings: {}, reads: MAY_HAVE_GONE_OUT },
	{ version: 3.1, with: 'both', settings: { ...CONTINUE, ...RETRY }, reads: WITH_DETAILS },
	{ version: 2.2, with: 'no settings', settings: {}, reads: MAY_HAVE_GONE_OUT },
])(
	'a lost answer: AI Agent $version, tool with $with: one call, however often the model asks, and one to the other person of the turn',
	async ({ version, settings, reads }) => {
		const [ada, bob] = somebodyNew();
		loseAnswerTo(world(), ada);
		const agent = await createAgent(world(), { version, settings });

		const { text, answers } = await agent.converse(
			inTurn([callOf(ada), callOf(bob)], [callOf(ada)], [callOf(ada)]),
		);

		expect(requestsFor(world().simulator, [ada, bob])).toEqual([1, 1]);
		expect(reached(world().simulator, [ada, bob])).toEqual([1, 1]);
		const [, toBob, ...others] = answers;
		expect(toBob).toMatch(new RegExp(`callId.*\\${bob.phone}|\\${bob.phone}.*callId`));
		const lost = [answers[0], ...others];
		expect(lost).toHaveLength(3);
		for (const answer of lost) {
			expect(answer).toMatch(reads);
			expect(answer).toMatch(WHAT_NOT_TO_DO);
		}
		expect(text).toContain('Done.');
	},
);

it.each([
	{ of: 'that came', isLost: false, answers: [expect.stringContaining('callId')] },
	{ of: 'that was lost', isLost: true, answers: Array(2).fill(expect.anything()) },
])(
	'the model fails after the call, and the execution is retried with the answer $of, without another call',
	async ({ isLost, answers }) => {
		const [ada] = somebodyNew();
		if (isLost) loseAnswerTo(world(), ada);
		const agent = await createAgent(world());
		await agent.converse(failAfterTool(inTurn([callOf(ada)])));

		const turns = answers.map(() => [callOf(ada)]);

		expect(await agent.retry(inTurn(...turns))).toEqual(answers);
		expect(requestsFor(world().simulator, [ada])).toEqual([1]);
	},
);

describe('the number is given by an expression, with equal arguments of the model', () => {
	it('calls the person of each item, and only the one again whose call was accepted', async () => {
		const [ada, bob] = somebodyNew();
		loseAnswerTo(world(), ada);
		const agent = await createAgent(world(), { parameters: { toNumber: '={{ $json.phone }}' } });

		await agent.converse(inTurn([CALL], [CALL]), [ada, bob]);

		expect(requestsFor(world().simulator, [ada, bob])).toEqual([1, 2]);
	});

	it.each([
		{ version: 3.1, turn: 'one after the other', inFlight: [1, 1] },
		{ version: 2.2, turn: 'at the same moment', inFlight: [1, 2] },
	])('calls both people of one turn, $turn: AI Agent $version', async ({ version, inFlight }) => {
		const { simulator } = world();
		const [ada, bob] = somebodyNew();
		const toNumber = `={{ ${JSON.stringify([ada.phone, bob.phone])}[$runIndex] }}`;
		const agent = await createAgent(world(), { version, parameters: { toNumber } });
		const before = simulator.processed('placeCall').length;
		const until = callsPlaced(simulator, before + Math.max(...inFlight));
		simulator.addFault({ kind: 'delay', delayMs: LATENCY_MS, until, times: 2 });

		const { answers } = await agent.converse(inTurn([CALL, CALL]));

		expect(requestsFor(simulator, [ada, bob])).toEqual([1, 1]);
		expect(answers[0]).toContain(ada.phone);
		expect(answers[1]).toContain(bob.phone);
		const sent = simulator.processed('placeCall').slice(before);
		expect(sent.map((request) => request.inFlight)).toEqual(inFlight);
	});
});

describe('an agent reads', () => {
	it('what is wrong with each kind of value that models fill in, and what the service refuses; a number with + is called', async () => {
		const [ada] = somebodyNew();
		const { requests } = world().simulator;
		const before = requests.length;
		refuseOnce(world().simulator, ada);
		const agent = await createAgent(world());
		const uses = AGENT_VALUES.map(([toNumber]) => ({ tool: TOOL, arguments: { toNumber } }));

		const { answers } = await agent.converse(inTurn(uses, [callOf(ada)], [callOf(ada)]));

		expect(answers).toEqual([
			...AGENT_VALUES.map(
				([, isCalled]) =>
					expect.stringMatching(isCalled ? 'callId' : /To Number.*nothing was sent/is) as unknown,
			),
			expect.stringContaining('The answer says: Invalid input'),
			expect.stringContaining('callId'),
		]);
		expect(answers.at(-2)).not.toMatch(MAY_HAVE_GONE_OUT);
		expect(requests.slice(before).map(recipientOf)).toEqual([NUMBER, ada.phone, ada.phone]);
	});

	it('a person that a rule of contact holds back, also in a saved tool with rules and options that a tool does not offer', async () => {
		const [ada, bob] = somebodyNew();
		const { world: own } = await openBook(world());
		const agent = await createAgent(own, {
			parameters: {
				contactRules: {
					...{ doNotContact: ada.phone, notAgainWithin: 24 },
					...{ atMostPerRun: 1, heldBackItems: 'leaveOut' },
				},
				options: { maxConcurrentRequests: 5, requestsPerSecond: 2 },
			},
		});

		const { answers } = await agent.converse(inTurn([callOf(ada)], [callOf(bob)], [callOf(bob)]));

		expect(requestsFor(world().simulator, [ada, bob])).toEqual([0, 1]);
		expect(answers[0]).toContain(`Nothing was sent: ${ada.phone} is on the list`);
		expect(answers[0]).toContain('Do not contact this person again, by this or another tool.');
		expect(answers[1]).toContain('callId');
		expect(answers[2]).toContain(`Nothing was sent: ${bob.phone} was contacted recently`);
		expect(answers[2]).toMatch(NOT_BEFORE);
	});

	it.each([3.1, 2.2])(
		'five answers of one call when it asks five times in one turn, and a rule allows one: AI Agent %s',
		async (version) => {
			const [ada] = somebodyNew();
			const { world: own } = await openBook(world());
			const agent = await createAgent(own, { version, parameters: ONCE_A_DAY });

			const { answers } = await agent.converse(inTurn(Array(5).fill(callOf(ada))));

			expect(requestsFor(world().simulator, [ada])).toEqual([1]);
			expect(answers.filter((answer) => answer.includes('callId'))).toHaveLength(1);
		},
	);
});
