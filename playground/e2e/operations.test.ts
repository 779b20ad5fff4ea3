import { OPERATIONS } from './operations';
import { jsonOf, openWorld, runOneNode, type World } from './world';

let world: World;

beforeAll(async () => {
	world = await openWorld();
});

afterAll(async () => {
	await world.simulator.stop();
});

describe('an operation in a workflow', () => {
	it.each(OPERATIONS)('$resource: $operation', async (example) => {
		const { resource, operation, parameters, before, requests, output } = example;
		before?.(world.simulator);
		const alreadyProcessed = world.simulator.processed().length;

		const execution = await runOneNode(world, { resource, operation, ...parameters });

		expect(execution.status).toBe('success');
		expect(jsonOf(execution)).toEqual([output]);
		const processed = world.simulator.processed().slice(alreadyProcessed);
		expect(processed.map(({ endpoint }) => endpoint)).toEqual(requests);
	});
});
