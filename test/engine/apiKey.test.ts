import { runNode } from './engine';
import { credentialFor, numbers, placeCall, useSimulator } from './world';

const simulator = useSimulator();

describe('the API key', () => {
	const echo = (key: string) => ({
		error: `Key ${key} is wrong`,
		moreInfo: `https://x/?k=${encodeURIComponent(key)}`,
		[key]: [key],
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'is nowhere in what n8n saves when the service echoes it (%s)',
		async (onError) => {
			const apiKey = 'sk-"quoted"/and+strange=';
			for (const status of [400, 200]) {
				simulator().addFault({ kind: 'respond', status, body: echo(apiKey), times: 1 });
			}
			const { run, error } = await runNode({
				credential: { ...credentialFor(simulator()), apiKey },
				parameters: { ...placeCall, options: { simplify: false, maxConcurrentRequests: 1 } },
				items: numbers(2),
				settings: { onError },
			});

			expect(simulator().requests[0]?.headers['x-api-key']).toBe(apiKey);
			const saved = JSON.stringify([run, error, error?.stack, error?.cause]);
			expect(saved).not.toContain('quoted');
			expect(saved).toContain('*****');
		},
	);

	test('is nowhere in what n8n saves when the connection breaks', async () => {
		const { apiKey } = simulator();
		simulator().addFault({ kind: 'resetBefore' });

		const { run, error } = await runNode({
			credential: credentialFor(simulator()),
			parameters: placeCall,
			items: numbers(1),
		});

		expect(error?.message).toMatch(/connection/);
		const { inspect } = await import('node:util');
		expect(inspect([run, error], { depth: 20, showHidden: true })).not.toContain(apiKey);
	});
});
