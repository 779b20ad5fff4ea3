import type { IHttpRequestMethods } from 'n8n-workflow';

import type { Field, Operation, RequestProperties, ValueSchema } from './operation';
import { itemOptions, optionFields, optionsField, type ItemOptions } from './options';
import { uuid } from './schemas';

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
	readonly main: ServiceRequest;
	/** What is asked first. */
	readonly before?: ServiceRequest;
	/** What is sent instead if the service refuses the main request for a reason of the operation. */
	readonly fallback?: ServiceRequest;
	readonly options: ItemOptions;
}

/** Gives the value of a parameter for one item, expressions resolved. */
export type ParameterReader = (field: Field) => unknown;

/** What is wrong with an item, each with the field's display name and what was expected. */
export interface Refusal {
	readonly problems: string[];
}

/**
 * Reads the parameters of one item, each of them once, and makes its requests. Nothing is sent here: an
 * item with a value that a schema refuses has no plan, but problems.
 */
export function planItem(
	operation: Operation,
	readParameter: ParameterReader,
	credentialWorkspaceId: unknown,
): ItemPlan | Refusal {
	const item = new ItemReader(readParameter);
	const options = item.readOptions(operation, credentialWorkspaceId);
	const main = item.readRequest(operation);
	const { before, fallback } = operation;
	const wantsBefore = before !== undefined && item.value(before.option) === true;
	const wantsFallback = fallback !== undefined && item.value(fallback.field) === fallback.value;
	const readBefore = wantsBefore ? item.readRequest(before.operation) : undefined;
	const readFallback = wantsFallback ? item.readRequest(fallback.operation) : undefined;

	if (item.problems.size > 0) return { problems: [...item.problems] };
	const delivery = itemOptions.parse(options);
	const toRequest = (read: ReadRequest): ServiceRequest => createRequest(read, delivery.timeout);
	return {
		main: toRequest(main),
		...(readBefore && { before: toRequest(readBefore) }),
		...(readFallback && { fallback: toRequest(readFallback) }),
		options: delivery,
	};
}

interface ReadRequest {
	readonly operation: Operation;
	readonly properties: RequestProperties;
}

/** Reads the values of one item and collects what is wrong with them. */
class ItemReader {
	readonly problems = new Set<string>();

	private readonly values = new Map<string, unknown>();

	private readonly optionProperties: Record<string, unknown> = {};

	constructor(private readonly readParameter: ParameterReader) {}

	/** The checked value of a field or an option that was read before. */
	value(name: string): unknown {
		return this.values.get(name);
	}

	readOptions(operation: Operation, credentialWorkspaceId: unknown): Record<string, unknown> {
		const raw = this.readParameter(optionsField(operation));
		const given = typeof raw === 'object' && raw !== null ? raw : {};
		const options: Record<string, unknown> = {};
		for (const field of optionFields(operation)) {
			const { name } = field.property;
			const value: unknown = Object.entries(given).find(([key]) => key === name)?.[1];
			options[name] = this.check(field, value ?? field.property.default);
			this.values.set(name, options[name]);
			this.setProperty(this.optionProperties, field, options[name]);
		}
		this.optionProperties.workspaceId ??= this.parse(
			'Workspace ID of the credential',
			uuid,
			credentialWorkspaceId,
		);
		return options;
	}

	readRequest(operation: Operation): ReadRequest {
		const properties: Record<string, unknown> = {};
		for (const field of operation.fields) {
			if (!this.isShown(field)) continue;
			this.setProperty(properties, field, this.read(field));
		}
		Object.assign(properties, this.optionProperties);
		const problem = this.problems.size === 0 ? operation.check?.(properties) : undefined;
		if (problem !== undefined) this.problems.add(problem);
		return { operation, properties };
	}

	private read(field: Field): unknown {
		const { name } = field.property;
		if (!this.values.has(name)) this.values.set(name, this.check(field, this.readParameter(field)));
		return this.values.get(name);
	}

	private isShown({ property }: Field): boolean {
		const conditions = Object.entries(property.displayOptions?.show ?? {});
		return conditions.every(([name, allowed]) =>
			allowed?.some((value) => value === this.values.get(name.replace('/', ''))),
		);
	}

	private check({ property, schema }: Field, value: unknown): unknown {
		return this.parse(property.displayName, schema, value);
	}

	private parse(displayName: string, schema: ValueSchema, value: unknown): unknown {
		const result = schema.safeParse(value);
		if (result.success) return result.data;
		for (const { message, path } of result.error.issues) {
			const place = path.length > 0 ? ` (${path.join('.')})` : '';
			this.problems.add(`${displayName}${place}: ${message}`);
		}
		return undefined;
	}

	private setProperty(
		properties: Record<string, unknown>,
		{ property }: Field,
		value: unknown,
	): void {
		const name = property.routing?.send?.property;
		if (name !== undefined && value !== undefined) properties[name] = value;
	}
}

/** Puts the properties that the `url` names into the path, each as one encoded segment, the rest into the body. */
export function createRequest(
	{ operation, properties }: ReadRequest,
	timeout: number,
): ServiceRequest {
	const { method, url } = operation.routing.request;
	const inPath = new Set<string>();
	const path = url.replace(/\{(\w+)\}/g, (_, name: string) => {
		inPath.add(name);
		return encodeURIComponent(String(properties[name]));
	});
	const body = Object.fromEntries(Object.entries(properties).filter(([name]) => !inPath.has(name)));
	const hasBody = method !== 'GET' && method !== 'DELETE';
	return { operation, properties, method, url: path, timeout, ...(hasBody && { body }) };
}
