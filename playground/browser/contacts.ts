import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { PLACE_CALL as EACH } from '../e2e/calls';
import { ownNode, type World } from '../e2e/world';
import type { SavedWorkflow } from '../restTypes';
import { chain, node } from '../workflows';

export const CONTACTS = 'Contacts';
export const PLACE_CALL = 'Place Call';
const DISTANCE = 240;

export const PEOPLE = [
	{ name: 'Ada', phone: '+15550102001', appointment: 'Monday at 9:00' },
	{ name: 'Grace', phone: '+15550102002', appointment: 'Monday at 9:30' },
	{ name: 'Katherine', phone: '+15550102003', appointment: 'Monday at 10:00' },
];

/** Calls each contact with its appointment. */
export const CALL: INodeParameters = {
	...EACH,
	customFields: { customField1: '={{ $json.name }}', customField2: '={{ $json.appointment }}' },
};

/** A saved workflow that hands pinned contacts to a node under test. */
export async function createForContacts(
	world: World,
	name: string,
	parameters: INodeParameters,
	contacts: IDataObject[] = PEOPLE,
	extra: Partial<INode> = {},
): Promise<SavedWorkflow> {
	const nodes = [
		node('n8n-nodes-base.manualTrigger', CONTACTS),
		ownNode(world, 'assistantService', name, parameters, extra),
	].map((one, index) => ({ ...one, position: [index * DISTANCE, 0] satisfies INode['position'] }));
	return await world.client.createWorkflow({
		name,
		...chain(...nodes),
		pinData: { [CONTACTS]: contacts.map((json) => ({ json })) },
	});
}
