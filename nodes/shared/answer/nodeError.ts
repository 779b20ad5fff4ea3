import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { failureDetails, quoteService, type Failure } from './failure';

/** Everything in a failure but its message: the service's own text, then what to do about it. */
const describeFailure = ({ serviceMessage, hint }: Failure, ...more: string[]): string =>
	[quoteService(serviceMessage), hint, ...more].filter((part) => part !== '').join(' ');

/**
 * The error that stops the node: a `NodeOperationError` for what was refused before sending, a
 * `NodeApiError` for what the service or the network said.
 *
 * @param summary what became of the other items, in one sentence, or nothing
 */
export function createNodeError(
	node: INode,
	failure: Failure,
	itemIndex: number,
	summary = '',
): NodeApiError | NodeOperationError {
	const { message, kind, outcome, httpStatus } = failure;
	const description = describeFailure(failure, summary);
	const isOwnRefusal = outcome === 'notSent' && (kind === 'invalidInput' || kind === 'stopped');
	const error = isOwnRefusal
		? new NodeOperationError(node, message, { description, itemIndex })
		: new NodeApiError(
				node,
				{ kind, outcome },
				{
					message,
					description,
					itemIndex,
					...(httpStatus !== null && { httpCode: String(httpStatus) }),
				},
			);
	error.context.details = failureDetails(failure);
	return error;
}

/** The item that failed, for *On Error: Continue*. n8n sends it to the error output by its shape. */
export const createErrorItem = (failure: Failure, itemIndex: number): INodeExecutionData => ({
	json: { error: failure.message, details: failureDetails(failure) },
	pairedItem: { item: itemIndex },
});

/** The same for the error output of an n8n that takes no details: they are told in one text. */
export const createPlainErrorItem = (failure: Failure, itemIndex: number): INodeExecutionData => ({
	json: { error: failure.message, message: describeFailure(failure) },
	pairedItem: { item: itemIndex },
});
