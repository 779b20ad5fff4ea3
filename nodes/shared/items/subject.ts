import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import { digest, isObject } from '../values';
import type { ServiceRequest } from '../service/serviceRequest';

/** An item in all tries of its execution (rule 5): the subject, and its number among its items. */
export interface ItemId {
	readonly subject: string;
	readonly nth: number;
}

export const nameOfItem = ({ subject, nth }: ItemId): string => `${subject} ${nth}`;

/**
 * Names what an item is for: the operation, by its section of the specification, and the recipient;
 * without one, what was entered and the input item. `undefined` if a person's number is unreadable.
 *
 * @param isRedirected true if the test number is reached instead: then it is another subject
 */
export function subjectOf(
	operation: Operation,
	recipient: unknown,
	isRedirected: boolean,
	input: () => string,
): string | undefined {
	if (typeof recipient === 'string')
		return digest(`${isRedirected ? 'redirected ' : ''}${operation.specification} ${recipient}`);
	// A person has a number; the sheet of a campaign may be left out.
	return operation.rules ? undefined : input();
}

/** Names what a call of a tool sends: the model gives its values, which no input item shows. */
export function subjectOfCall(
	recipient: unknown,
	isRedirected: boolean,
	requests: readonly (ServiceRequest | undefined)[],
): string {
	const sent = requests.map((request) => request && [request.method, request.url, request.body]);
	return digest(JSON.stringify([isRedirected, recipient, sent]));
}

/**
 * Returns a function that names an input item together with what was entered into the fields that
 * are sent (expressions as they are written). So a value that changes with each evaluation, e.g.
 * `$now`, does not make it another item, and neither does an option about the delivery.
 */
export function createInputName(operation: Operation, parameters: INodeParameters) {
	const { options } = parameters;
	const sentOptions = operation.options.filter(({ sentAs }) => sentAs !== undefined);
	const enteredDigest = digest(
		JSON.stringify([
			parameters.resource,
			parameters.operation,
			valuesOf(operation.fields, parameters),
			valuesOf(sentOptions, isObject(options) ? options : {}),
		]),
	);
	return (item: IDataObject) => digest(enteredDigest + JSON.stringify(item));
}

const valuesOf = (fields: readonly Field[], values: INodeParameters | IDataObject): unknown[] =>
	fields.map(({ property }) => values[property.name] ?? property.default);
