import { OPERATION_CASES } from '../../test/operations';
import { withNewIds } from '../../test/operations/expected';
import type { OperationCase } from '../../test/operations/row';
import type { SavedExecution } from '../restTypes';
import { jsonOf, runOneNode, type World } from './world';

/** The cases of operations that need no more of n8n: of what waits, see placeAndWait.test.ts. */
export const CASES = OPERATION_CASES.filter(({ waits }) => !waits);

/** Runs an operation by hand at a service as it is at its start, and compares what it acted on and what comes out. */
export async function checkOperation(world: World, one: OperationCase): Promise<SavedExecution> {
	const { resource, operation, parameters, method, path, output } = one;
	world.simulator.reset();

	const execution = await runOneNode(world, { resource, operation, ...parameters });

	expect(execution.status).toBe('success');
	expect(jsonOf(execution)).toEqual([withNewIds(output)]);
	const requests = world.simulator.processed().map((sent) => `${sent.method} ${sent.path}`);
	expect(requests).toEqual([`${method} ${path}`]);
	return execution;
}
