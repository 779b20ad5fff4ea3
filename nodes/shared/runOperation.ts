import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { forAgent, OF_SETTINGS } from './answer/agentAdvice';
import { invalidInput } from './answer/failure';
import { createNodeError } from './answer/nodeError';
import type { Operation, Resource } from './declaration/operation';
import { check, deliver } from './delivery/deliver';
import { gateOf } from './gate/gate';
import { openMemory } from './delivery/openMemory';
import type { Run } from './delivery/run';
import { createBookAccess } from './book/bookTransport';
import { countsAsFailed, readHost, readSaved, type Host } from './host';
import { outputItems } from './output/outputItems';
import { Rules } from './rules/rules';
import { normalizeBaseUrl } from './service/baseUrl';
import { isSendable } from './items/item';
import { readCredential, type Mode } from './service/credential';
import { readItems } from './items/readItems';
import { createTransport } from './service/transport';
import { digest, toPlainText } from './values';
import { USUAL_WAIT } from './waiting/calls';
import { openRows } from './waiting/rowsOfWait';
import { nameWait, waitForCalls } from './waiting/waitForCalls';

/**
 * Runs the chosen operation for all items of the node: reads and checks all of them, delivers them,
 * and outputs what came back, in the order of the items.
 *
 * @throws NodeApiError | NodeOperationError of the first failed item, unless the node continues
 */
export async function runOperation(context: IExecuteFunctions, resources: readonly Resource[]) {
	const host = readHost(context);
	const { operation, operationName } = chosenOperation(context, resources);
	checkHost(host, operation);
	const { credential, settings } = await readCredential(context);
	const isTool = host.toolHost !== undefined;
	const { mode } = settings;
	// A GET is sent in each mode, since it changes nothing.
	const checkedBy = operation.request.method === 'GET' ? undefined : readCheck(context, mode);
	const isCheckOnly = checkedBy !== undefined;
	const { items, blanks } = await readItems(context, operation, settings, { isTool, isCheckOnly });
	const stopOnFailure = !context.continueOnFail() && host.toolHost !== 'agent';
	// Nothing more starts if the node halts the run or n8n cancels it: `signal` aborts for both.
	const halt = new AbortController();
	if (stopOnFailure && !items.every(isSendable)) halt.abort();
	const cancelSignal = context.getExecutionCancelSignal();
	const signal = cancelSignal ? AbortSignal.any([cancelSignal, halt.signal]) : halt.signal;
	const rules = new Rules(context.getTimezone(), operationName, items);
	const waiting = operation.waits ? nameWait(context, host) : undefined;
	const book =
		operation.rules && settings.book && createBookAccess(context, credential, settings.book);
	const run: Run = {
		...{ host, operation, operationName, mode, checkedBy, items, signal, cancelSignal },
		...{ rules, book, waiting, saved: readSaved(context), deduplication: context.helpers },
	};
	const { memory, notes, missing } = await openMemory(run);
	// Without an item that can be sent there is nothing to check: the run fails as in live mode.
	const isChecked = isCheckOnly && items.some(isSendable);
	const outcomes = isChecked
		? await check(memory)
		: await deliver({
				...{ memory, rules, stopOnFailure, halt, signal, cancelSignal },
				...(items.find(isSendable)?.options ?? NOTHING_TO_SEND),
				transport: createTransport(context, credential),
				gate: gateOf(gateName(credential)),
			});
	// Ends `signal`: until it calls its last listeners, Node keeps them in memory with all they hold.
	halt.abort();
	const endedRun = { ...run, memory, notes, missing, outcomes, blanks };
	const output = await outputItems(endedRun, stopOnFailure);
	// A run that stops on a failure has thrown by now, and keeps its notes.
	const isTriedAgain = countsAsFailed(output[0]?.json) && notes.tries < host.maxTries;
	const isLaterTry = host.isRetry || notes.tries > 1;
	// One that only checks sends nothing, so that what an earlier try has sent must stay known.
	if (!isTriedAgain && (!isChecked || !notes.wasSaved)) notes.clear();
	const isOver = isTriedAgain || memory.isBarred || cancelSignal?.aborted === true;
	if (!waiting || !book || isCheckOnly || isOver) return [output];
	const open = async () => await openRows(book);
	const waitAtMost = items.find(isSendable)?.options.waitAtMost ?? USUAL_WAIT;
	return [await waitForCalls(context, { waiting, open, items: output, isLaterTry, waitAtMost })];
}

/** Says what makes a run check only: anything but false in the option does. */
function readCheck(context: IExecuteFunctions, { kind }: Mode): Run['checkedBy'] {
	const option: unknown = context.getNodeParameter('options.checkOnly', 0, false);
	if (option !== false) return 'option';
	return kind === 'checkOnly' ? 'mode' : undefined;
}

const NOTHING_TO_SEND = { maxConcurrentRequests: 1, requestsPerSecond: 0 };

/** @throws NodeOperationError if n8n is too old, cannot wait, or hides results from an agent */
function checkHost({ node, toolHost, retryToken }: Host, { waits }: Operation): void {
	const isTool = toolHost !== undefined;
	const hidesResult = isTool && node.onError === 'continueErrorOutput';
	const cannotWait = toolHost === 'agent' && waits === true;
	if (!hidesResult && !cannotWait && (isTool || retryToken !== '')) return;
	const ofTool = hidesResult ? HIDES_RESULT : CANNOT_WAIT;
	const failure = isTool ? forAgent(invalidInput(ofTool)) : invalidInput(TOO_OLD);
	throw createNodeError(node, failure, { itemIndex: 0 });
}

/** Without a token, nobody could say after a crash what an execution has sent. */
const TOO_OLD = {
	message: 'Nothing was sent: this node needs n8n 2.15 or later',
	hint: 'Update n8n.',
};

/** n8n tells the agent nothing of a tool with an error output, not even that it placed a call. */
const HIDES_RESULT = {
	message:
		'Nothing was sent: with "Continue (Using Error Output)", n8n hides the result of this tool from the agent',
	hint: 'Choose another "On Error" in the settings of the tool.',
	advice: OF_SETTINGS,
};

/** n8n loses the answer of such a tool when it waits. */
const CANNOT_WAIT = {
	message:
		'Nothing was sent: as a tool, "Place and Wait" needs the node AI Agent from version 3, in n8n 2.35 or later',
	hint: 'Choose the operation "Place".',
	advice: OF_SETTINGS,
};

/** Finds the operation that was chosen in the panel, its resource and value, e.g. `call.place`. */
function chosenOperation(context: IExecuteFunctions, resources: readonly Resource[]) {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	const group = resources.find(({ value }) => value === resource);
	const chosen = group?.operations.find(({ value }) => value === operation);
	if (group === undefined || chosen === undefined) {
		const failure = invalidInput({
			message: 'The chosen operation does not exist',
			hint: 'Choose "Resource" and "Operation" from their lists.',
		});
		throw createNodeError(context.getNode(), failure, { itemIndex: 0 });
	}
	return { operation: chosen, operationName: `${group.value}.${chosen.value}` };
}

/** Names the gate of a run: the service limits runs with one address and API key together. */
const gateName = ({ baseUrl, apiKey }: ICredentialDataDecryptedObject): string =>
	digest(`${normalizeBaseUrl(toPlainText(baseUrl))} ${toPlainText(apiKey)}`);
