import { OPERATION_ROWS } from '../../test/operations';
import { withNewIds } from '../../test/operations/expected';
import { pathOf, urlOf, type OperationRow } from '../../test/operations/row';
import { operationOf } from '../../test/shared/samples';
import { createAgent, useAgentWorld, type Agent } from './agent';
import { inTurn } from './modelServer';
import { toolOf } from './operationTools';

/** Each answer of a tool stands in the context of the model, so it is short. */
const SHORT = 600;

const ROWS = OPERATION_ROWS.map((row) => [pathOf(row), row] as const);
const NAMES = OPERATION_ROWS.map(({ resource, operation }) => `${resource}_${operation}`);

const world = useAgentWorld();

beforeEach(() => {
	world().simulator.reset();
});

/** What came back, and the one request that the service acted on, are those of the row. */
function check(row: OperationRow, answer: string | undefined): void {
	const { method, body, output } = row;
	const requests = world().simulator.processed();
	expect(JSON.parse(answer ?? '')).toEqual(withNewIds(output));
	expect(answer?.length).toBeLessThan(SHORT);
	expect(requests.map((one) => `${one.method} ${urlOf(one)}`)).toEqual([`${method} ${urlOf(row)}`]);
	expect(requests[0]?.body).toEqual(body);
}

describe("an operation as a tool of n8n's AI Agent, all values from the model, menus by name", () => {
	let agent: Agent;

	beforeAll(async () => {
		agent = await createAgent(world(), {
			tools: OPERATION_ROWS.map((row) => toolOf(world(), row).node),
		});
	});

	it.each(ROWS)('%s', async (_, row) => {
		const { answers } = await agent.converse(inTurn([toolOf(world(), row).use]));

		check(row, answers[0]);
	});

	it('is described to the model: what it does to people, and how numbers are written', async () => {
		await agent.converse(() => 'Nothing to do.');

		const tools = world().model.requests[0]?.tools ?? [];
		const told = tools.map(({ function: { name, description } }) => [name, description] as const);
		expect(new Map(told)).toEqual(
			new Map(ROWS.map(([path], index) => [NAMES[index], operationOf(path).toolDescription])),
		);
	});
});
