import { retryRun, runNode, type NodeSetup } from './engine';
import { useFastClock } from './fastClock';
import { credentialFor, numbers, placeCall, useSimulator } from './world';

useFastClock();
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

	test.each([
		{ kind: 'status', status: 503, retryAfter: '0', times: 2 },
		{ kind: 'rateLimited', retryAfter: '0', times: 2 },
	] as const)(
		'a delete of what was never there fails also after an answer by which the service did nothing: %j',
		async (fault) => {
			simulator().addFault(fault);

			const { error } = await runNode(remove({ paragraphKey: 'never-there' }));

			expect(error?.context.details).toMatchObject({ kind: 'notFound', outcome: 'refused' });
			expect(simulator().requests).toHaveLength(3);
		},
	);

	test.each([
		{ kind: 'status', status: 500, process: true, times: 1 },
		{ kind: 'status', status: 503, process: true, times: 1, headers: { 'retry-after': 'never' } },
	] as const)(
		'a delete counts as done when it is gone, and one of the tries may have worked: %j',
		async (fault) => {
			simulator().addFault(fault);
			simulator().addFault({ kind: 'status', status: 503, retryAfter: '0', times: 1 });

			const { items } = await runNode(remove());

			expect(items).toMatchObject([{ json: { deleted: true } }]);
		},
	);

	test('a call that the service did not take, and then refused, is sent by a retry', async () => {
		simulator().addFault({ kind: 'status', status: 503, retryAfter: '0', times: 1 });
		simulator().addFault({ kind: 'status', status: 400, times: 1 });
		const call = {
			credential: credentialFor(simulator()),
			parameters: placeCall,
			items: numbers(1),
		};
		const failed = await runNode(call);
		expect(failed.error?.context.details).toMatchObject({
			kind: 'invalidInput',
			outcome: 'refused',
		});

		const { items } = await retryRun(failed.run, call);

		expect(items).toMatchObject([{ json: { result: 'placed' } }]);
		expect(simulator().requests.map(({ status }) => status)).toEqual([503, 400, 201]);
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
