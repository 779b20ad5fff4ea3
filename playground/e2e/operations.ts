import { withNewIds } from '../../test/operations/expected';
import type { OperationCase } from '../../test/operations/row';
import type { SavedExecution } from '../restTypes';
import { jsonOf, runOneNode, type World } from './world';

/** Runs an operation by hand at a service as it is at its start, and compares what it acted on and what comes out. */
export async function checkOperation(
	world: World,
	{ resource, operation, parameters, method, path, reads, output }: OperationCase,
): Promise<SavedExecution> {
	world.simulator.reset();

	const execution = await runOneNode(world, { resource, operation, ...parameters });

	expect(execution.status).toBe('success');
	expect(jsonOf(execution)).toEqual([withNewIds(output)]);
	const requests = world.simulator.processed().map((one) => `${one.method} ${one.path}`);
	expect(requests).toEqual([...(reads === undefined ? [] : [`GET ${reads}`]), `${method} ${path}`]);
	return execution;
}
