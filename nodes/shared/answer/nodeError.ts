import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { failureDetails, quoteService, type Failure } from './failure';
import { joinTexts } from '../values';

/**
 * Tells everything in a failure but its message, and more lines. Those come before what to do about
 * it if the outcome is unknown: they say not to execute the workflow again.
 */
export function describeFailure(failure: Failure, more: readonly string[] = []): string[] {
	const { serviceMessage, hint, outcome } = failure;
	const quote = quoteService(serviceMessage);
	return outcome === 'unknown' ? [quote, ...more, hint] : [joinTexts([quote, hint]), ...more];
}

/**
 * Makes the error that stops the node: a `NodeOperationError` for what the node itself did not
 * send, a `NodeApiError` for what the service or the network said. Its `details` begin with the
 * person it is about.
 */
export function createNodeError(
	node: INode,
	failure: Failure,
	{
		itemIndex,
		person = {},
		description = joinTexts(describeFailure(failure)),
	}: { itemIndex: number; person?: IDataObject; description?: string },
): NodeApiError | NodeOperationError {
	const { message, kind, outcome, httpStatus } = failure;
	const isByNode = outcome === 'notSent' && (kind === 'invalidInput' || kind === 'stopped');
	const httpCode = httpStatus === null ? undefined : String(httpStatus);
	const error = isByNode
		? new NodeOperationError(node, message, { description, itemIndex })
		: new NodeApiError(node, { kind, outcome }, { message, description, itemIndex, httpCode });
	// n8n replaces a text with the name of a system error, even within a word like "officeAccess".
	error.message = message;
	error.context.details = { ...person, ...failureDetails(failure) };
	return error;
}

/** Gives the failed item; n8n sends it to the error output by its shape. */
export const createErrorItem = (failure: Failure, person: IDataObject = {}): IDataObject => ({
	error: failure.message,
	details: { ...person, ...failureDetails(failure) },
});

/** Gives it to an n8n whose error output takes no details: a text tells them, and the person. */
export const createPlainErrorItem = (failure: Failure, name = ''): IDataObject => ({
	error: failure.message,
	message: joinTexts(describeFailure(failure, name === '' ? [] : [`To: ${name}.`])),
});
