import type { IDataObject, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';

import type { FailureKind } from '../answer/failure';

/** A zod schema that takes whatever the user or an expression gave and says what is sent. */
export type ValueSchema<T = unknown> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** A parameter of the node: what n8n shows, and what its value must be. */
export interface Field {
	/**
	 * The parameter in n8n's vocabulary. `routing.send.property` names the request property that the
	 * value fills: a part of the path if the operation's `url` names it, else a property of the body.
	 * A field without it only steers the node.
	 */
	readonly property: INodeProperties;
	/** Cleans and checks the value. A result of `undefined` leaves the property out of the request. */
	readonly schema: ValueSchema;
}

/** The request properties of one item by the names of the specification, path and body together. */
export type RequestProperties = Readonly<Record<string, unknown>>;

/** What was sent, for the output: `via` is `fallback` if the fallback operation was accepted. */
export interface Sent {
	readonly properties: RequestProperties;
	readonly via: 'main' | 'fallback';
}

/**
 * One operation of the service as data: n8n's menu, the documentation, the request and the tests are
 * all made from it.
 */
export interface Operation {
	readonly name: string;
	readonly value: string;
	readonly action: string;
	readonly description: string;
	/** The section of the service's specification, e.g. "4.4". */
	readonly specification: string;
	readonly routing: {
		readonly request: {
			readonly method: IHttpRequestMethods;
			/** In the notation of the specification, e.g. `/v1/sms/startSMSThread/{assistantId}`. */
			readonly url: string;
		};
	};
	readonly fields: readonly Field[];
	/** What is wrong with the properties taken together, if anything. */
	readonly check?: (properties: RequestProperties) => string | undefined;
	/** Options beyond those that every operation has. */
	readonly options?: readonly Field[];
	/** The request property that names who is reached; absent if the operation reaches nobody. */
	readonly recipient?: string;
	/** True if sending it twice does what sending it once does: nobody is reached, nothing is added. */
	readonly repeatable: boolean;
	/** True if "not found" after a first try that may have worked means that it did. */
	readonly doneIfGone?: boolean;
	/** How long to wait for an answer by default, in milliseconds. */
	readonly timeout: number;
	/** What the specification promises of a good answer; it has to keep at least one of these. */
	readonly promises: Readonly<Record<string, ValueSchema>>;
	/** What the statuses mean for this operation where it differs from the rest (S 7.1). */
	readonly statusKinds?: Readonly<Record<number, FailureKind>>;
	/** The output of an accepted answer: one item, or several. */
	readonly simplify: (answer: IDataObject, sent: Sent) => IDataObject | IDataObject[];
	/** An operation that is asked first if the option is on; what it adds to the output. */
	readonly before?: {
		readonly option: string;
		readonly operation: Operation;
		readonly adds: (answer: IDataObject) => IDataObject;
	};
	/** An operation that is sent instead if the service refuses for one of these reasons. */
	readonly fallback?: {
		readonly field: string;
		readonly value: string;
		readonly kinds: readonly FailureKind[];
		readonly operation: Operation;
	};
}

/** A group of operations in n8n's menu. */
export interface Resource {
	readonly name: string;
	readonly value: string;
	readonly operations: readonly Operation[];
	/** What a new node is set to. It never changes: n8n leaves a parameter that equals its default out of a saved workflow. */
	readonly defaultOperation: Operation;
}

/** The menu of a node. */
export interface Menu {
	readonly resources: readonly Resource[];
	/** It never changes, for the same reason as {@link Resource.defaultOperation}. */
	readonly defaultResource: Resource;
}

/** The default of `options.timeout` in milliseconds; an assistant may think longer in a chat. */
export const TIMEOUT = { standard: 60_000, chat: 300_000 } as const;

/** The properties that an operation's path names, in their order. */
export const pathProperties = ({ routing }: Operation): string[] =>
	Array.from(routing.request.url.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '');

/** Whether a request of an operation has a body; a GET or DELETE sends what its path names, and nothing else (S 4). */
export const hasBody = ({ routing: { request } }: Operation): boolean =>
	request.method !== 'GET' && request.method !== 'DELETE';
