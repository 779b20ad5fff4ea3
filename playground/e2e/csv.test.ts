import { PLACE_CALL } from './calls';
import { CONTINUE, START, jsonOf, NODE, ownNode, useWorld } from './world';
import { chain, node } from '../workflows';

const world = useWorld();

/** As spreadsheets save it: with a byte-order mark, and with a blank row at the end. */
const CSV = '\uFEFFphone,name\n+15550301001,Ada\n+15550301002,Bob\n,\n';

test('a list from a CSV file: each row is called, and a blank row is an error', async () => {
	const nodes = chain(
		node('n8n-nodes-base.manualTrigger', START),
		node(
			'n8n-nodes-base.convertToFile',
			'To File',
			{
				operation: 'toText',
				sourceProperty: 'csv',
				options: { fileName: 'list.csv' },
			},
			{ typeVersion: 1.1 },
		),
		node('n8n-nodes-base.extractFromFile', 'From CSV', { options: { enableBOM: true } }),
		ownNode(world(), 'assistantService', NODE, PLACE_CALL, CONTINUE),
	);
	const { id } = await world().client.createWorkflow({
		name: 'CSV',
		...nodes,
		pinData: { [START]: [{ json: { csv: CSV } }] },
	});

	const [rows = []] = jsonOf(await world().client.run(id, START));

	expect(rows.map(({ toNumber, error }) => error ?? toNumber)).toEqual([
		'+15550301001',
		'+15550301002',
		'To Number is empty (row 3)',
	]);
	expect(world().simulator.processed('placeCall')).toHaveLength(2);
});
