import { TOOL } from './agent';
import { openTool, type McpTool } from './mcp';
import { useWorld } from './world';

const world = useWorld();
let tool: McpTool;

beforeAll(async () => {
	tool = await openTool(world());
});

describe('the node as a tool of an AI agent', () => {
	it('is listed with the values that the agent has to give', async () => {
		const text = await tool.list();

		expect(text).toContain(`"name":"${TOOL}"`);
		expect(text).toContain('the number to call');
	});

	it('calls once for each use, and answers with the call', async () => {
		const text = await tool.call('0049 (151) 123 45 67');

		expect(text).toContain('callId');
		const calls = world().simulator.processed('placeCall');
		expect(calls.map(({ body }) => body)).toMatchObject([{ toNumber: '+491511234567' }]);
	});

	it('does not call again whom it may have called, although n8n tries the tool again', async () => {
		const toNumber = '+15550104444';
		world().simulator.addFault({
			kind: 'resetAfter',
			when: ({ rawBody }) => rawBody.includes(toNumber),
		});

		const text = await tool.call(toNumber);

		expect(text).toContain('may have taken effect');
		const calls = world().simulator.requests.filter(({ rawBody }) => rawBody.includes(toNumber));
		expect(calls).toHaveLength(1);
	});

	it('tells the agent what was wrong and what to do', async () => {
		const text = await tool.call('Ada');

		expect(text).toMatch(/To Number: .*Ada.* .* which no phone number has/);
		expect(text).toContain('Nothing was sent');
	});
});
