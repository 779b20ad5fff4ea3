import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { AnswerRules, RequestProperties } from '../answer/answerRules';
import type { FailureKind } from '../answer/failure';
import type { Field } from './field';
import { checkOnly, commonOptions, ifOutcomeUnknown, reference, timeoutOf } from './options';

/**
 * What was sent, for the output: `via` is `fallback` if the fallback operation was accepted. There
 * are no properties if an earlier try has sent them and the item cannot be sent now.
 */
export interface Sent {
	readonly properties: RequestProperties;
	readonly via: 'main' | 'fallback';
}

/** An operation as its author writes it; {@link defineOperation} completes it. */
export interface Declaration extends AnswerRules {
	readonly name: string;
	readonly value: string;
	readonly action: string;
	readonly description: string;
	/** What an AI agent reads of it as a tool: what it does to people, and the form of its values. */
	readonly toolDescription: string;
	/** What the panel says before the fields. */
	readonly notice?: string;
	/** The section of the service's specification, e.g. "4.4". */
	readonly specification: string;
	readonly request: ReturnType<typeof endpoint>;
	/** In the order in which n8n shows them. */
	readonly fields: readonly Field[];
	/** The rules of contact; absent if it reaches nobody, or the node cannot know the person. */
	readonly rules?: readonly Field[];
	/** Options beyond those that every operation has. */
	readonly options?: readonly Field[];
	/** How long to wait for an answer by default, in milliseconds. */
	readonly timeout?: number;
	/** The request property that names who is reached; absent if the operation reaches nobody. */
	readonly recipient?: string;
	/** The request properties that name its recipient (rule 9), or why it has none. */
	readonly writesFor: readonly string[] | { readonly nobody: string };
	/** Sent instead if this field has this value, e.g. a template; its fields are among `fields`. */
	readonly fallback?: {
		readonly field: string;
		readonly value: string;
		/** For which refusals of the service. */
		readonly kinds: readonly FailureKind[];
		readonly operation: Operation;
	};
	/** What is wrong with the properties taken together, if anything; it is told of this field. */
	readonly check?: {
		readonly field: Field;
		readonly problem: (properties: RequestProperties) => string | undefined;
	};
	/** What counts say of accepted items, e.g. "sent". With `rules`, also the column `result`. */
	readonly done: string | ((answer: IDataObject) => string);
	/** What may have happened to the recipient of an item whose outcome is unknown, e.g. "called". */
	readonly reaches?: string;
	/** True if "not found" after a first try that may have worked means that it did. */
	readonly doneIfGone?: boolean;
	/** True if the execution waits until the calls have ended, which needs the contact book. */
	readonly waits?: true;
	/** The output of an accepted answer: one item, or several. */
	readonly simplify: (answer: IDataObject, sent: Sent) => IDataObject | IDataObject[];
}

/** An operation as data, of which the menu, the documentation, requests and tests are made. */
export interface Operation extends Declaration {
	/** All options, in the order of the menu. */
	readonly options: readonly Field[];
	/** The path between its properties: texts and names of properties, by turns. */
	readonly path: readonly string[];
}

/** @param url in the notation of the specification, e.g. `/v1/sms/startSMSThread/{assistantId}` */
export const endpoint = (method: IHttpRequestMethods, url: string) => ({ method, url });

export const defineOperation = (declaration: Declaration): Operation => ({
	...declaration,
	options: optionsOf(declaration),
	path: declaration.request.url.split(/\{(\w+)\}/),
});

/** Lists all options of an operation, in the order of the menu. */
const optionsOf = ({ request, repeatable, rules, timeout = 60_000, options = [] }: Declaration) =>
	[
		...commonOptions,
		timeoutOf(timeout),
		...(request.method === 'GET' ? [] : [checkOnly]),
		...(repeatable ? [] : [ifOutcomeUnknown]),
		...(rules ? [reference] : []),
		...options,
	].sort((a, b) => a.property.displayName.localeCompare(b.property.displayName));

/** A group of operations in n8n's menu. */
export interface Resource {
	readonly name: string;
	readonly value: string;
	readonly operations: readonly Operation[];
	/** What a new node has. It never changes: n8n saves no parameter that equals its default. */
	readonly defaultOperation: Operation;
}
