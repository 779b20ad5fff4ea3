import { createHash } from 'crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import { bareNumber } from '../outreach/doNotContact';
import type { ServiceRequest } from './serviceRequest';
import { isObject } from '../values';

/** Stands between the two hashes of an {@link ItemKeys.inputHash}. */
const BETWEEN = '.';

/** Stands before the hashes of an item that reaches another number than the one that was entered. */
const REDIRECTED = 'redirected ';

/**
 * Identifies an item over all tries: a hash of what the user has entered into the fields that are sent (expressions as
 * they are written), and one of the input item. So a value that changes with each evaluation, such as `$now`, does not
 * make it another item, and neither does an option about the delivery.
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
	const enteredHash = digest(entered);
	const { specification } = operation;
	return (item) => enteredHash + BETWEEN + digest(specification + JSON.stringify(item));
}

/** The part of an input hash that is of the operation and the input item, whatever was entered, in its scope. */
export function itemHashOf(inputHash: string): string {
	const [entered = '', item = ''] = inputHash.split(BETWEEN);
	return (entered.startsWith(REDIRECTED) ? REDIRECTED : '') + item;
}

/** The hashes by which an item is recognised in a later try. n8n saves them. */
export interface ItemKeys {
	/** What was entered, and the input item. */
	readonly inputHash: string;
	/** The requests of the item: method, path and body. Only an item that is refused before it is sent has none. */
	readonly requestHash?: string;
	/**
	 * The operation and whom it reaches; absent for an operation that reaches nobody, and for a recipient that cannot be
	 * read. The section of the specification stands for the operation.
	 */
	readonly recipientHash?: string;
}

/** The keys of an item that can be sent. */
export type KeysToSend = ItemKeys & { readonly requestHash: string };

/** By what an item is known wherever it comes: whom it reaches, or else its request; `undefined` if neither can be read. */
export const subjectOf = ({ recipientHash, requestHash }: ItemKeys): string | undefined =>
	recipientHash ?? requestHash;

/** What the keys of an item are made of. */
interface Identity {
	readonly operation: Pick<Operation, 'specification'>;
	/** See {@link createInputHash}. */
	readonly inputHash: string;
	/** Who was entered as the recipient, if that can be read. */
	readonly recipient: unknown;
	/** True if another one is reached instead. Such an item is another one than the same without a redirection. */
	readonly isRedirected: boolean;
}

const scopeOf = ({ isRedirected }: Identity): string => (isRedirected ? REDIRECTED : '');

const plainRecipient = ({ recipient }: Identity): string | undefined =>
	typeof recipient === 'string' ? bareNumber(recipient) : undefined;

/** The keys of an item that is refused before it is sent. */
export function itemKeys(identity: Identity): ItemKeys {
	const scope = scopeOf(identity);
	const plain = plainRecipient(identity);
	const { specification } = identity.operation;
	return {
		inputHash: scope + identity.inputHash,
		...(plain !== undefined && { recipientHash: digest(`${scope}${specification} ${plain}`) }),
	};
}

/** What is sent for an item. */
interface ItemRequests {
	readonly before?: ServiceRequest;
	readonly main: ServiceRequest;
	readonly fallback?: ServiceRequest;
}

/** The keys of an item that can be sent. */
export function keysToSend(
	identity: Identity,
	{ before, main, fallback }: ItemRequests,
): KeysToSend {
	const { recipient: property = '' } = main.operation;
	const plain = plainRecipient(identity);
	const requests = [before, main, fallback].map(
		(request) =>
			request && [
				request.method,
				request.url,
				plain === undefined ? request.body : { ...request.body, [property]: plain },
			],
	);
	const requestHash = digest(scopeOf(identity) + JSON.stringify(requests));
	return { ...itemKeys(identity), requestHash };
}

/** A hash of 132 bits: short, and free of collisions in practice. */
export const digest = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 22);

const pick = (fields: readonly Field[], values: INodeParameters | IDataObject): unknown[] =>
	fields.map(({ property }) => values[property.name] ?? property.default);
