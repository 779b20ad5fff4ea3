import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { recipientOf } from '../../test/simulator/recipient';
import type { N8nClient } from '../rest';
import type { SavedExecution, SavedWorkflow, WorkflowDraft } from '../restTypes';
import { readExample, WEBHOOK_HEADER, webhookPath } from '../setup';
import { chain, createActive, node, nodeOf } from '../workflows';
import { START, TRIGGER, type World } from './world';

/** The people that the examples call. */
export const [ADA, GRACE, KATHERINE] = ['+15550102001', '+15550102002', '+15550102003'] as const;

export const called = ({ simulator }: World): unknown[] =>
	simulator.processed('placeCall').map(recipientOf);

export const isTo =
	(phone: string) =>
	(request: { body: unknown }): boolean =>
		recipientOf(request) === phone;

/** An example in which these nodes have these parameters instead of their own. */
export function exampleWith(
	file: string,
	changes: Record<string, INodeParameters> = {},
): WorkflowDraft {
	const draft = readExample(file);
	for (const [name, parameters] of Object.entries(changes)) {
		Object.assign(nodeOf(draft, name).parameters, parameters);
	}
	return draft;
}

/** The parameters of a Set node that puts out one item with these texts. */
export const texts = (values: Record<string, string>): INodeParameters => ({
	assignments: {
		assignments: Object.entries(values).map(([name, value]) => ({ name, value, type: 'string' })),
	},
});

/** The node that stands for the sub-workflow in {@link runAsSubWorkflow}. */
export const SUB_WORKFLOW = 'Sub-workflow';

/** Runs an active workflow as the sub-workflow of another one, which gives it these items as its inputs. */
export async function runAsSubWorkflow(
	client: N8nClient,
	{ id }: SavedWorkflow,
	items: IDataObject[],
	options: INodeParameters = {},
): Promise<SavedExecution> {
	const value = Object.fromEntries(
		Object.keys(items[0] ?? {}).map((name) => [name, `={{ $json.${name} }}`]),
	);
	const caller = await client.createWorkflow({
		name: 'Caller',
		...chain(
			node('n8n-nodes-base.manualTrigger', START),
			node(
				'n8n-nodes-base.executeWorkflow',
				SUB_WORKFLOW,
				{
					workflowId: { __rl: true, mode: 'id', value: id },
					workflowInputs: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
					options,
				},
				{ typeVersion: 1.2 },
			),
		),
		pinData: { [START]: items.map((json) => ({ json })) },
	});
	return await client.run(caller.id, START);
}

/** Makes a workflow active whose trigger has this name, and lets the service send its events to where it is served. */
export async function hearEvents(
	{ client, simulator, secret }: World,
	draft: WorkflowDraft,
	trigger = TRIGGER,
	servedBy = client.baseUrl,
): Promise<SavedWorkflow> {
	const pathOf = (saved: SavedWorkflow) => webhookPath(nodeOf(saved, trigger));
	const workflow = await createActive(client, draft, pathOf, servedBy);
	const url = `${servedBy}${pathOf(workflow)}`;
	simulator.setWebhooks([{ url, headers: { [WEBHOOK_HEADER]: secret } }]);
	return workflow;
}
