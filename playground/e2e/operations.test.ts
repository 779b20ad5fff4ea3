import { OPERATION_CASES } from '../../test/operations';
import { checkOperation } from './operations';
import { openWorld, type World } from './world';

let world: World;

beforeAll(async () => {
	world = await openWorld();
});

afterAll(async () => {
	await world.simulator.stop();
});

describe('an operation in a workflow', () => {
	it.each(OPERATION_CASES)('$name', async (example) => {
		await checkOperation(world, example);
	});
});
