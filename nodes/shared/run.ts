import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { deliver, type Planned } from './delivery/deliver';
import { createIdentity } from './delivery/identity';
import { Journal } from './delivery/journal';
import { Ledger, TOOL_RUN, type ItemResult } from './delivery/ledger';
import { summarize } from './delivery/summary';
import { createBreather } from './delivery/wait';
import { createFailure } from './failure';
import { createErrorItem, createNodeError } from './nodeError';
import { createNoteStore } from './notes';
import type { Field, Operation, Resource } from './operation';
import { planItem, type ItemPlan } from './request';
import { createTransport, CREDENTIAL } from './transport';
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
	const operation = chosenOperation(context, resources);
	const credential = await context.getCredentials(CREDENTIAL);
	const planned = await planItems(context, operation, credential);
	const stopOnFailure = !context.continueOnFail();
	// Each try of a tool has a run index of its own.
	const runKey = context.isToolExecution()
		? TOOL_RUN
		: toPlainText(context.evaluateExpression('{{ $runIndex }}', 0));
	const ledger = new Ledger(context.getContext('node'), {
		executionId: toPlainText(context.getExecutionId()),
		nodeId: context.getNode().id,
		runKey,
	});
	const first = planned.find(isPlan)?.options;

	const results = await deliver(planned, {
		transport: createTransport(context, credential),
		ledger,
		journal: openJournal(context, operation, runKey, planned),
		stopOnFailure,
		maxConcurrentRequests: first?.maxConcurrentRequests ?? 1,
		requestsPerSecond: first?.requestsPerSecond ?? 0,
		signal: context.getExecutionCancelSignal(),
	});

	if (stopOnFailure) throwFirstFailure(context, results);
	if (!willRunAgain(context, ledger, results)) ledger.clear();
	return [results.flatMap((result, index) => toItems(operation, planned[index], result, index))];
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

/** A tool has none: what an agent asks for again after a crash is up to the agent. */
function openJournal(
	context: IExecuteFunctions,
	operation: Operation,
	runKey: string,
	planned: readonly Planned[],
): Journal | undefined {
	const origin = originOf(context);
	if (operation.repeatable || runKey === TOOL_RUN || origin === '') return undefined;
	const plans = planned.map((one) => (isPlan(one) ? one : undefined));
	return new Journal(createNoteStore(context, plans.length), `${origin} ${runKey}`, plans);
}

/**
 * What an execution has in common with its retries alone: the token with which it can be resumed. Empty
 * where n8n makes none.
 */
function originOf(context: IExecuteFunctions): string {
	const resumeUrl = toPlainText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	return resumeUrl.split('?')[1] ?? '';
}

async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	credential: ICredentialDataDecryptedObject,
): Promise<Planned[]> {
	const breathe = createBreather();
	const identify = createIdentity(operation, context.getNode().parameters);
	const planned: Planned[] = [];
	for (const [index, { json }] of context.getInputData().entries()) {
		const readParameter = ({ property }: Field): unknown =>
			context.getNodeParameter(property.name, index, property.default, {
				extractValue: property.type === 'resourceLocator',
			});
		const plan = planItem(operation, readParameter, credential, identify(json));
		planned.push('problems' in plan ? refuse(plan.problems) : plan);
		await breathe();
	}
	return planned;
}

const refuse = (problems: string[]) =>
	createFailure({
		kind: 'invalidInput',
		outcome: 'notSent',
		message: problems.join('; '),
		hint: 'Nothing was sent for this item. Correct the value and run the node again.',
	});

const isPlan = (planned: Planned): planned is ItemPlan => 'main' in planned;

function throwFirstFailure(context: IExecuteFunctions, results: readonly ItemResult[]): void {
	const failures = results.flatMap((result, index) =>
		result.accepted ? [] : [{ index, failure: result.failure }],
	);
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	const first =
		failures.find(({ failure }) => (failure.kind === 'stopped') === isCancelled) ?? failures[0];
	if (first === undefined) return;
	throw createNodeError(context.getNode(), first.failure, first.index, summarize(results));
}

/** n8n runs a node again that continues on errors if Retry On Fail is set and its first item failed. */
function willRunAgain(
	context: IExecuteFunctions,
	ledger: Ledger,
	results: readonly ItemResult[],
): boolean {
	const { retryOnFail, maxTries } = context.getNode();
	const tries = Math.min(5, Math.max(2, maxTries ?? 3));
	return retryOnFail === true && results[0]?.accepted === false && ledger.tries < tries;
}

function toItems(
	{ simplify }: Operation,
	planned: Planned | undefined,
	result: ItemResult,
	index: number,
): INodeExecutionData[] {
	if (!result.accepted) return [createErrorItem(result.failure, index)];
	if (planned === undefined || !isPlan(planned)) return [];
	const { body, via, added } = result;
	const { properties } = planned.main;
	const output = planned.options.simplify ? simplify(body, { properties, via }) : body;
	return (Array.isArray(output) ? output : [output]).map((json) => ({
		json: { ...json, ...added },
		pairedItem: { item: index },
	}));
}
