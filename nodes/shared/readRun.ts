import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { forAgent, OF_SETTINGS } from './answer/agentAdvice';
import { invalidInput } from './answer/failure';
import { createNodeError } from './answer/nodeError';
import { createBookAccess } from './book/bookTransport';
import type { Operation, Resource } from './declaration/operation';
import type { Run } from './delivery/run';
import { readHost, readSaved, type Host } from './host';
import { isSendable } from './items/item';
import { readItems } from './items/readItems';
import { Rules } from './rules/rules';
import { readCredential, type Mode } from './service/credential';
import { nameWait } from './waiting/waitForCalls';

/** A run, with what sends it and puts it out. */
export interface ReadRun extends Run {
	readonly credential: ICredentialDataDecryptedObject;
	/** True if the first failure stops what has not started. */
	readonly stopOnFailure: boolean;
	/** Aborts `signal`, as n8n does when it cancels the run. */
	readonly halt: AbortController;
	/** What is empty because its expression gave nothing, in sentences; empty if nothing is. */
	readonly blanks: string;
}

/**
 * Reads what the node is to do: operation, credential, and all items, which are checked (rule 1).
 *
 * @throws NodeOperationError if nothing can be read, and nothing is sent
 */
export async function readRun(
	context: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<ReadRun> {
	const host = readHost(context);
	const { operation, operationName } = chosenOperation(context, resources);
	checkHost(host, operation);
	const { credential, settings } = await readCredential(context);
	const checkedBy = readCheck(context, operation, settings.mode);
	const { items, blanks } = await readItems(context, operation, settings, {
		isTool: host.toolHost !== undefined,
		isCheckOnly: checkedBy !== undefined,
	});
	const stopOnFailure = !context.continueOnFail() && host.toolHost !== 'agent';
	const halt = new AbortController();
	if (stopOnFailure && !items.every(isSendable)) halt.abort();
	const cancelSignal = context.getExecutionCancelSignal();
	const signal = cancelSignal ? AbortSignal.any([cancelSignal, halt.signal]) : halt.signal;
	const hasBook = operation.rules && settings.book;
	return {
		host,
		operation,
		operationName,
		credential,
		mode: settings.mode,
		checkedBy,
		book: hasBook && createBookAccess(context, credential, hasBook),
		saved: readSaved(context),
		deduplication: context.helpers,
		waiting: operation.waits ? nameWait(context, host) : undefined,
		rules: new Rules(context.getTimezone(), operationName, items),
		items,
		blanks,
		stopOnFailure,
		halt,
		signal,
		cancelSignal,
	};
}

/**
 * Says what makes a run check only: anything but false in the option does. A GET is sent in each
 * mode, since it changes nothing.
 */
function readCheck(
	context: IExecuteFunctions,
	{ request }: Operation,
	{ kind }: Mode,
): Run['checkedBy'] {
	if (request.method === 'GET') return undefined;
	const option: unknown = context.getNodeParameter('options.checkOnly', 0, false);
	if (option !== false) return 'option';
	return kind === 'checkOnly' ? 'mode' : undefined;
}

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
