import { checkOperation, OPERATIONS } from './operations';
import { openWorld, type World } from './world';

let world: World;

beforeAll(async () => {
	world = await openWorld();
});

afterAll(async () => {
	await world.simulator.stop();
});

describe('an operation in a workflow', () => {
	it.each(OPERATIONS)('$resource: $operation', async (example) => {
		await checkOperation(world, example);
	});
});
