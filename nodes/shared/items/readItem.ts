import { readOptions, readRules } from './collections';
import type { CredentialSettings, Mode } from './credential';
import {
	problemOf,
	readFields,
	type FieldValues,
	type ParameterReader,
	type Reading,
} from './reading';
import type { Item, Sendable } from './item';
import { createRequest, type ServiceRequest } from './serviceRequest';
import { subjectOf, subjectOfCall } from './subject';
import { CREDENTIAL } from './transport';
import type { Field } from '../declaration/field';
import type { RequestProperties } from '../answer/answerRules';
import type { Operation } from '../declaration/operation';
import { itemOptions } from '../declaration/options';
import { rulesOf, rulesOfMemory } from '../rules/contactRules';
import { MAX_SHOWN, type Person } from '../rules/person';
import { isBlank } from '../values';

/** An item that cannot be sent, as far as it was read. */
export interface Faulty extends Pick<
	Item,
	'index' | 'operation' | 'subject' | 'simplify' | 'person' | 'redirectedTo'
> {
	readonly kind: 'faulty';
	/** What is wrong: the display name of each field, and what was expected. */
	readonly problems: readonly string[];
	/** True if the values of the item are wrong, and not the credential alone. */
	readonly isOfItem: boolean;
	/** The parameters that are wrong, as n8n names them, e.g. "options.timeout"; and the credential by its type. */
	readonly faulty: readonly string[];
}

/**
 * Reads the parameters of one item, each of them once, and makes its requests. Nothing is sent here: an
 * item with a value that a schema refuses has problems instead.
 *
 * @param input names what was entered and the input item, the same over all tries
 * @param isTool true if an agent runs the node
 * @param index of the input item
 */
export function readItem(
	operation: Operation,
	readParameter: ParameterReader,
	settings: CredentialSettings,
	input: () => string,
	isTool = false,
	index = 0,
): Sendable | Faulty {
	const item = readFields(operation.fields, readParameter);
	const options = readOptions(operation, readParameter, isTool, item.values);
	const rules = readRules(operation, readParameter);
	const fromOptions = toProperties(operation.options, options.values);
	const { workspaceId = settings.workspaceId } = fromOptions;
	// The options that are sent go with each request of the item: the main one and the fallback.
	const shared = { ...fromOptions, workspaceId };
	const properties: RequestProperties = {
		...toProperties(operation.fields, item.values),
		...shared,
	};
	const person = readPerson(operation, item, options.values.reference, rules.values);
	const problemsOfItem = new Set([...item.problems, ...options.problems, ...rules.problems]);
	const ofCredential = [
		...(fromOptions.workspaceId === undefined ? settings.workspaceProblems : []),
		...settings.problems,
		...(operation.request.method === 'GET' ? [] : settings.bookProblems),
	];
	const faulty = [...item.faulty, ...options.faulty, ...rules.faulty];
	const hasBook = settings.book !== undefined || ofCredential.length > 0;
	for (const { displayName, name } of person && !hasBook ? rulesOfMemory(person.rules) : []) {
		problemsOfItem.add(`${needsBook(displayName)}, or remove the rule`);
		faulty.push(`contactRules.${name}`);
	}
	const hasProblems = problemsOfItem.size + ofCredential.length > 0;
	if (operation.waits && !hasBook) problemsOfItem.add(needsBook(operation.name));
	const { check } = operation;
	const problem = hasProblems ? undefined : check?.problem(properties);
	if (check && problem !== undefined) {
		const { displayName, name } = check.field.property;
		problemsOfItem.add(`${displayName}: ${problem}`);
		faulty.push(name);
	}
	const redirection = redirect(operation, settings.mode);
	if (redirection === undefined) ofCredential.push(NOT_REDIRECTED);
	const { mode } = settings;
	const redirectedTo = mode.kind === 'redirect' && person ? mode.testNumber : undefined;
	const identity = {
		operation,
		input,
		recipient: properties[operation.recipient ?? ''],
		isRedirected: redirectedTo !== undefined,
	};
	const subject = subjectOf(identity);
	const read = {
		index,
		operation,
		...(subject !== undefined && { subject }),
		simplify: operation.waits === true || options.values.simplify !== false,
		...(person && { person }),
		...(redirectedTo !== undefined && { redirectedTo }),
	};
	if (problemsOfItem.size + ofCredential.length > 0) {
		if (ofCredential.length > 0) faulty.push(CREDENTIAL);
		const problems = [...problemsOfItem, ...ofCredential];
		const isOfItem = problemsOfItem.size > 0;
		return { kind: 'faulty', ...read, problems, isOfItem, faulty };
	}

	const delivery = itemOptions.parse({ ...options.values, waitAtMost: item.values.waitAtMost });
	const { fallback } = operation;
	const beside = (other: Operation): ServiceRequest => {
		const fromFields = toProperties(other.fields, item.values);
		return createRequest(other, { ...fromFields, ...shared, ...redirection }, delivery.timeout);
	};
	const requests = {
		request: createRequest(operation, { ...properties, ...redirection }, delivery.timeout),
		...(fallback &&
			item.values[fallback.field] === fallback.value && { fallback: beside(fallback.operation) }),
	};
	return {
		kind: 'sendable',
		...read,
		properties,
		...requests,
		...(isTool && { subject: subjectOfCall(identity, [requests.request, requests.fallback]) }),
		options: delivery,
	};
}

const needsBook = (what: string): string =>
	`"${what}" needs the contact book: turn on "Contact Book" in the credential`;

/** Who an item is for; `undefined` if the operation does not reach one person. */
function readPerson(
	{ recipient, rules }: Operation,
	{ values, given }: Reading,
	reference: unknown,
	addedRules: FieldValues,
): Person | undefined {
	if (rules === undefined || recipient === undefined) return undefined;
	const cleaned = values[recipient];
	return {
		toNumber: typeof cleaned === 'string' ? cleaned : shownText(given[recipient]),
		...(typeof reference === 'string' && { reference }),
		rules: rulesOf(addedRules),
	};
}

/** A value that cannot be read, as it was entered. */
function shownText(value: unknown): string {
	if (isBlank(value)) return '';
	try {
		return (typeof value === 'string' ? value.trim() : JSON.stringify(value)).slice(0, MAX_SHOWN);
	} catch (error) {
		return problemOf(error).slice(0, MAX_SHOWN);
	}
}

const NOT_REDIRECTED =
	'The credential redirects to a test number, and this operation cannot be redirected. Choose a credential with another mode';

/** What a redirection changes in the requests; `undefined` if the operation reaches people and cannot be redirected. */
function redirect(
	{ recipient, rules }: Operation,
	mode: Mode,
): Readonly<Record<string, string>> | undefined {
	if (mode.kind !== 'redirect' || recipient === undefined) return {};
	return rules === undefined ? undefined : { [recipient]: mode.testNumber };
}

/** The values of the fields that are sent, by the names of the request; `undefined` is left out. */
function toProperties(fields: readonly Field[], values: FieldValues): RequestProperties {
	const properties: Record<string, unknown> = {};
	for (const { property, sentAs } of fields) {
		const value = values[property.name];
		if (sentAs !== undefined && value !== undefined) properties[sentAs] = value;
	}
	return properties;
}
