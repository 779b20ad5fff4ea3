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

const [PARAGRAPH_KEY = ''] = Object.keys(KNOWLEDGE_BASE.paragraphs);

/** What the simulated service holds at its start, by the names of the fields in n8n that take it, to be copied. */
export function sampleRows(simulator: Simulator): Row[] {
	const [{ name, language }] = simulator.templates;
	return [
		['Assistant ID', simulator.assistantId, 'the assistant of a practice'],
		['From Number', simulator.fromNumber, 'linked to the assistant'],
		['To Number', TO_NUMBER, 'a contact who has never written'],
		['To Number', CUSTOMER_NUMBER, 'a msgapp customer who has just written'],
		['Template Name', name, `an approved template, in the language ${language}`],
		['Knowledge Base ID', simulator.knowledgeBaseId, 'a list of paragraphs'],
		['Paragraph Key', PARAGRAPH_KEY, 'a paragraph of it'],
		['User Identifier', KNOWN_USER, 'a user with a chat conversation'],
		['Conversation ID', CONVERSATIONS[KNOWN_USER]._id, 'the conversation of this user'],
		['Sheet URL', 'https://sheets.example/contacts', 'for a bulk campaign; it is not opened'],
		['Workspace ID', simulator.workspaceId, 'of the credential, which n8n has already'],
		['Base URL', simulator.baseUrl, 'of the credential, too'],
		['Webhook Header', WEBHOOK_HEADER, 'of the credential, for the trigger'],
		['Webhook Secret', WEBHOOK_SECRET, 'of the credential, for the trigger'],
	].map(([title = '', value = '', what = ''], index) => ({
		...{ id: String(index), title, code: value, quiet: what },
		actions: buttons({
			text: 'Copy',
			label: `Copy ${title}: ${what}`,
			copies: title,
			values: { text: value },
		}),
	}));
}
