import type { IHttpRequestMethods } from 'n8n-workflow';

import { rulesOf } from './contactRules';
import type { CheckedCredential, Mode } from './credential';
import { itemKeys, type ItemKeys } from './itemKeys';
import { readFields, type FieldValues, type ParameterReader, type Reading } from './reading';
import type { Field } from '../declaration/field';
import type { RequestProperties } from '../answer/answerRules';
import { hasBody, type Operation } from '../declaration/operation';
import { itemOptions, MAX_WAIT, optionsField, type ItemOptions } from '../declaration/options';
import type { ContactRules } from '../outreach/options';
import { isObject, toPlainText } from '../values';

/** A request that is ready to go out; `url` is the path after the base address, encoded. */
export interface ServiceRequest {
	readonly operation: Operation;
	readonly properties: RequestProperties;
	readonly method: IHttpRequestMethods;
	readonly url: string;
	readonly body?: Readonly<Record<string, unknown>>;
	/** Milliseconds. */
	readonly timeout: number;
}

/** Everything that is to be done for one item. */
export interface ItemPlan {
	/** By what the item is known in a later try. */
	readonly keys: ItemKeys;
	readonly main: ServiceRequest;
	/** What is asked first. */
	readonly before?: ServiceRequest;
	/** What is sent instead if the service refuses the main request for a reason of the operation. */
	readonly fallback?: ServiceRequest;
	readonly options: ItemOptions;
	/** Absent if the operation does not reach one person by phone number. */
	readonly contact?: Contact;
	/** The recipient that was entered, if the credential redirects to a test number. */
	readonly redirectedFrom?: string;
}

/** Whom an item reaches, and by which rules. */
export interface Contact {
	/** The number that was entered, cleaned; with a redirection, too. */
	readonly toNumber: string;
	readonly rules: ContactRules;
}

/** What is wrong with an item, each with the field's display name and what was expected. */
export interface Refusal {
	readonly problems: string[];
}

/**
 * Reads the parameters of one item, each of them once, and makes its requests. Nothing is sent here: an
 * item with a value that a schema refuses has no plan, but problems.
 *
 * @param inputHash the same for the same item over all tries
 * @param maxWait the default of the option, in seconds
 */
export function planItem(
	operation: Operation,
	readParameter: ParameterReader,
	credential: CheckedCredential,
	inputHash: string,
	maxWait: number = MAX_WAIT.workflow,
): ItemPlan | Refusal {
	const item = readFields(operation.fields, readParameter);
	const options = readOptions(operation, readParameter, maxWait, item.values);
	const fromOptions = toProperties(operation.options, options.values);
	const { workspaceId = credential.workspaceId } = fromOptions;
	// The options that are sent go with each request of the item: the main one, the one before and the fallback.
	const shared = { ...fromOptions, workspaceId };
	const properties = { ...toProperties(operation.fields, item.values), ...shared };
	const problems = new Set([
		...item.problems,
		...options.problems,
		...(fromOptions.workspaceId === undefined ? credential.workspaceProblems : []),
		...credential.problems,
	]);
	const problem = problems.size === 0 ? operation.check?.(properties) : undefined;
	if (problem !== undefined) problems.add(problem);
	if (problems.size > 0) return { problems: [...problems] };

	const delivery = itemOptions.parse(options.values);
	const { before, fallback, recipient, rules } = operation;
	const redirection = redirect(operation, credential.mode);
	if (redirection === undefined) return { problems: [NOT_REDIRECTED] };
	const beside = (other: Operation): ServiceRequest => {
		const fromFields = toProperties(other.fields, item.values);
		return createRequest(other, { ...fromFields, ...shared, ...redirection }, delivery.timeout);
	};
	const requests = {
		main: createRequest(operation, { ...properties, ...redirection }, delivery.timeout),
		...(before && options.values[before.option] === true && { before: beside(before.operation) }),
		...(fallback &&
			item.values[fallback.field] === fallback.value && { fallback: beside(fallback.operation) }),
	};
	const toNumber =
		rules && recipient !== undefined ? recipientOf(properties, recipient) : undefined;
	const redirectedFrom = credential.mode.kind === 'redirect' ? toNumber : undefined;
	return {
		keys: itemKeys(inputHash, requests, redirectedFrom),
		...requests,
		options: delivery,
		...(toNumber !== undefined && { contact: { toNumber, rules: rulesOf(options.values) } }),
		...(redirectedFrom !== undefined && { redirectedFrom }),
	};
}

const recipientOf = (properties: RequestProperties, recipient: string): string =>
	toPlainText(properties[recipient]);

const NOT_REDIRECTED =
	'The credential redirects to a test number, and this operation reaches people whose numbers the node does not know. Choose a credential with another mode';

/** What a redirection changes in the requests; `undefined` if the operation reaches people and cannot be redirected. */
function redirect(
	{ recipient, rules }: Operation,
	mode: Mode,
): Readonly<Record<string, string>> | undefined {
	if (mode.kind !== 'redirect' || recipient === undefined) return {};
	return rules === undefined ? undefined : { [recipient]: mode.testNumber };
}

/** Reads the options that are shown; one that is not set has its default. */
function readOptions(
	{ options }: Operation,
	readParameter: ParameterReader,
	maxWait: number,
	settings: FieldValues,
): Reading {
	const raw = readParameter(optionsField);
	const given = isObject(raw) ? raw : {};
	// The default of this option is another one for tools, which n8n cannot show.
	const presets: Readonly<Record<string, unknown>> = { maxWait };
	return readFields(
		options,
		({ property: { name, default: preset }, isStrict = false }) => {
			const isGiven = name in given && (isStrict || !isNothing(given[name]));
			return isGiven ? given[name] : (presets[name] ?? preset);
		},
		settings,
	);
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** The values of the fields that are sent, by the names of the request; `undefined` is left out. */
function toProperties(fields: readonly Field[], values: FieldValues): RequestProperties {
	const properties: Record<string, unknown> = {};
	for (const { property, place } of fields) {
		const value = values[property.name];
		if (place !== undefined && value !== undefined) properties[place.name] = value;
	}
	return properties;
}

/**
 * Puts the properties that the `url` names into the path, each as one encoded segment, and those of the query behind it.
 * All others are the body; `defineOperation` has checked that each has its place. A GET or DELETE sends no body (S 4).
 *
 * @throws Error if a property that the path names has no text
 */
export function createRequest(
	operation: Operation,
	properties: RequestProperties,
	timeout: number,
): ServiceRequest {
	const { method } = operation.request;
	const segments = operation.path.map((part, index) => {
		if (index % 2 === 0) return part;
		const value = properties[part];
		if (typeof value !== 'string') throw new Error(`${operation.name}: {${part}} has no value`);
		return encodeURIComponent(value);
	});
	const inBody = Object.entries(properties).filter(
		([name]) => !operation.path.includes(name) && !operation.query.includes(name),
	);
	return {
		operation,
		properties,
		method,
		url: segments.join('') + queryOf(operation, properties),
		timeout,
		...(hasBody(operation) && { body: Object.fromEntries(inBody) }),
	};
}

function queryOf({ query }: Operation, properties: RequestProperties): string {
	const given = query
		.filter((name) => properties[name] !== undefined)
		.map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(String(properties[name]))}`);
	return given.length > 0 ? `?${given.join('&')}` : '';
}
