import { createHash } from 'crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Field, Operation } from '../operation';
import { optionFields } from '../options';
import type { ItemPlan } from '../request';
import { isObject } from '../values';

/**
 * Says which item an item is, over all tries: what the user has entered into the fields that are sent,
 * expressions as they stand, and the input item. A value that differs with each look, such as `$now`,
 * does not make it another item, and neither does an option about the delivery.
 */
export function createIdentity(
	operation: Operation,
	parameters: INodeParameters,
): (item: IDataObject) => string {
	const { options } = parameters;
	const sentOptions = optionFields(operation).filter(
		({ property }) => property.routing?.send !== undefined,
	);
	const entered = JSON.stringify([
		parameters.resource,
		parameters.operation,
		pick([...operation.fields, ...(operation.fallback?.operation.fields ?? [])], parameters),
		pick(sentOptions, isObject(options) ? options : {}),
	]);
	return (item) => digest(entered + JSON.stringify(item));
}

/** The same for items whose requests are the same, however they were entered. */
export function fingerprintOf({ before, main, fallback }: ItemPlan): string {
	const requests = [before, main, fallback].map(
		(request) => request && [request.method, request.url, request.body],
	);
	return digest(JSON.stringify(requests));
}

/** 132 bits: short, and no two texts are taken for one. */
export const digest = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 22);

const pick = (fields: readonly Field[], values: INodeParameters | IDataObject): unknown[] =>
	fields.map(({ property }) => values[property.name] ?? property.default);
