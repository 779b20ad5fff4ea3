import axios from 'axios';
import type { INode } from 'n8n-workflow';
import path from 'node:path';
import type { RecordedRequest } from '../../test/simulator/simulator';
import { eventually } from '../eventually';
import { post } from '../post';
import type { WorkflowDraft } from '../restTypes';
import { chain, node, nodeOf } from '../workflows';
import { activateCalls, CALL_NODE, callsPlaced, people, reached, refuseOnce } from './calls';
import { openOwnWorld } from './ownWorld';
import { useOpened } from './world';

const PEOPLE = people(3);
/** What nodes beside the calls ask for. */
const WAITS = '/v1/waits';
const LATER = '/v1/later';
const USER_FOLDER = path.join(__dirname, '..', '.state', 'crashInLoop');

const world = useOpened(
	async () => await openOwnWorld(USER_FOLDER),
	async ({ stop }) => stop(),
);

/** Asks the service for something that it does not have. */
const ask = (name: string, url: string): INode =>
	node(
		'n8n-nodes-base.httpRequest',
		name,
		{ url: `=${world().simulator.baseUrl}${url}` },
		{ typeVersion: 4.2, executeOnce: true, onError: 'continueRegularOutput' },
	);

/** Until somebody calls the URL to resume: n8n saves the execution, and loads it again. */
const waiting = (): INode[] => [
	ask('Say Where', `${WAITS}?url={{ encodeURIComponent($execution.resumeUrl) }}`),
	node('n8n-nodes-base.wait', 'Wait', { resume: 'webhook' }, { typeVersion: 1.1 }),
];

/** Gives who was refused to the calls once more, after these nodes. */
const givesBackRefused =
	(between: INode[]) =>
	({ nodes, connections, ...rest }: WorkflowDraft): WorkflowDraft => {
		const calling = nodeOf({ ...rest, nodes, connections }, CALL_NODE);
		const isRefused = node(
			'n8n-nodes-base.filter',
			'Refused',
			{
				conditions: {
					options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
					combinator: 'and',
					conditions: [
						{
							id: '1',
							leftValue: "={{ $json.details?.outcome === 'refused' }}",
							rightValue: '',
							operator: { type: 'boolean', operation: 'true', singleValue: true },
						},
					],
				},
			},
			{ typeVersion: 2.2 },
		);
		const again = node(
			'n8n-nodes-base.set',
			'Again',
			{ mode: 'raw', jsonOutput: "={{ $('People').item.json }}" },
			{ typeVersion: 3.4 },
		);
		const later = ask('Later', LATER);
		const loop = chain(calling, isRefused, ...between, again, calling);
		const next = loop.connections[CALL_NODE]?.main?.[0] ?? [];
		const toLater = { node: later.name, type: 'main' as const, index: 0 };
		return {
			...rest,
			nodes: [
				...nodes.filter((one) => one !== calling),
				{ ...calling, onError: 'continueRegularOutput' },
				...loop.nodes.slice(1, -1),
				later,
			],
			connections: {
				...connections,
				...loop.connections,
				[CALL_NODE]: { main: [[...next, toLater]] },
			},
		};
	};

const isFor =
	(wanted: string) =>
	({ path: asked }: RecordedRequest): boolean =>
		asked === wanted;

/** Resumes the execution as soon as it waits. */
async function resume(): Promise<void> {
	const said = await eventually('the URL to resume', () =>
		Promise.resolve(world().simulator.requests.find(isFor(WAITS))),
	);
	const url = new URLSearchParams(said.query).get('url') ?? '';
	await eventually('the execution to wait', async () => {
		const { status } = await axios.get(url, { proxy: false, validateStatus: () => true });
		return status === 200 ? true : undefined;
	});
}

it.each([
	['at once', false],
	['after n8n has saved and loaded the execution', true],
])(
	'who was refused and is called in a later round, %s, is not called again by a retry after a crash',
	async (_, waits) => {
		const { client, simulator, credentials } = world();
		simulator.reset();
		const change = givesBackRefused(waits ? waiting() : []);
		const { workflow, path: url } = await activateCalls(client, credentials, { change });
		refuseOnce(simulator, PEOPLE[0]);
		let isLaterStuck = true;
		const isStuck = (request: RecordedRequest): boolean =>
			isLaterStuck &&
			isFor(LATER)(request) &&
			simulator.processed('placeCall').length === PEOPLE.length;
		simulator.addFault({ kind: 'hang', when: isStuck });
		await post(`${client.baseUrl}${url}`, { people: PEOPLE });
		if (waits) await resume();
		await callsPlaced(simulator, PEOPLE.length);
		await eventually('the later node', () => Promise.resolve(simulator.requests.find(isStuck)));
		await world().crash();
		isLaterStuck = false;
		const [crashed] = (await client.allFinished(workflow.id)).filter(
			({ status }) => status === 'crashed',
		);

		await client.retry(crashed?.id ?? '');

		expect(reached(simulator, PEOPLE)).toEqual(PEOPLE.map(() => 1));
	},
);
