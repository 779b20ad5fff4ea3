import { startSimulator } from '../../test/simulator/simulator';
import { runDemo } from '../demo';
import { eventually } from '../eventually';
import { N8nClient } from '../rest';
import { OWNER, saveCredentials } from '../setup';
import { fromSetup, n8nUrl, useOpened } from './world';

const opened = useOpened(async () => {
	const simulator = await startSimulator({
		apiKey: fromSetup('E2E_API_KEY'),
		callDurationMs: 200,
	});
	const client = await N8nClient.signIn(n8nUrl(), OWNER);
	const credentials = await saveCredentials(client, simulator);
	return { simulator, client, credentials, stop: async () => simulator.stop() };
});

it('the example workflows call three contacts and hear of the end of each call', async () => {
	const { simulator, client, credentials } = opened();
	const { calls = [], events = [] } = (await runDemo(client, simulator, credentials)) ?? {};

	const placed = simulator.processed('placeCall');
	expect(placed.map(({ body }) => body)).toMatchObject([
		{ toNumber: '+15550102001', attributes: { customField1: 'Ada' } },
		{ toNumber: '+15550102002', attributes: { customField1: 'Grace' } },
		{ toNumber: '+15550102003', attributes: { customField1: 'Katherine' } },
	]);
	const idOf = (line: string) => line.split(' ')[0];
	expect(calls).toHaveLength(3);
	expect(events.map(idOf).sort()).toEqual(calls.map(idOf).sort());
	await eventually('the answer to each event', () =>
		Promise.resolve(simulator.deliveries.length === 3 || undefined),
	);
	expect(simulator.deliveries.map(({ status }) => status)).toEqual([200, 200, 200]);
	// To be tried by hand.
	const names = (await client.workflows()).map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(['Five contacts', 'Call a list and report']));
});
