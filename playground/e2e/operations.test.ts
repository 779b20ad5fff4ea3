import { OPERATION_CASES } from '../../test/operations';
import { checkOperation } from './operations';
import { useWorld } from './world';

const world = useWorld();

describe('an operation in a workflow', () => {
	it.each(OPERATION_CASES)('$name', async (example) => {
		await checkOperation(world(), example);
	});
});
