import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { normalizeBaseUrl } from './request/baseUrl';
import { deliver, type Planned } from './delivery/deliver';
import type { Accepted, ItemResult } from './delivery/memory/entry';
import { gateOf } from './delivery/gates';
import { createInputHash, digest } from './request/itemKeys';
import { CrashMemory } from './delivery/memory/crashMemory';
import { ExecutionMemory } from './delivery/memory/executionMemory';
import { summarize } from './delivery/summary';
import { createBreather } from './delivery/wait';
import { createFailure, type Failure } from './answer/failure';
import { countsAsFailed, ERROR_OUTPUT_TAKES_DETAILS, readHost, type Host } from './host';
import {
	createErrorItem,
	createNodeError,
	createPlainErrorItem,
	forAgent,
} from './answer/nodeError';
import { createMarkStore } from './delivery/memory/markStore';
import type { Field } from './declaration/field';
import type { Operation, Resource } from './declaration/operation';
import { MAX_WAIT } from './declaration/options';
import { checkCredential } from './request/credential';
import { planItem, type ItemPlan } from './request/request';
import { createTransport, CREDENTIAL } from './request/transport';
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
	const credential = await context.getCredentials(CREDENTIAL);
	const planned = await planItems(context, operation, credential, host);
	const plans = planned.map((one) => (isPlan(one) ? one : undefined));
	const stopOnFailure = !context.continueOnFail() && host.tool !== 'agent';
	const { executionId, runIndex, retryToken } = host;
	const executionMemory = new ExecutionMemory(
		context.getContext('node'),
		{
			executionId,
			runIndex,
			nodeId: context.getNode().id,
			isTool: host.tool !== undefined,
			origin: retryToken === '' ? executionId : retryToken,
		},
		plans,
	);
	const first = plans.find((plan) => plan !== undefined)?.options;

	const results = await deliver(planned, {
		transport: createTransport(context, credential),
		gate: gateOf(serviceOf(credential)),
		executionMemory,
		crashMemory: openCrashMemory(context, operation, host, executionMemory, plans),
		stopOnFailure,
		maxConcurrentRequests: first?.maxConcurrentRequests ?? 1,
		requestsPerSecond: first?.requestsPerSecond ?? 0,
		signal: context.getExecutionCancelSignal(),
	});

	const told = host.tool === undefined ? results : results.map(tellAgent);
	if (stopOnFailure) throwFirstFailure(context, told);
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const toErrorItem =
		hasErrorOutput && !ERROR_OUTPUT_TAKES_DETAILS ? createPlainErrorItem : createErrorItem;
	const items = told.flatMap((result, index) =>
		result.accepted
			? toItems(operation, planned[index], result, index)
			: toErrorItem(result.failure, index),
	);
	const runsAgain = countsAsFailed(items[0]?.json) && executionMemory.tries < host.maxTries;
	if (!runsAgain) executionMemory.clear();
	return [items];
}

/** n8n passes on nothing of a tool with an error output to the agent, not even that a call was placed. */
function checkErrorOutput(context: IExecuteFunctions, { tool }: Host): void {
	const node = context.getNode();
	if (tool === undefined || node.onError !== 'continueErrorOutput') return;
	const failure = createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message:
			'Nothing was sent: with On Error set to Continue (Using Error Output), n8n hides the result of this tool from the agent',
		hint: 'Choose another On Error in the settings of the tool.',
	});
	throw createNodeError(node, forAgent(failure), 0);
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
		throw createNodeError(context.getNode(), failure, 0);
	}
	return chosen;
}

/** Runs with the same address and key share what the service allows. */
const serviceOf = ({ baseUrl, apiKey }: ICredentialDataDecryptedObject): string =>
	digest(`${normalizeBaseUrl(toPlainText(baseUrl))} ${toPlainText(apiKey)}`);

const CANCELED = 'Not everything was sent, because the execution was canceled';

