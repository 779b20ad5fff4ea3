import type { IHttpRequestMethods } from 'n8n-workflow';

import type { CheckedCredential } from './credential';
import { itemKeys, type ItemKeys } from './itemKeys';
import { readFields, type FieldValues, type ParameterReader, type Reading } from './reading';
import type { Field } from '../declaration/field';
import type { RequestProperties } from '../answer/answerRules';
import { hasBody, type Operation } from '../declaration/operation';
import { itemOptions, MAX_WAIT, optionsField, type ItemOptions } from '../declaration/options';
import { isObject } from '../values';

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
	const { before, fallback } = operation;
	const beside = (other: Operation): ServiceRequest => {
		const fromFields = toProperties(other.fields, item.values);
		return createRequest(other, { ...fromFields, ...shared }, delivery.timeout);
	};
	const requests = {
		main: createRequest(operation, properties, delivery.timeout),
		...(before && options.values[before.option] === true && { before: beside(before.operation) }),
		...(fallback &&
			item.values[fallback.field] === fallback.value && { fallback: beside(fallback.operation) }),
	};
	return { keys: itemKeys(inputHash, requests), ...requests, options: delivery };
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
		({ property: { name, default: preset } }) => given[name] ?? presets[name] ?? preset,
		settings,
	);
}

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
