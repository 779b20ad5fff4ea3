import { runNode, type NodeSetup } from './engine';
import { credentialFor, numbers, placeCall, useSimulator } from './world';

const simulator = useSimulator();

describe('safe operations', () => {
	const remove = (more = {}): NodeSetup => ({
		credential: credentialFor(simulator()),
		parameters: {
			resource: 'knowledgeBase',
			operation: 'deleteParagraph',
			knowledgeBaseId: simulator().knowledgeBaseId,
			paragraphKey: { __rl: true, mode: 'id', value: 'parking' },
			...more,
		},
	});

	test('a delete whose answer was lost counts as done when it is gone', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });

		const { items } = await runNode(remove());

		expect(items.map(({ json }) => json)).toEqual([
			{
				deleted: true,
				paragraphKey: 'parking',
				msg: expect.stringMatching(/not exist|not found/i) as unknown,
			},
		]);
		expect(simulator().requests).toHaveLength(2);
	});

	test('a delete of what was never there fails', async () => {
		const { error } = await runNode(remove({ paragraphKey: 'never-there' }));

		expect(error?.context.details).toMatchObject({ kind: 'notFound', outcome: 'refused' });
	});

	test('a call is tried again only when the service certainly did nothing', async () => {
		simulator().addFault({ kind: 'rateLimited', retryAfter: '0', times: 2 });
		simulator().addFault({ kind: 'status', status: 503, retryAfter: '0', times: 1 });

		const { items } = await runNode({
			credential: credentialFor(simulator()),
			parameters: placeCall,
			items: numbers(1),
		});

		expect(items).toHaveLength(1);
		expect(simulator().requests.map(({ status }) => status)).toEqual([429, 429, 503, 201]);
	});
});
