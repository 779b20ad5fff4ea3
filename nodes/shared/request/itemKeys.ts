import { createHash } from 'crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import { bareNumber } from '../outreach/doNotContact';
import type { ItemPlan } from './request';
import { isObject } from '../values';

/**
 * Identifies an item over all tries: a hash of what the user has entered into the fields that are sent (expressions as
 * they are written) and of the input item. So a value that changes with each evaluation, such as `$now`, does not make
 * it another item, and neither does an option about the delivery.
 */
export function createInputHash(
	operation: Operation,
	parameters: INodeParameters,
): (item: IDataObject) => string {
	const { options } = parameters;
	const sentOptions = operation.options.filter(({ place }) => place !== undefined);
	const entered = JSON.stringify([
		parameters.resource,
		parameters.operation,
		pick([...operation.fields, ...(operation.fallback?.operation.fields ?? [])], parameters),
		pick(sentOptions, isObject(options) ? options : {}),
	]);
	return (item) => digest(entered + JSON.stringify(item));
}

/** The hashes by which an item is recognised in a later try. n8n saves them. */
export interface ItemKeys {
	/** What was entered, and the input item. */
	readonly inputHash: string;
	/** The requests of the item: method, path and body. */
	readonly requestHash: string;
	/**
	 * The operation and whom it reaches; absent for an operation that reaches nobody. The section of the specification
	 * stands for the operation.
	 */
	readonly recipientHash?: string;
}

/** By what an item is known wherever it comes: whom it reaches, or else its request. */
export const subjectOf = ({ recipientHash, requestHash }: ItemKeys): string =>
	recipientHash ?? requestHash;

/**
 * @param redirectedFrom the number that was entered, if another one is reached instead. Such an item is another one than
 * the same without a redirection.
 */
export function itemKeys(
	inputHash: string,
	{ before, main, fallback }: Pick<ItemPlan, 'before' | 'main' | 'fallback'>,
	redirectedFrom?: string,
): ItemKeys {
	const { recipient: property = '', specification } = main.operation;
	const recipient = redirectedFrom ?? main.properties[property];
	const plain = typeof recipient === 'string' ? bareNumber(recipient) : undefined;
	const requests = [before, main, fallback].map(
		(request) =>
			request && [
				request.method,
				request.url,
				plain === undefined ? request.body : { ...request.body, [property]: plain },
			],
	);
	const scope = redirectedFrom === undefined ? '' : 'redirected ';
	return {
		inputHash: scope + inputHash,
		requestHash: digest(scope + JSON.stringify(requests)),
		...(plain !== undefined && { recipientHash: digest(`${scope}${specification} ${plain}`) }),
	};
}

/** A hash of 132 bits: short, and free of collisions in practice. */
export const digest = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 22);

const pick = (fields: readonly Field[], values: INodeParameters | IDataObject): unknown[] =>
	fields.map(({ property }) => values[property.name] ?? property.default);
