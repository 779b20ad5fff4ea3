import type { RequestProperties } from '../answer/answerRules';
import { invalidInput } from '../answer/failure';
import { faultOf, type Fault } from '../answer/valueFault';
import type { Field } from '../declaration/field';
import { readJson } from '../declaration/json';
import type { Operation } from '../declaration/operation';
import { itemOptions, optionsField } from '../declaration/options';
import { addedRules, rulesOf, rulesOfBook } from '../rules/contactRules';
import { MAX_SHOWN } from '../rules/person';
import { isContainer, toPlainText } from '../values';
import type { CredentialSettings } from '../service/credential';
import type { Item } from './item';
import { readCollection, readFields, type FieldValues, type ParameterReader } from './reading';
import { createRequest, type ServiceRequest } from '../service/serviceRequest';
import { subjectOf, subjectOfCall } from './subject';

/**
 * Reads the parameters of one item, each once, and makes its requests. Nothing is sent here: an
 * item with a value that a schema refuses has faults instead, those of the credential last.
 *
 * @param input names what was entered and the input item, the same over all tries
 */
export function readItem(
	operation: Operation,
	readParameter: ParameterReader,
	settings: CredentialSettings,
	input: () => string,
	isTool = false,
	index = 0,
): Item {
	const { recipient, check, fallback } = operation;
	const recipientName = recipient ?? '';
	const { values, entered, faults: ofFields } = readFields(operation.fields, readParameter);
	const presetOf = ({ property, toolDefault }: Field): unknown =>
		(isTool ? toolDefault : undefined) ?? property.default;
	const options = readCollection(optionsField, operation.options, readParameter, values, presetOf);
	const rules =
		operation.rules && readCollection(addedRules, operation.rules, readParameter, values);
	const faults: Fault[] = [...ofFields, ...options.faults, ...(rules?.faults ?? [])];
	const { reference } = options.values;
	const person = rules && {
		toNumber: shownText(values[recipientName] ?? entered[recipientName]),
		...(typeof reference === 'string' && { reference }),
		rules: rulesOf(rules.values),
	};
	const fromOptions = toProperties(operation.options, options.values);
	// The options that are sent go with each request of the item: the main one and the fallback.
	const propertiesOf = ({ fields }: Operation): RequestProperties => ({
		...toProperties(fields, values),
		...fromOptions,
		workspaceId: fromOptions.workspaceId ?? settings.workspaceId,
	});
	const properties = propertiesOf(operation);
	const ofCredential = [
		...(fromOptions.workspaceId === undefined ? settings.workspaceFaults : []),
		...settings.faults,
		...(operation.request.method === 'GET' ? [] : settings.bookFaults),
	];
	const hasBook = settings.book !== undefined || ofCredential.length > 0;
	for (const { displayName, name } of person && !hasBook ? rulesOfBook(person.rules) : [])
		faults.push(
			faultOf(`${needsBook(displayName)}, or remove the rule`, { field: `contactRules.${name}` }),
		);
	if (operation.waits && !hasBook) ofCredential.push(faultOf(needsBook(operation.name)));
	const { mode } = settings;
	if (mode.kind === 'redirect' && recipient !== undefined && !person)
		ofCredential.push(faultOf(NOT_REDIRECTED));
	faults.push(...ofCredential);
	const problem = faults.length === 0 ? check?.problem(properties) : undefined;
	if (check && problem !== undefined) {
		const { name: field, displayName: name } = check.field.property;
		faults.push(faultOf(problem, { field, name }));
	}

	const redirectedTo = mode.kind === 'redirect' && person ? mode.testNumber : undefined;
	const isRedirected = redirectedTo !== undefined;
	const number = properties[recipientName];
	const subject = subjectOf(operation, number, isRedirected, input);
	const simplify = operation.waits === true || options.values.simplify !== false;
	const read = { index, operation, subject, simplify, person, redirectedTo };
	if (faults.length > 0) {
		const what = faults[0]?.field === undefined ? 'credential' : 'value';
		// An agent gives values, and knows no expression.
		const special = isTool ? [] : faults.filter(({ field = '' }) => field === recipient);
		const hint = special[0]?.hint ?? `Correct the ${what} and try again.`;
		return { kind: 'unsendable', ...read, failure: invalidInput({ faults, hint }) };
	}

	const delivery = itemOptions.parse({ ...options.values, waitAtMost: values.waitAtMost });
	const redirected = isRedirected ? { [recipientName]: redirectedTo } : {};
	const makeRequest = (sent: Operation): ServiceRequest =>
		createRequest(sent, { ...propertiesOf(sent), ...redirected }, delivery.timeout);
	const request = makeRequest(operation);
	const hasFallback = fallback && values[fallback.field] === fallback.value;
	const instead = hasFallback ? makeRequest(fallback.operation) : undefined;
	return {
		kind: 'sendable',
		...read,
		...{ properties, request, fallback: instead, options: delivery },
		...(isTool && { subject: subjectOfCall(number, isRedirected, [request, instead]) }),
	};
}

const needsBook = (what: string): string =>
	`"${what}" needs the contact book: turn on "Contact Book" in the credential`;

export const NOT_REDIRECTED =
	'The credential redirects to a test number, and this operation cannot be redirected. Choose a credential with another mode';

function shownText(value: unknown): string {
	const read = isContainer(value) ? readJson(value) : undefined;
	const text = read?.kind === 'read' ? JSON.stringify(read.value) : toPlainText(value);
	return text.slice(0, MAX_SHOWN);
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
