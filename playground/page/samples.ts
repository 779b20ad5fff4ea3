import { TEST_COMMAND } from '../../nodes/AssistantServiceTrigger/panel';
import {
	CONVERSATIONS,
	CUSTOMER_NUMBER,
	KNOWLEDGE_BASE,
	KNOWN_USER,
	TO_NUMBER,
} from '../../test/simulator/seed';
import type { Simulator } from '../../test/simulator/simulator';
import { WEBHOOK_HEADER, WEBHOOK_SECRET } from '../setup';

/** A value to try a field with. */
export interface Sample {
	/** The name of the field in n8n. */
	name: string;
	value: string;
	what: string;
}

/** The command of the trigger's panel, with the secret of the credential here. */
export const testCommand = TEST_COMMAND.replace('SECRET', WEBHOOK_SECRET);

const [PARAGRAPH_KEY = ''] = Object.keys(KNOWLEDGE_BASE.paragraphs);

/** What the simulated service holds at its start, by the names of the fields that take it. */
export function samplesOf(simulator: Simulator): Sample[] {
	const [template] = simulator.templates;
	return [
		{ name: 'Assistant ID', value: simulator.assistantId, what: 'the assistant of a practice' },
		{ name: 'From Number', value: simulator.fromNumber, what: 'linked to the assistant' },
		{ name: 'To Number', value: TO_NUMBER, what: 'a contact who has never written' },
		{ name: 'To Number', value: CUSTOMER_NUMBER, what: 'a msgapp customer who has just written' },
		{
			name: 'Template Name',
			value: template?.name ?? '',
			what: `an approved template, in the language ${template?.language ?? ''}`,
		},
		{
			name: 'Knowledge Base ID',
			value: simulator.knowledgeBaseId,
			what: `"${KNOWLEDGE_BASE.label}", a list of paragraphs`,
		},
		{ name: 'Paragraph Key', value: PARAGRAPH_KEY, what: 'a paragraph of it' },
		{ name: 'User Identifier', value: KNOWN_USER, what: 'a user with a chat conversation' },
		{
			name: 'Conversation ID',
			value: CONVERSATIONS[KNOWN_USER]._id,
			what: 'the conversation of this user',
		},
		{
			name: 'Sheet URL',
			value: 'https://sheets.example/contacts',
			what: 'for a bulk campaign; it is not opened',
		},
		{
			name: 'Workspace ID',
			value: simulator.workspaceId,
			what: 'of the credential, which n8n has already',
		},
		{ name: 'Base URL', value: simulator.baseUrl, what: 'of the credential, too' },
		{ name: 'Header Name', value: WEBHOOK_HEADER, what: "of the trigger's credential" },
		{ name: 'Secret', value: WEBHOOK_SECRET, what: "of the trigger's credential" },
	];
}
