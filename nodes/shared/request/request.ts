import type { IHttpRequestMethods } from 'n8n-workflow';

import { keysOf, type ItemKeys } from './identity';
import {
	hasBody,
	pathProperties,
	type Field,
	type Operation,
	type RequestProperties,
	type ValueSchema,
} from '../declaration/operation';
import {
	itemOptions,
	MAX_WAIT,
	optionFields,
	optionsField,
	type ItemOptions,
} from '../declaration/options';
import { baseUrl, headerText, uuid } from '../declaration/schemas';
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

/** Gives the value of a parameter for one item, expressions resolved. */
export type ParameterReader = (field: Field) => unknown;

/** The fields of the credential, as they were entered. */
export type CredentialValues = Readonly<Record<string, unknown>>;

/** What is wrong with an item, each with the field's display name and what was expected. */
export interface Refusal {
	readonly problems: string[];
}

/**
 * Reads the parameters of one item, each of them once, and makes its requests. Nothing is sent here: an
 * item with a value that a schema refuses has no plan, but problems.
 *
 * @param identity the same for the same item over all tries
 * @param maxWait the default of the option, in seconds
 */
export function planItem(
	operation: Operation,
	readParameter: ParameterReader,
	credential: CredentialValues,
	identity: string,
	maxWait: number = MAX_WAIT.workflow,
): ItemPlan | Refusal {
	const item = new ItemReader(readParameter);
	const mainFields = item.readFields(operation);
	const options = item.readOptions(operation, credential, { maxWait });
	const { before, fallback } = operation;
	const wantsBefore = before !== undefined && item.option(before.option) === true;
	const wantsFallback = fallback !== undefined && item.field(fallback.field) === fallback.value;
	const beforeFields = wantsBefore ? item.readFields(before.operation) : undefined;
	const fallbackFields = wantsFallback ? item.readFields(fallback.operation) : undefined;
	const properties = { ...mainFields, ...item.optionProperties };
	const problem = item.problems.size === 0 ? operation.check?.(properties) : undefined;

	if (problem !== undefined) item.problems.add(problem);
	if (item.problems.size > 0) return { problems: [...item.problems] };
	const delivery = itemOptions.parse(options);
	const toRequest = (of: Operation, fields: RequestProperties): ServiceRequest =>
		createRequest(of, { ...fields, ...item.optionProperties }, delivery.timeout);
	const requests = {
		main: toRequest(operation, mainFields),
		...(before && beforeFields && { before: toRequest(before.operation, beforeFields) }),
		...(fallback && fallbackFields && { fallback: toRequest(fallback.operation, fallbackFields) }),
	};
	return { keys: keysOf(identity, requests), ...requests, options: delivery };
}

/** Reads the values of one item and collects what is wrong with them. */
class ItemReader {
	readonly problems = new Set<string>();

	/** What the options add to each request of the item. */
	readonly optionProperties: Record<string, unknown> = {};

	private readonly fields = new Map<string, unknown>();

	private options: Record<string, unknown> = {};

	constructor(private readonly readParameter: ParameterReader) {}

	/** The checked value of a field that was read before. */
	field(name: string): unknown {
		return this.fields.get(name);
	}

	/** The checked value of an option, after the options were read. */
	option(name: string): unknown {
		return this.options[name];
	}

	/** Reads the fields that are shown; one that was read before keeps its value. */
	readFields(operation: Operation): RequestProperties {
		const properties: Record<string, unknown> = {};
		for (const field of operation.fields) {
			if (!this.isShown(field)) continue;
			const { name } = field.property;
			if (!this.fields.has(name)) {
				this.fields.set(name, this.check(field, this.readParameter(field)));
			}
			setProperty(properties, field, this.fields.get(name));
		}
		return properties;
	}

	readOptions(
		operation: Operation,
		credential: CredentialValues,
		presets: Readonly<Record<string, unknown>>,
	): Record<string, unknown> {
		const raw = this.readParameter(optionsField(operation));
		const given = isObject(raw) ? raw : {};
		for (const field of optionFields(operation).filter((option) => this.isShown(option))) {
			const { name, default: preset } = field.property;
			this.options[name] = this.check(field, given[name] ?? presets[name] ?? preset);
			setProperty(this.optionProperties, field, this.options[name]);
		}
		this.optionProperties.workspaceId ??= this.parse(
			'Workspace ID of the credential',
			uuid,
			credential.workspaceId,
		);
		this.parse('Base URL of the credential', baseUrl, credential.baseUrl);
		this.parse('API Key of the credential', headerText, credential.apiKey);
		return this.options;
	}

	private isShown({ property }: Field): boolean {
		const conditions = Object.entries(property.displayOptions?.show ?? {});
		return conditions.every(([name, allowed]) =>
			allowed?.some((value) => value === this.fields.get(name.replace('/', ''))),
		);
	}

	private check({ property, schema }: Field, value: unknown): unknown {
		return this.parse(property.displayName, schema, value);
	}

	private parse(displayName: string, schema: ValueSchema, value: unknown): unknown {
		const result = schema.safeParse(value);
		if (result.success) return result.data;
		for (const { message, path } of result.error.issues) {
			const place = path.map((part) => (typeof part === 'number' ? `row ${part + 1}` : part));
			const where = place.length > 0 ? ` (${place.join(', ')})` : '';
			const what = isMissing(value) ? 'expected a value, but it is empty' : message;
			this.problems.add(`${displayName}${where}: ${what}`);
		}
		return undefined;
	}
}

const isMissing = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

function setProperty(
	properties: Record<string, unknown>,
	{ property }: Field,
	value: unknown,
): void {
	const name = property.routing?.send?.property;
	if (name !== undefined && value !== undefined) properties[name] = value;
}

/**
 * Puts the properties that the `url` names into the path, each as one encoded segment, the rest into the body.
 *
 * @throws Error if a property that the path names has no text
 */
export function createRequest(
	operation: Operation,
	properties: RequestProperties,
	timeout: number,
): ServiceRequest {
	const { method, url } = operation.routing.request;
	const inPath = pathProperties(operation);
	const path = inPath.reduce((filled, name) => {
		const value = properties[name];
		if (typeof value !== 'string') throw new Error(`${operation.name}: {${name}} has no value`);
		return filled.replace(`{${name}}`, () => encodeURIComponent(value));
	}, url);
	const body = Object.fromEntries(
		Object.entries(properties).filter(([name]) => !inPath.includes(name)),
	);
	return { operation, properties, method, url: path, timeout, ...(hasBody(operation) && { body }) };
}
