import { isObject } from '../../nodes/shared/values';
import { OPERATION_CASES, OPERATION_ROWS } from '../operations';
import { withNewIds } from '../operations/expected';
import { pathOf, type OperationCase } from '../operations/row';
import { operations } from '../shared/samples';
import { runNode } from './engine';
import { credentialFor, useSimulator } from './world';

const simulator = useSimulator();

const run = async (
	{ resource, operation, parameters }: Omit<OperationCase, 'name'>,
	options = {},
) =>
	await runNode({
		credential: credentialFor(simulator()),
		parameters: {
			resource,
			operation,
			...parameters,
			options: { ...(isObject(parameters.options) && parameters.options), ...options },
		},
	});

test('the rows and the menu hold the same operations', () => {
	expect(OPERATION_ROWS.map(pathOf).sort()).toEqual([...operations.keys()].sort());
});

test.each(OPERATION_CASES)('$name', async (one) => {
	const { method, path, body, output, reads } = one;
	const { error, items } = await run(one);

	expect(error).toBeUndefined();
	const main = { method, path, query: '', processed: true };
	const wanted = reads === undefined ? [main] : [{ ...main, method: 'GET', path: reads }, main];
	expect(simulator().requests).toMatchObject(wanted);
	const sent = simulator().requests.at(-1);
	expect(sent?.body).toEqual(body);
	expect(sent?.headers['x-api-key']).toBe(simulator().apiKey);
	expect(items).toEqual(
		output.map((json) => ({ json: withNewIds(json), pairedItem: { item: 0 } })),
	);
});

describe.each(OPERATION_ROWS.map((row) => [pathOf(row), row] as const))('%s', (_, row) => {
	test('puts out the body as it came when Simplify is off', async () => {
		const { items } = await run(row, { simplify: false });

		expect(items.map(({ json }) => json)).toEqual([withNewIds(row.answer)]);
	});

	test('uses the workspace of the options instead of the credential’s', async () => {
		const other = '44444444-4444-4444-8444-444444444444';
		await run(row, { workspaceId: other });

		const [request] = simulator().requests;
		const sent = `${request?.path} ${request?.rawBody}`;
		expect(sent).toContain(other);
		expect(sent).not.toContain(simulator().workspaceId);
	});
});
