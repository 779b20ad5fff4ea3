import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { forAgent } from '../answer/agentAdvice';
import { holdsSystemError, type Failure, type FailureKind } from '../answer/failure';
import { createErrorItem, createNodeError, createPlainErrorItem } from '../answer/nodeError';
import type { Operation, Sent } from '../declaration/operation';
import { failureOf, type Accepted, type RunResult } from '../delivery/result';
import { asSent, type Planned } from '../request/planned';
import { doneWord } from './summary';
import { createYielder } from '../time/wait';
import { ERROR_OUTPUT_TAKES_DETAILS } from '../host';
import type { EndedRun } from './endedRun';
import { heldBackForAgent, heldBackOutput, type HeldBack } from '../outreach/heldBack';
import { zonesOfContact } from '../outreach/numberZones';
import { columnsOf, nameOf, personDetails, type Person } from '../outreach/person';
import { addHints, describeStop, logCancelled } from './report';
import type { ServiceRequest } from '../request/serviceRequest';
import { shortenForAgent } from './toolResult';
import { headlineUnknown, unknownHint } from './unknownItems';

/**
 * The output of a run: for each item what was accepted, why it was held back, or how it failed.
 *
 * @throws NodeApiError | NodeOperationError of the first item that failed, if the run is to stop on failures
 */
export async function outputItems(
	run: EndedRun,
	stopOnFailure: boolean,
): Promise<INodeExecutionData[]> {
	const yieldIfDue = createYielder();
	if (isCancelled(run)) logCancelled(run);
	if (stopOnFailure) throwFirstFailure(run);
	addHints(run);
	const items: INodeExecutionData[] = [];
	for (const [index, result] of run.results.entries()) {
		await yieldIfDue();
		for (const item of toItems(run, result, index)) items.push(item);
	}
	return items;
}

function toItems(run: EndedRun, result: RunResult, index: number): INodeExecutionData[] {
	const item = run.planned[index];
	if (item === undefined) return [];
	if ('accepted' in result && !result.accepted)
		return [toErrorItem(run, item, result.failure, index)];
	const pairedItem = { item: index };
	if ('checked' in result) return [{ json: toChecked(run, item, result.checked), pairedItem }];
	if ('heldBack' in result) return toHeldBackItems(run, item, result.heldBack, index);
	return toAcceptedItems(run, item, result, index);
}

const CHECKED_FOR_AGENT =
	'Nothing was sent: the credential only checks. Do not repeat this tool call, and do not say that it was done.';

function toChecked(
	{ host }: EndedRun,
	{ contact }: Planned,
	{ method, url, body }: ServiceRequest,
): IDataObject {
	const columns = contact ? columnsOf(contact, 'checked') : { result: 'checked' };
	const request = { method, path: url, body: body ? { ...body } : null };
	const told = host.tool === undefined ? {} : { message: CHECKED_FOR_AGENT };
	const timezones = contact && zonesOfContact(contact);
	return { ...columns, request, ...(timezones && { timezones: [...timezones] }), ...told };
}

function toErrorItem(run: EndedRun, item: Planned, failure: Failure, index: number) {
	const { contact } = item;
	const told = toldOf(run, failure, true);
	const hasErrorOutput = run.context.getNode().onError === 'continueErrorOutput';
	return hasErrorOutput && !ERROR_OUTPUT_TAKES_DETAILS
		? createPlainErrorItem(told, index, contact && nameOf(contact))
		: createErrorItem(told, index, contact && personDetails(contact));
}

/** A failure in the words for whoever runs the node: a person, or an AI agent. */
function toldOf(
	{ host, operation, usesBook, findsRows }: EndedRun,
	failure: Failure,
	wentOn: boolean,
): Failure {
	if (host.tool !== undefined) return forAgent(failure, operation);
	if (failure.outcome !== 'unknown') return failure;
	const { isSettled } = failure;
	const hint = unknownHint(operation, { usesBook, findsRows, wentOn, isSettled });
	return { ...failure, hint: failure.hint === '' ? hint : `${failure.hint} ${hint}` };
}

