import { CASES, checkOperation } from './operations';
import { useWorld } from './world';

const world = useWorld();

describe('an operation in a workflow', () => {
	it.each(CASES)('$name', async (example) => {
		await checkOperation(world(), example);
	});
});
