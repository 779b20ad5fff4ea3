import type { INodeParameters } from 'n8n-workflow';

import { ASSISTANT_ID } from '../simulator/seed';
import { runNode } from './engine';
import { useFastClock } from './fastClock';
import { credentialFor, useSimulator } from './world';

useFastClock();
const simulator = useSimulator();

const run = async (parameters: INodeParameters) =>
	await runNode({
		credential: credentialFor(simulator()),
		parameters,
		settings: { onError: 'continueRegularOutput' },
	});

test('a delete whose answer was lost counts as done when it is gone', async () => {
	simulator().addFault({ kind: 'resetAfter', times: 1 });

	const { items } = await run({
		resource: 'knowledgeBase',
		operation: 'deleteParagraph',
		knowledgeBaseId: simulator().knowledgeBaseId,
		paragraphKey: { __rl: true, mode: 'id', value: 'parking' },
	});

	expect(items.map(({ json }) => json)).toEqual([
		{
			deleted: true,
			paragraphKey: 'parking',
			msg: expect.stringMatching(/not exist|not found/i) as unknown,
		},
	]);
	expect(simulator().requests).toHaveLength(2);
});

test.each([
	['updatePrompt', 'unknown'],
	['getPrompt', 'refused'],
])('%s that broke off and was then refused: %s', async (operation, outcome) => {
	simulator().addFault({ kind: 'resetAfter', times: 1 });
	simulator().addFault({ kind: 'status', status: 403, times: 1 });

	const { items } = await run({
		resource: 'assistant',
		operation,
		assistantId: ASSISTANT_ID,
		prompt: 'New.',
	});

	expect(items[0]?.json.details).toMatchObject({ kind: 'forbidden', outcome });
});
