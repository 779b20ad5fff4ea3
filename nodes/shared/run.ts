import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { forAgent } from './answer/agentAdvice';
import { createFailure } from './answer/failure';
import { createNodeError } from './answer/nodeError';
import type { Operation, Resource } from './declaration/operation';
import { Admission } from './delivery/admission';
import { checkItems } from './delivery/check';
import { deliver } from './delivery/deliver';
import { gateOf } from './delivery/gate';
import { KEPT_CONTACTS } from './delivery/memory/contacts';
import { isRefused, plansOf } from './request/planned';
import { countsAsFailed, readHost, type Host } from './host';
import { openMemories, type Memories } from './delivery/memory/memories';
import { planItems } from './request/planItems';
import { putOut } from './output/putOut';
import { createProgressLog } from './output/report';
import { normalizeBaseUrl } from './request/baseUrl';
import { digest } from './request/itemKeys';
import { readCredential } from './request/readCredential';
import type { ItemPlan } from './request/request';
import { createTransport } from './request/transport';
import { toPlainText } from './values';

/**
 * Runs the chosen operation for all items of the node: reads and checks all of them, delivers them, and
 * puts out what came back, in the order of the items.
 *
 * @throws NodeApiError | NodeOperationError of the first item that failed, unless the node continues on errors
 */
export async function runOperation(
	context: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[][]> {
	const host = readHost(context);
	checkErrorOutput(context, host);
	const operation = chosenOperation(context, resources);
	const { credential, checked } = await readCredential(context);
	const { planned, blanks } = await planItems(context, operation, checked, host.tool !== undefined);
	const stopOnFailure = !context.continueOnFail() && host.tool !== 'agent';

	const isOnlyChecked =
		checked.mode.kind === 'checkOnly' &&
		operation.request.method !== 'GET' &&
		!planned.every(isRefused);
	const plans = plansOf(planned);
	const memories = openMemories(context, operation, host, checked.mode.kind, planned);
	const admission = createAdmission(context, plans, memories);
	const first = plans.find((plan) => plan !== undefined)?.options;
	const onProgress = createProgressLog(context, operation, planned.length);
	const results = isOnlyChecked
		? checkItems(planned, admission, (index) => memories.executionMemory.recall(index), onProgress)
		: await deliver(planned, {
				...memories,
				admission,
				transport: createTransport(context, credential),
				gate: gateOf(serviceOf(credential)),
				stopOnFailure,
				maxConcurrentRequests: first?.maxConcurrentRequests ?? 1,
				requestsPerSecond: first?.requestsPerSecond ?? 0,
				signal: context.getExecutionCancelSignal(),
				onProgress,
			});

	const notices = [forgottenContacts(plans, memories), blanks].filter((text) => text !== '');
	const run = { context, operation, host, mode: checked.mode, planned, results, notices };
	const items = await putOut(run, stopOnFailure);
	const { executionMemory } = memories;
	const runsAgain = countsAsFailed(items[0]?.json) && executionMemory.tries < host.maxTries;
	// What an earlier try has sent stays known after a run that only checked.
	if (!runsAgain && (!isOnlyChecked || executionMemory.isNew)) executionMemory.clear();
	return [items];
}

const createAdmission = (
	context: IExecuteFunctions,
	plans: readonly (ItemPlan | undefined)[],
	{ executionMemory, crashMemory, contactMemory }: Memories,
): Admission =>
	new Admission(plans, {
		timezone: context.getTimezone(),
		contactMemory,
		isOwn: (index) => executionMemory.knows(index) || crashMemory?.knows(index) === true,
	});

/** Says that n8n's store does not hold all contacts of *Not Again Within*, if so. */
function forgottenContacts(
	plans: readonly (ItemPlan | undefined)[],
	{ contactMemory }: Memories,
): string {
	const hours = plans.map((plan) => plan?.contact?.rules.notAgainWithin ?? 0);
	const longest = hours.reduce((most, one) => Math.max(most, one), 0);
	return longest > 0 && contactMemory.isFull(longest)
		? `This node has contacted more than ${KEPT_CONTACTS} people within "Not Again Within". After a restart of n8n it knows the last ${KEPT_CONTACTS} only.`
		: '';
}

/** n8n passes on nothing of a tool with an error output to the agent, not even that a call was placed. */
function checkErrorOutput(context: IExecuteFunctions, { tool }: Host): void {
	const node = context.getNode();
	if (tool === undefined || node.onError !== 'continueErrorOutput') return;
	const failure = createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message:
			'Nothing was sent: with "On Error" set to "Continue (Using Error Output)", n8n hides the result of this tool from the agent',
		hint: 'Choose another "On Error" in the settings of the tool.',
	});
	throw createNodeError(node, forAgent(failure), { itemIndex: 0 });
}

function chosenOperation(context: IExecuteFunctions, resources: readonly Resource[]): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	const chosen = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (chosen === undefined) {
		const failure = createFailure({
			kind: 'invalidInput',
			outcome: 'notSent',
			message: 'The chosen operation does not exist',
			hint: 'Choose a resource and an operation of the list.',
		});
		throw createNodeError(context.getNode(), failure, { itemIndex: 0 });
	}
	return chosen;
}

/** Runs with the same address and key share what the service allows. */
const serviceOf = ({ baseUrl, apiKey }: ICredentialDataDecryptedObject): string =>
	digest(`${normalizeBaseUrl(toPlainText(baseUrl))} ${toPlainText(apiKey)}`);
