import { startSimulator, type Simulator } from '../../test/simulator/simulator';
import { runDemo } from '../demo';
import { eventually } from '../eventually';
import { N8nClient } from '../rest';
import { OWNER, saveCredentials } from '../setup';
import { fromSetup, n8nUrl } from './world';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator({ apiKey: fromSetup('E2E_API_KEY'), callDurationMs: 200 });
});

afterAll(async () => {
	await simulator.stop();
});

describe('the example workflows', () => {
	it('call three contacts and hear of the end of each call', async () => {
		const client = await N8nClient.signIn(n8nUrl(), OWNER);
		await saveCredentials(client, simulator);
		const { calls, events } = await runDemo(client, simulator);

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
	});
});
