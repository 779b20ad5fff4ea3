import {
	CONVERSATIONS,
	CUSTOMER_NUMBER,
	KNOWLEDGE_BASE,
	KNOWN_USER,
	TO_NUMBER,
} from '../../test/simulator/seed';
import type { Simulator } from '../../test/simulator/simulator';
import { WEBHOOK_HEADER, WEBHOOK_SECRET } from '../setup';
import { buttons, type Row } from './row';

/** A value to try a field with: the name of the field in n8n, the value, and what it is. */
export type Sample = readonly [name: string, value: string, what: string];

const [PARAGRAPH_KEY = ''] = Object.keys(KNOWLEDGE_BASE.paragraphs);

/** What the simulated service holds at its start, by the names of the fields that take it. */
export function samplesOf(simulator: Simulator): readonly Sample[] {
	const [template] = simulator.templates;
	const language = template.language;
	return [
		['Assistant ID', simulator.assistantId, 'the assistant of a practice'],
		['From Number', simulator.fromNumber, 'linked to the assistant'],
		['To Number', TO_NUMBER, 'a contact who has never written'],
		['To Number', CUSTOMER_NUMBER, 'a msgapp customer who has just written'],
		['Template Name', template.name, `an approved template, in the language ${language}`],
		[
			'Knowledge Base ID',
			simulator.knowledgeBaseId,
			`"${KNOWLEDGE_BASE.label}", a list of paragraphs`,
		],
		['Paragraph Key', PARAGRAPH_KEY, 'a paragraph of it'],
		['User Identifier', KNOWN_USER, 'a user with a chat conversation'],
		['Conversation ID', CONVERSATIONS[KNOWN_USER]._id, 'the conversation of this user'],
		['Sheet URL', 'https://sheets.example/contacts', 'for a bulk campaign; it is not opened'],
		['Workspace ID', simulator.workspaceId, 'of the credential, which n8n has already'],
		['Base URL', simulator.baseUrl, 'of the credential, too'],
		['Header Name', WEBHOOK_HEADER, "of the trigger's credential"],
		['Secret', WEBHOOK_SECRET, "of the trigger's credential"],
	];
}

/** The same as rows of the page, each with a button that copies. */
export const sampleRows = (simulator: Simulator): Row[] =>
	samplesOf(simulator).map(([title, value, what], index) => ({
		...{ id: String(index), title, code: value, quiet: what },
		actions: buttons({
			text: 'Copy',
			label: `Copy ${title}: ${what}`,
			copies: title,
			values: { text: value },
		}),
	}));