/** An agent always gets to know that nothing was sent. */
function toHeldBackItems(
	{ host }: EndedRun,
	{ contact }: Planned,
	heldBack: HeldBack,
	index: number,
): INodeExecutionData[] {
	const isLeftOut = contact?.rules.heldBackItems === 'leaveOut' && host.tool === undefined;
	if (contact === undefined || isLeftOut) return [];
	const output = host.tool === undefined ? heldBackOutput : heldBackForAgent;
	return [{ json: output(heldBack, contact), pairedItem: { item: index } }];
}

function toAcceptedItems(
	{ host, operation }: EndedRun,
	item: Planned,
	{ body, via, recalled }: Accepted,
	index: number,
): INodeExecutionData[] {
	const { properties, simplify, contact, redirectedTo } = asSent(item);
	const output = simplify
		? simplifiedOutput(operation, body, { properties, via }, contact)
		: [body];
	const redirection = redirectedTo === undefined ? {} : { redirectedTo };
	const isWhole = host.tool === undefined || !simplify;
	return (isWhole ? output : shortenForAgent(output)).map((json) => ({
		json: { ...json, ...recalled, ...redirection },
		pairedItem: { item: index },
	}));
}

/** The output of an accepted item with *Simplify*: the columns of its person, then those of the operation. */
export function simplifiedOutput(
	operation: Pick<Operation, 'simplify' | 'done'>,
	body: IDataObject,
	sent: Sent,
	person: Person | undefined,
): IDataObject[] {
	const items = [operation.simplify(body, sent)].flat();
	if (person === undefined) return items;
	const columns = columnsOf(person, doneWord(operation, body));
	return items.map((json) => ({ ...columns, ...json }));
}

const isCancelled = ({ context }: EndedRun): boolean =>
	context.getExecutionCancelSignal()?.aborted === true;

const CANCELED = 'Not everything was sent, because the execution was canceled';

function throwFirstFailure(run: EndedRun): void {
	const { context, planned, results } = run;
	const failures = results.flatMap((result, index) => {
		const failure = failureOf(result);
		return failure === undefined ? [] : [{ index, failure }];
	});
	const wantsStopped = isCancelled(run);
	const wanted = failures.filter(({ failure }) => (failure.kind === 'stopped') === wantsStopped);
	// It is about what went wrong in this try, if anything did: what is unknown of an earlier one has stopped nothing.
	const first =
		wanted.find(({ failure }) => failure.ofEarlierTry !== 'failure') ?? wanted[0] ?? failures[0];
	if (first === undefined) return;
	const told = toldOf(run, first.failure, false);
	const contact = planned[first.index]?.contact;
	const whom = wantsStopped ? '' : headlineName(run, first.failure, contact);
	const failure = wantsStopped ? asCancelled(told) : { ...told, message: told.message + whom };
	throw createNodeError(context.getNode(), failure, {
		itemIndex: first.index,
		...(contact && { person: personDetails(contact) }),
		description: describeStop(run, first.failure),
	});
}

/** Kinds of failures that are of the item, and not of the credential, the account or the service. */
const OF_ITEM: ReadonlySet<FailureKind> = new Set([
	'invalidInput',
	'notFound',
	'windowClosed',
	'windowNotOpen',
]);

/** Whom the headline of an error names: who may have been reached, or who was refused; nothing where n8n would replace it. */
function headlineName(
	run: EndedRun,
	{ kind, outcome, isSettled }: Failure,
	contact: Person | undefined,
): string {
	if (run.host.tool !== undefined) return '';
	const isOfItem = outcome !== 'notSent' && OF_ITEM.has(kind) && contact !== undefined;
	const own = isOfItem ? nameOf(contact) : '';
	const unknown = outcome === 'unknown' ? headlineUnknown(run) : '';
	const name = isSettled === true ? own || unknown : unknown || own;
	return name === '' || holdsSystemError(name) ? '' : `: ${name}`;
}

/** n8n takes an error whose message says "canceled" for the end of a cancelled execution. */
const asCancelled = (failure: Failure): Failure => ({
	...failure,
	message: failure.kind === 'stopped' ? CANCELED : `${CANCELED}. ${failure.message}`,
});
