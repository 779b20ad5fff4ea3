import { menu } from '../../nodes/AssistantService/resources';
import { runNode } from './engine';
import { OPERATION_ROWS } from './operationRows';
import { credentialFor, useSimulator } from './world';

const simulator = useSimulator();

const nameOf = ({ resource, operation }: { resource: string; operation: string }) =>
	`${resource}.${operation}`;

test('the rows and the menu hold the same operations', () => {
	const inMenu = menu.resources.flatMap((resource) =>
		resource.operations.map(({ value }) => nameOf({ resource: resource.value, operation: value })),
	);

	expect(OPERATION_ROWS.map(nameOf).sort()).toEqual(inMenu.sort());
});

describe.each(OPERATION_ROWS)('$resource.$operation', (row) => {
	const { resource, operation, parameters, method, path, body, output, prepare } = row;

	const run = async (options = {}) => {
		await prepare?.(simulator());
		simulator().requests.length = 0;
		const credential = credentialFor(simulator());
		return await runNode({
			credential,
			parameters: { resource, operation, ...parameters, options },
		});
	};

	test('sends exactly the request of the specification', async () => {
		const { error } = await run();

		expect(error).toBeUndefined();
		expect(simulator().requests).toHaveLength(1);
		expect(simulator().requests[0]).toMatchObject({ method, path, query: '', processed: true });
		expect(simulator().requests[0]?.body).toEqual(body);
		expect(simulator().requests[0]?.headers['x-api-key']).toBe(simulator().apiKey);
	});

	test('puts out exactly the items of the contract', async () => {
		const { items } = await run();

		expect(items).toEqual(output.map((json) => ({ json, pairedItem: { item: 0 } })));
	});

	test('puts out the body as it came when Simplify is off', async () => {
		const { items } = await run({ simplify: false });

		expect(items).toHaveLength(1);
		const [simplified = {}] = output;
		const promised = menu.resources
			.find(({ value }) => value === resource)
			?.operations.find(({ value }) => value === operation)?.promises;
		expect(Object.keys(items[0]?.json ?? {})).toEqual(
			expect.arrayContaining(Object.keys(promised ?? {}).slice(0, 1)),
		);
		expect(items[0]?.json).not.toHaveProperty(
			Object.keys(simplified).find((key) =>
				['queued', 'messageId', 'added', 'deleted', 'sentAs', 'key', 'id'].includes(key),
			) ?? 'none',
		);
	});

	test('uses the workspace of the options instead of the credential’s', async () => {
		const other = '44444444-4444-4444-8444-444444444444';
		await run({ workspaceId: other });

		const [request] = simulator().requests;
		const sent = `${request?.path} ${request?.rawBody}`;
		expect(sent).toContain(other);
		expect(sent).not.toContain(simulator().workspaceId);
	});
});
