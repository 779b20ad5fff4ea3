import { createHash } from 'crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Field } from '../declaration/field';
import type { Operation } from '../declaration/operation';
import type { ServiceRequest } from './serviceRequest';
import { isObject } from '../values';

/** Separates the two hashes of an {@link ItemKeys.inputHash}. */
const SEPARATOR = '.';

/** Prefix of the hashes of an item that reaches the test number instead of the one that was entered. */
const REDIRECTED = 'redirected ';

/**
 * Returns a function that identifies an item over all tries, by two hashes with a dot between them: one of what the user
 * has entered into the fields that are sent (expressions as they are written), and one of the operation and the input
 * item. So a value that changes with each evaluation, such as `$now`, does not make it another item, and neither does an
 * option about the delivery.
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
	return (item) => enteredHash + SEPARATOR + digest(specification + JSON.stringify(item));
}

/** The second part of an input hash, which does not depend on what was entered: of `redirected E.I` it is `redirected I`. */
export function itemHashOf(inputHash: string): string {
	const [, item = ''] = inputHash.split(SEPARATOR);
	return (isOfTestNumber(inputHash) ? REDIRECTED : '') + item;
}

/** True if the item with this input hash reached the test number, in the mode *Redirect*. */
export const isOfTestNumber = (inputHash: string): boolean => inputHash.startsWith(REDIRECTED);

/** The hashes by which an item is recognised in a later try. n8n saves them. */
export interface ItemKeys {
	/** What was entered, and the input item; see {@link createInputHash}. */
	readonly inputHash: string;
	/** The requests of the item: method, path and body. Absent only if the item cannot be sent. */
	readonly requestHash?: string;
	/**
	 * The operation and whom it reaches; absent for an operation that reaches nobody, and for a recipient that cannot be
	 * read. The section of the specification stands for the operation.
	 */
	readonly recipientHash?: string;
}

/** The keys of an item that can be sent. */
export type KeysToSend = ItemKeys & { readonly requestHash: string };

/** What identifies an item anywhere in a run: whom it reaches, or else its request; `undefined` if neither can be read. */
export const subjectOf = ({ recipientHash, requestHash }: ItemKeys): string | undefined =>
	recipientHash ?? requestHash;

/** What the keys of an item are made of. */
interface Identity {
	readonly operation: Pick<Operation, 'specification'>;
	/** See {@link createInputHash}. */
	readonly inputHash: string;
	/** Who was entered as the recipient, if that can be read. */
	readonly recipient: unknown;
	/** True if the test number is reached instead. With and without a redirection, an item has different keys. */
	readonly isRedirected: boolean;
}

const prefixOf = ({ isRedirected }: Identity): string => (isRedirected ? REDIRECTED : '');

/** The keys of an item that cannot be sent. */
export function itemKeys(identity: Identity): ItemKeys {
	const prefix = prefixOf(identity);
	const { recipient, operation } = identity;
	const { specification } = operation;
	return {
		inputHash: prefix + identity.inputHash,
		...(typeof recipient === 'string' && {
			recipientHash: digest(`${prefix}${specification} ${recipient}`),
		}),
	};
}

/** What is sent for an item. */
interface ItemRequests {
	readonly main: ServiceRequest;
	readonly fallback?: ServiceRequest;
}

/** The keys of an item that can be sent. */
export function keysToSend(identity: Identity, { main, fallback }: ItemRequests): KeysToSend {
	const { recipient } = identity;
	const { recipient: property = '' } = main.operation;
	const requests = [main, fallback].map(
		(request) =>
			request && [
				request.method,
				request.url,
				typeof recipient === 'string' ? { ...request.body, [property]: recipient } : request.body,
			],
	);
	const requestHash = digest(prefixOf(identity) + JSON.stringify(requests));
	return { ...itemKeys(identity), requestHash };
}

/** A hash of 132 bits: short, and free of collisions in practice. */
export const digest = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 22);

const pick = (fields: readonly Field[], values: INodeParameters | IDataObject): unknown[] =>
	fields.map(({ property }) => values[property.name] ?? property.default);
