import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { forAgent } from '../answer/agentAdvice';
import { messageOf, type Failure, type FailureKind } from '../answer/failure';
import { createErrorItem, createNodeError, createPlainErrorItem } from '../answer/nodeError';
import type { Operation, Sent } from '../declaration/operation';
import { failureOf, type Accepted, type Outcome } from '../delivery/outcome';
import { isSendable, type Item, type Sendable } from '../items/item';
import { doneWord, summarize } from './summary';
import { createYielder } from '../time/wait';
import { ERROR_OUTPUT_TAKES_DETAILS } from '../host';
import type { EndedRun } from './endedRun';
import { heldBackForAgent, heldBackOutput } from './heldBackItem';
import type { HeldBack } from '../rules/heldBack';
import { zonesOfContact } from '../rules/numberZones';
import { columnsOf, nameOf, personDetails, type Person } from '../rules/person';
import { addHints, CHECKED_BY, describeStop } from './report';
import { joinTexts } from '../values';

/**
 * Makes the output of a run: of each item what was accepted, what held it back, or how it failed.
 *
 * @throws NodeApiError | NodeOperationError of the first failed item, if failures stop the run
 */
export async function outputItems(run: EndedRun) {
	const yieldIfDue = createYielder();
	const { host, operation, outcomes } = run;
	// n8n saves nothing of a cancelled run but its log.
	if (isCancelled(run))
		host.logger.info(`${host.node.name}: canceled. ${summarize(operation, outcomes)}`);
	if (run.stopOnFailure) throwFirstFailure(run);
	addHints(run);
	const items: INodeExecutionData[] = [];
	for (const item of run.items) {
		await yieldIfDue();
		const outcome = outcomes[item.index];
		for (const json of outcome ? toOutput(run, outcome, item) : [])
			items.push({ json, pairedItem: { item: item.index } });
	}
	return items;
}

function toOutput(run: EndedRun, outcome: Outcome, item: Item): IDataObject[] {
	switch (outcome.kind) {
		case 'failed':
			return [toErrorItem(run, item, outcome.failure)];
		case 'checked':
			return isSendable(item) ? [toChecked(run, item)] : [];
		case 'heldBack':
			return toHeldBack(run, item, outcome);
		case 'accepted':
			return toAccepted(item, outcome);
	}
}

function toChecked(
	{ host, checkedBy }: EndedRun,
	{ person, request: { method, url, body } }: Sendable,
) {
	const columns = person ? columnsOf(person, 'checked') : { result: 'checked' };
	const request = { method, path: url, body: body ? { ...body } : null };
	const isForAgent = host.toolHost !== undefined && checkedBy !== undefined;
	const advice = isForAgent && {
		message: `Nothing was sent: ${CHECKED_BY[checkedBy]}. Do not repeat this tool call, and do not say that it was done.`,
	};
	const timezones = person && zonesOfContact(person);
	return { ...columns, request, ...(timezones && { timezones: [...timezones] }), ...advice };
}

function toErrorItem(run: EndedRun, { person }: Item, failure: Failure): IDataObject {
	const worded = toldOf(run, failure);
	const hasErrorOutput = run.host.node.onError === 'continueErrorOutput';
	return hasErrorOutput && !ERROR_OUTPUT_TAKES_DETAILS
		? createPlainErrorItem(worded, person && nameOf(person))
		: createErrorItem(worded, person && personDetails(person));
}

/** Puts a failure into the words for a person, or for an AI agent. */
function toldOf({ host, operation }: EndedRun, failure: Failure): Failure {
	if (host.toolHost !== undefined) return forAgent(failure, operation);
	const worded = { ...failure, message: messageOf(failure) };
	if (failure.outcome !== 'unknown') return worded;
	return { ...worded, hint: joinTexts([failure.hint, operation.repeatable ? HARMLESS : LOOK_UP]) };
}

const LOOK_UP = 'It may have been sent all the same: look it up at the service first.';
const HARMLESS = 'It may have been sent all the same. Sending it once more does no harm.';

/** Makes the output of what is held back; an agent always learns that nothing was sent. */
function toHeldBack({ host }: EndedRun, { operation, person }: Item, heldBack: HeldBack) {
	const isForAgent = host.toolHost !== undefined;
	if (person === undefined) return [];
	if (person.rules.heldBackItems === 'leaveOut' && !isForAgent) return [];
	const output = (isForAgent ? heldBackForAgent : heldBackOutput)(heldBack, person);
	return [operation.waits ? { ...output, ended: false, reached: null } : output];
}

function toAccepted(item: Item, { body, via, recalled }: Accepted): IDataObject[] {
	const { operation, simplify, person, redirectedTo } = item;
	const properties = isSendable(item) ? item.properties : {};
	const output = simplify ? simplifiedOutput(operation, body, { properties, via }, person) : [body];
	const more = { ...recalled, ...(redirectedTo !== undefined && { redirectedTo }) };
	return output.map((json) => ({ ...json, ...more }));
}

/** Makes the *Simplify* output of an accepted item: its person's columns, then the operation's. */
export function simplifiedOutput(
	operation: Pick<Operation, 'simplify' | 'done'>,
	body: IDataObject,
	sent: Sent,
	person: Person | undefined,
): IDataObject[] {
	const columns = person && columnsOf(person, doneWord(operation, body));
	return [operation.simplify(body, sent)].flat().map((json) => ({ ...columns, ...json }));
}

const isCancelled = ({ cancelSignal }: EndedRun): boolean => cancelSignal?.aborted === true;

function throwFirstFailure(run: EndedRun): void {
	const { host, items, outcomes } = run;
	const failures = items.flatMap((item) => {
		const failure = failureOf(outcomes[item.index]);
		return failure === undefined ? [] : [{ item, failure }];
	});
	const wantsStopped = isCancelled(run);
	const wanted = failures.filter(({ failure }) => (failure.hadNoTurn === true) === wantsStopped);
	// It tells what failed in this try, if any: what is unknown of an earlier one stopped nothing.
	const first =
		wanted.find(({ failure }) => failure.ofEarlierTry !== 'failure') ?? wanted[0] ?? failures[0];
	if (first === undefined) return;
	const { index, person } = first.item;
	const failure = toldOf(run, first.failure);
	const headed = { ...failure, message: headlineOf(run, failure, person) };
	throw createNodeError(host.node, headed, {
		itemIndex: index,
		person: person && personDetails(person),
		description: describeStop(run, { row: index + 1, failure: first.failure }),
	});
}

export const CANCELED = 'Not everything was sent, because the execution was canceled';

/** Kinds of failures of the item, and not of the credential, the account or the service. */
const OF_ITEM: readonly FailureKind[] = [
	'invalidInput',
	'notFound',
	'windowClosed',
	'windowNotOpen',
];

/** Writes the message of the error of a run, with who it is about, if it is about a person. */
function headlineOf(run: EndedRun, failure: Failure, person: Person | undefined): string {
	const { kind, message, outcome } = failure;
	if (isCancelled(run)) return joinTexts([CANCELED, kind === 'stopped' ? '' : message], '. ');
	const isOfItem = outcome === 'unknown' || (outcome === 'refused' && OF_ITEM.includes(kind));
	const name = run.host.toolHost === undefined && isOfItem && person ? nameOf(person) : '';
	// n8n takes an error that says "canceled" for a cancelled execution, which it does not retry.
	return joinTexts([message, name], ': ').replaceAll('canceled', 'cancelled');
}