/** The name for marks in an n8n without retry tokens: all executions of a node share it. */
const ANY_EXECUTION = 'any';

/**
 * A tool has none: after a crash, an agent begins a new conversation.
 *
 * Without a retry token, the execution that a retry continues is not known. If nothing was saved of it (n8n died, or an
 * earlier node failed), an item that any execution has sent before counts as sent.
 */
function openCrashMemory(
	context: IExecuteFunctions,
	operation: Operation,
	{ tool, runIndex, retryToken, isRetry }: Host,
	{ origin, isNew }: ExecutionMemory,
	plans: readonly (ItemPlan | undefined)[],
): CrashMemory | undefined {
	if (operation.repeatable || tool !== undefined) return undefined;
	const own = `${origin} ${runIndex}`;
	const names =
		retryToken !== ''
			? { own: [own], earlier: own }
			: { own: [own, ANY_EXECUTION], earlier: isRetry && isNew ? ANY_EXECUTION : own };
	return new CrashMemory(createMarkStore(context, plans.length), names, plans);
}

async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	credential: ICredentialDataDecryptedObject,
	{ tool }: Host,
): Promise<Planned[]> {
	const breathe = createBreather();
	const checked = checkCredential(credential);
	const identify = createInputHash(operation, context.getNode().parameters);
	const maxWait = tool === undefined ? MAX_WAIT.workflow : MAX_WAIT.tool;
	const planned: Planned[] = [];
	for (const [index, { json }] of context.getInputData().entries()) {
		const readParameter = ({ property }: Field): unknown =>
			context.getNodeParameter(property.name, index, property.default, {
				extractValue: property.type === 'resourceLocator',
			});
		try {
			const plan = planItem(operation, readParameter, checked, identify(json), maxWait);
			planned.push('problems' in plan ? refuse(plan.problems) : plan);
		} catch (error) {
			planned.push(refuse([problemOf(error)]));
		}
		await breathe();
	}
	return planned;
}

/** An expression that fails, or a value that is nested too deep for JavaScript. */
function problemOf(error: unknown): string {
	if (error instanceof RangeError) return 'A value of the item is nested too deep';
	return error instanceof Error ? error.message : 'The values of the item cannot be read';
}

const refuse = (problems: string[]) =>
	createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: problems.join('; '),
		hint: 'Nothing was sent for this item. Correct the value and try again.',
	});

const isPlan = (planned: Planned): planned is ItemPlan => 'main' in planned;

const tellAgent = (result: ItemResult): ItemResult =>
	result.accepted ? result : { accepted: false, failure: forAgent(result.failure) };

function throwFirstFailure(context: IExecuteFunctions, results: readonly ItemResult[]): void {
	const failures = results.flatMap((result, index) =>
		result.accepted ? [] : [{ index, failure: result.failure }],
	);
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	const first =
		failures.find(({ failure }) => (failure.kind === 'stopped') === isCancelled) ?? failures[0];
	if (first === undefined) return;
	const failure = isCancelled ? asCancelled(first.failure) : first.failure;
	throw createNodeError(context.getNode(), failure, first.index, summarize(results));
}

/** n8n takes an error whose message says "canceled" for the end of a cancelled execution. */
const asCancelled = (failure: Failure): Failure => ({
	...failure,
	message: failure.kind === 'stopped' ? CANCELED : `${CANCELED}. ${failure.message}`,
});

function toItems(
	{ simplify }: Operation,
	planned: Planned | undefined,
	{ body, via, added }: Accepted,
	index: number,
): INodeExecutionData[] {
	if (planned === undefined || !isPlan(planned)) return [];
	const { properties } = planned.main;
	const output = planned.options.simplify ? simplify(body, { properties, via }) : body;
	return (Array.isArray(output) ? output : [output]).map((json) => ({
		json: { ...json, ...added },
		pairedItem: { item: index },
	}));
}
