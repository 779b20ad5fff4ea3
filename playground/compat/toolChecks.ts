import { callOf, createAgent, loseAnswerTo, pairOf } from '../e2e/agent';
import { people, reached, requestsFor } from '../e2e/calls';
import { openTool } from '../e2e/mcp';
import { inTurn, startModelServer } from '../e2e/modelServer';
import type { Check } from './document';

export const TOOL_CHECKS: readonly Check[] = [
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
