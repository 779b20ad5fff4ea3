import type { INode } from 'n8n-workflow';

import { menu } from '../../nodes/AssistantService/resources';
import type { Field } from '../../nodes/shared/declaration/field';
import type { Operation } from '../../nodes/shared/declaration/operation';
import { checkCredential } from '../../nodes/shared/request/credential';
import { planItem, type ItemPlan } from '../../nodes/shared/request/request';

export const WORKSPACE_ID = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d';
export const ASSISTANT_ID = '3f2b8c1e-5d4a-4e7b-9c6f-1a2b3c4d5e6f';
export const KNOWLEDGE_BASE_ID = '7d9e2f40-1b3c-4a5d-8e6f-0a1b2c3d4e5f';
export const OTHER_ID = '0b6f0f9c-2222-4333-8444-555566667777';

export const node: INode = {
	id: '1',
	name: 'Assistant Service',
	type: 'n8n-nodes-assistant-service.assistantService',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
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

/** A good value for each parameter that has no good default. */
export const GOOD_VALUES: Readonly<Record<string, unknown>> = {
	assistantId: ASSISTANT_ID,
	knowledgeBaseId: KNOWLEDGE_BASE_ID,
	userIdentifier: 'customer-4711',
	conversationId: '665f1c2e9b1e8a0012ab34cd',
	question: 'When are you open?',
	fromNumber: '+4930123456',
	toNumber: '+4915112345678',
	message: 'Hello',
	templateName: 'appointment_reminder',
	templateLanguage: 'en',
	language: 'de',
	campaignName: 'Spring',
	sheetUrl: 'https://example.com/contacts.xlsx',
	description: 'Reminders',
	paragraphs: { values: [{ text: 'Open from 9 to 18.' }] },
	text: 'One\n\nTwo',
	paragraphsJson: '["One"]',
	paragraphKey: 'p-1',
	prompt: 'Be brief.',
};

export type Values = Readonly<Record<string, unknown>>;

/** The value of a parameter as n8n gives it: what is set, else its default. */
export const readFrom =
	(values: Values) =>
	({ property }: Field): unknown =>
		property.name in values ? values[property.name] : property.default;

/** The credential of these tests. */
export const credentialOf = (workspaceId: unknown) => ({
	baseUrl: 'https://assistant.example.com/api',
	apiKey: 'a good key',
	workspaceId,
});

export const planOrProblems = (path: string, values: Values = {}, workspaceId = WORKSPACE_ID) =>
	planItem(
		operationOf(path),
		readFrom({ ...GOOD_VALUES, ...values }),
		checkCredential(credentialOf(workspaceId)),
		JSON.stringify({ ...values, options: undefined }),
	);

/** The plan of an item with good values but for these. */
export function planOf(path: string, values: Values = {}, workspaceId = WORKSPACE_ID): ItemPlan {
	const plan = planOrProblems(path, values, workspaceId);
	if ('problems' in plan) throw new Error(plan.problems.join('; '));
	return plan;
}

/** The names of the parameters that are read for an item, in their order. */
export function namesRead(path: string, values: Values = {}): string[] {
	const read = readFrom({ ...GOOD_VALUES, ...values });
	const names: string[] = [];
	planItem(
		operationOf(path),
		(field) => {
			names.push(field.property.name);
			return read(field);
		},
		checkCredential(credentialOf(WORKSPACE_ID)),
		'',
	);
	return names;
}

/** The value that a schema makes of an input, or "refused". */
export function valueOf(
	schema: { safeParse: (value: unknown) => { success: boolean; data?: unknown } },
	input: unknown,
): unknown {
	const result = schema.safeParse(input);
	return result.success ? result.data : 'refused';
}
