import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { failureDetails, type Failure } from './failure';

/** Everything in a failure but its message: the service's own text, then what to do about it. */
export const describeFailure = ({ serviceMessage, hint }: Failure, ...more: string[]): string =>
	[serviceMessage === null ? '' : `The service says: ${asSentence(serviceMessage)}`, hint, ...more]
		.filter((part) => part !== '')
		.join(' ');

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What an agent is to do if nobody can say what became of its request; it knows nothing of options. */
const UNKNOWN_TO_AGENT =
	'It may have taken effect all the same. Do not repeat this tool call: somebody could be reached twice. Report that the outcome is unknown and has to be looked up at the service.';

/** Names of system errors: n8n replaces a whole message that holds one of them, even within a word. */
const SYSTEM_ERROR =
	/econn|enotfound|etimedout|erraddr|eaddr|ehost|eai_|enoent|eisdir|enotdir|eacces|eexist|eperm|getaddrinfo/i;

/**
 * A failure as a tool tells it. An agent reads nothing but the message, so it holds everything: what happened, the
 * service's own text, and what to do or not to do again.
 */
export function forAgent(failure: Failure): Failure {
	const { outcome, message, serviceMessage, hint } = failure;
	const isTold = serviceMessage !== null && !SYSTEM_ERROR.test(serviceMessage);
	const said = isTold ? `The service says: ${asSentence(serviceMessage)}` : '';
	const advice = outcome === 'unknown' ? UNKNOWN_TO_AGENT : hint;
	const parts = [asSentence(message), said, advice];
	return { ...failure, message: parts.filter((part) => part !== '').join(' ') };
}

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
