import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';

import { menu } from '../../nodes/AssistantService/resources';
import { messageOf } from '../../nodes/shared/answer/failure';
import { tellFault } from '../../nodes/shared/answer/valueFault';
import type { Host } from '../../nodes/shared/host';
import type { Operation } from '../../nodes/shared/declaration/operation';
import { checkCredential } from '../../nodes/shared/service/credential';
import { isSendable, type Item, type Sendable } from '../../nodes/shared/items/item';
import { readItem } from '../../nodes/shared/items/readItem';
import { digest, isObject } from '../../nodes/shared/values';
import { bookFields } from '../contactBook/bookFields';
import { rowOf } from '../operations';
import { casesOf, type OperationCase } from '../operations/row';
import { ASSISTANT_ID, FROM_NUMBER, WORKSPACE_ID } from '../simulator/seed';

export { ASSISTANT_ID, KNOWLEDGE_BASE_ID, WORKSPACE_ID } from '../simulator/seed';
export type Values = Readonly<Record<string, unknown>>;

export const OTHER_ID = '0b6f0f9c-2222-4333-8444-555566667777';

/** What n8n tells of the first run of an execution. */
export const hostOf = (more: Partial<Host> = {}): Host => ({
	node,
	nodeName: `workflow ${(more.node ?? node).id}`,
	workflowId: 'workflow',
	logger: { info: () => undefined, warn: () => undefined },
	addHint: () => undefined,
	toolHost: undefined,
	executionId: '1',
	runIndex: '0',
	isRetry: false,
	isSubWorkflow: false,
	retryToken: '',
	maxTries: 1,
	...more,
});

export const node: INode = {
	id: '1',
	name: 'Assistant Service',
	type: 'n8n-nodes-assistant-service.assistantService',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A call for each item of `to` numbers, as it is entered. */
export const placeCall: INodeParameters = {
	resource: 'call',
	operation: 'place',
	assistantId: ASSISTANT_ID,
	fromNumber: FROM_NUMBER,
	toNumber: '={{ $json.to }}',
	options: {},
};

/** Every operation by its resource and its own name, e.g. "chat.start". */
export const operations: ReadonlyMap<string, Operation> = new Map(
	menu.resources.flatMap(({ value, operations: group }) =>
		group.map((operation) => [`${value}.${operation.value}`, operation] as const),
	),
);

export function operationOf(path: string): Operation {
	const operation = operations.get(path);
	if (operation === undefined) throw new Error(`There is no operation ${path}`);
	return operation;
}

/** A property with those inside of it: options of a collection, fields of its rows. */
export const withInner = (property: INodeProperties): INodeProperties[] => {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...inner.flatMap(withInner)];
};

/** The values that a case enters, as n8n hands them over: of a choice from a list, what was chosen. */
export const valuesOf = ({ parameters }: OperationCase): Values =>
	Object.fromEntries(
		Object.entries(parameters).map(([name, entered]) => [
			name,
			isObject(entered) && '__rl' in entered ? entered.value : entered,
		]),
	);

/** What an operation is given for a parameter in the first of its cases that does. */
function enteredFor(path: string, name: string): unknown {
	const given = casesOf(rowOf(path))
		.map(valuesOf)
		.find((values) => name in values);
	if (given === undefined)
		throw new Error(
			`No case of ${path} enters ${name}: add a variant to its row in test/operations`,
		);
	return given[name];
}

const entered = [...operations].flatMap(([path, { fields }]) =>
	fields
		.filter(({ property, schema }) => !schema.safeParse(property.default).success)
		.map(({ property: { name } }) => [name, enteredFor(path, name)] as const),
);

/** A good value for each parameter that has no good default: what the first operation that needs it is given. */
export const GOOD_VALUES: Values = Object.fromEntries(entered.reverse());

/** A credential that sends everything, but for these fields. */
export const credentialOf = (changes: Values = {}) => ({
	baseUrl: 'https://assistant.example.com/api',
	apiKey: 'a good key',
	workspaceId: WORKSPACE_ID,
	mode: 'live',
	...changes,
});

/** What such a credential has with a contact book. */
export const BOOK_FIELDS = bookFields({ baseUrl: 'http://localhost:5678', apiKey: 'n8n key' });

/** With one of these, each field of an operation is shown. */
export const SETTINGS: readonly Values[] = [
	{},
	{ specifyAttributes: 'json', campaignType: 'sms', continueBy: 'conversationId' },
	{ campaignType: 'msgapp', paragraphSource: 'text', whenWindowClosed: 'sendTemplate' },
	{ paragraphSource: 'json' },
];

export const planOrProblems = (
	path: string,
	values: Values = {},
	credential: Values = operationOf(path).waits ? BOOK_FIELDS : {},
) => {
	const all: Values = { ...GOOD_VALUES, ...values };
	return readItem(
		operationOf(path),
		({ property: { name, default: preset } }) => (name in all ? all[name] : preset),
		checkCredential(credentialOf(credential)),
		() => digest(JSON.stringify({ ...values, options: undefined, contactRules: undefined })),
	);
};

/** What is told of an item that cannot be sent; nothing of another. */
export const problemsOf = (item: Item): string[] =>
	isSendable(item) ? [] : (item.failure.faults ?? []).map(tellFault);

export function sendable(item: Item): Sendable {
	if (!isSendable(item)) throw new Error(messageOf(item.failure));
	return item;
}

export const planOf = (path: string, values: Values = {}): Sendable =>
	sendable(planOrProblems(path, values));

export const REFUSED = 'refused';

/** The value that a schema makes of an input, or that it is refused. */
export function valueOf(
	schema: { safeParse: (value: unknown) => { success: boolean; data?: unknown } },
	input: unknown,
): unknown {
	const result = schema.safeParse(input);
	return result.success ? result.data : REFUSED;
}
