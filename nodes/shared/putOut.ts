import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { forAgent } from './answer/agentAdvice';
import type { Failure } from './answer/failure';
import { createErrorItem, createNodeError, createPlainErrorItem } from './answer/nodeError';
import type { Operation } from './declaration/operation';
import { failureOf, type Accepted, type RunResult } from './delivery/memory/entry';
import { isFailure, type Planned } from './delivery/planned';
import { createBreather } from './delivery/wait';
import { ERROR_OUTPUT_TAKES_DETAILS, type Host } from './host';
import { heldBackForAgent, heldBackOutput, type HeldBack } from './outreach/heldBack';
import { addHints, logCancelled, summarizeRun } from './report';
import type { Mode } from './request/credential';
import type { ItemPlan } from './request/request';
import { shortenForAgent } from './toolResult';

/** A run that has ended. */
export interface EndedRun {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	readonly host: Host;
	readonly mode: Mode;
	readonly planned: readonly Planned[];
	/** What became of the items, in their order. */
	readonly results: readonly RunResult[];
	/** What else there is to say of the run, or nothing. */
	readonly notice: string;
}

/**
 * What a run puts out: for each item what was accepted, why it was held back, or how it failed.
 *
 * @throws NodeApiError | NodeOperationError of the first item that failed, if the run is to stop on failures
 */
export async function putOut(run: EndedRun, stopOnFailure: boolean): Promise<INodeExecutionData[]> {
	const breathe = createBreather();
	if (isCancelled(run)) logCancelled(run);
	if (stopOnFailure) throwFirstFailure(run);
	addHints(run);
	const items: INodeExecutionData[] = [];
	for (const [index, result] of run.results.entries()) {
		await breathe();
		for (const item of toItems(run, result, index)) items.push(item);
	}
	return items;
}

function toItems(run: EndedRun, result: RunResult, index: number): INodeExecutionData[] {
	const plan = run.planned[index];
	if ('accepted' in result && !result.accepted) return [toErrorItem(run, result.failure, index)];
	if (plan === undefined || isFailure(plan)) return [];
	const pairedItem = { item: index };
	if ('checked' in result) {
		const { method, url, body = null } = result.checked;
		const request = { method, path: url, body: body && { ...body } };
		const json = { sent: false, checked: true, request };
		const told = run.host.tool === undefined ? {} : { message: CHECKED_FOR_AGENT };
		return [{ json: { ...json, ...told }, pairedItem }];
	}
	if ('heldBack' in result) return toHeldBackItems(run, plan, result.heldBack, index);
	return toAcceptedItems(run, plan, result, index);
}

const CHECKED_FOR_AGENT =
	'Nothing was sent: the credential only checks. Do not repeat this tool call, and do not say that it was done.';

function toErrorItem(run: EndedRun, failure: Failure, index: number) {
	const told = toldOf(run, failure);
	const hasErrorOutput = run.context.getNode().onError === 'continueErrorOutput';
	return hasErrorOutput && !ERROR_OUTPUT_TAKES_DETAILS
		? createPlainErrorItem(told, index)
		: createErrorItem(told, index);
}

/** A failure in the words for whoever runs the node: a person, or an AI agent. */
const toldOf = ({ host, operation }: EndedRun, failure: Failure): Failure =>
	host.tool === undefined ? failure : forAgent(failure, operation);

/** An agent always gets to know that nothing was sent. */
function toHeldBackItems(
	{ host }: EndedRun,
	{ contact }: ItemPlan,
	heldBack: HeldBack,
	index: number,
): INodeExecutionData[] {
	const isLeftOut = contact?.rules.heldBackItems === 'leaveOut' && host.tool === undefined;
	if (contact === undefined || isLeftOut) return [];
	const output = host.tool === undefined ? heldBackOutput : heldBackForAgent;
	return [{ json: output(heldBack, contact.toNumber), pairedItem: { item: index } }];
}

function toAcceptedItems(
	{ host, operation: { simplify } }: EndedRun,
	{ main: { properties }, options, redirectedFrom }: ItemPlan,
	{ body, via, added }: Accepted,
	index: number,
): INodeExecutionData[] {
	const output = options.simplify ? simplify(body, { properties, via }) : body;
	const redirection = redirectedFrom === undefined ? {} : { redirectedFrom };
	const items = Array.isArray(output) ? output : [output];
	const isShort = host.tool === undefined || !options.simplify;
	return (isShort ? items : shortenForAgent(items)).map((json) => ({
		json: { ...json, ...added, ...redirection },
		pairedItem: { item: index },
	}));
}

const isCancelled = ({ context }: EndedRun): boolean =>
	context.getExecutionCancelSignal()?.aborted === true;

const CANCELED = 'Not everything was sent, because the execution was canceled';

function throwFirstFailure(run: EndedRun): void {
	const { context, results } = run;
	const failures = results.flatMap((result, index) => {
		const failure = failureOf(result);
		return failure === undefined ? [] : [{ index, failure }];
	});
	const wantsStopped = isCancelled(run);
	const first =
		failures.find(({ failure }) => (failure.kind === 'stopped') === wantsStopped) ?? failures[0];
	if (first === undefined) return;
	const told = toldOf(run, first.failure);
	const failure = wantsStopped ? asCancelled(told) : told;
	throw createNodeError(context.getNode(), failure, first.index, summarizeRun(run));
}

/** n8n takes an error whose message says "canceled" for the end of a cancelled execution. */
const asCancelled = (failure: Failure): Failure => ({
	...failure,
	message: failure.kind === 'stopped' ? CANCELED : `${CANCELED}. ${failure.message}`,
});
