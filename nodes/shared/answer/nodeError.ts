import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { failureDetails, quoteService, type Failure } from './failure';
import { joinTexts } from '../values';

/**
 * Tells everything in a failure but its message: the service's own text, what to do about it, and
 * more. Of an unknown outcome the rest comes first: it says not to execute the workflow again.
 *
 * @param more lines that are told, too
 */
export function describeFailure(failure: Failure, more: readonly string[] = []): string[] {
	const { serviceMessage, hint, outcome } = failure;
	const quote = quoteService(serviceMessage);
	return outcome === 'unknown' ? [quote, ...more, hint] : [joinTexts([quote, hint]), ...more];
}

/** What the error of a run says beside the failure that stops it. */
interface Stopped {
	readonly itemIndex: number;
	/** The first of the `details`: who the item was for. */
	readonly person?: IDataObject;
	/** Instead of what {@link describeFailure} says. */
	readonly description?: string;
}

/**
 * Makes the error that stops the node: a `NodeOperationError` for what the node itself did not
 * send, a `NodeApiError` for what the service or the network said.
 */
export function createNodeError(
	node: INode,
	failure: Failure,
	{ itemIndex, person = {}, description = joinTexts(describeFailure(failure)) }: Stopped,
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

/**
 * Gives the failed item, for *On Error: Continue*. n8n sends it to the error output by its shape.
 * Its `details` begin with who it was for.
 */
export const createErrorItem = (failure: Failure, person: IDataObject = {}): IDataObject => ({
	error: failure.message,
	details: { ...person, ...failureDetails(failure) },
});

/**
 * Gives the failed item, for the error output of an n8n that takes no details: a text tells them,
 * and who it was for.
 */
export const createPlainErrorItem = (failure: Failure, name = ''): IDataObject => ({
	error: failure.message,
	message: joinTexts(describeFailure(failure, name === '' ? [] : [`To: ${name}.`])),
});
