import { KNOWLEDGE_BASE, KNOWLEDGE_BASE_ID, WORKSPACE_ID } from '../simulator/seed';
import type { OperationEntries } from './row';

const knowledgeBaseId = KNOWLEDGE_BASE_ID;
const inKnowledgeBase = `${WORKSPACE_ID}/${KNOWLEDGE_BASE_ID}`;
const { label } = KNOWLEDGE_BASE;
const stored = Object.entries(KNOWLEDGE_BASE.paragraphs);

export const knowledgeBase: OperationEntries = {
	addParagraphs: {
		section: '4.11',
		isSentOnce: true,
		parameters: { knowledgeBaseId, paragraphs: { values: [{ text: 'One' }, { text: 'Two' }] } },
		method: 'POST',
		path: `/v1/knowledgeBase/addParagraph/${inKnowledgeBase}`,
		body: { paragraphs: [{ value: { data: 'One' } }, { value: { data: 'Two' } }] },
		answer: { msg: 'Paragraphs added: 2' },
		output: [{ msg: 'Paragraphs added: 2', added: 2 }],
		variants: {
			'a text with blank lines': {
				parameters: { paragraphSource: 'text', text: 'One\r\n \r\nTwo\n\n\n' },
			},
			'a JSON list': {
				parameters: { paragraphSource: 'json', paragraphsJson: '["One", "Two"]' },
			},
		},
	},
	get: {
		section: '4.12',
		parameters: { knowledgeBaseId },
		method: 'GET',
		path: `/v1/knowledgeBase/getKnowledgeBase/${inKnowledgeBase}`,
		answer: {
			knowledgeBase: {
				label,
				paragraphs: stored.map(([key, data]) => ({ key, value: { data } })),
			},
		},
		output: stored.map(([key, text]) => ({ key, text, knowledgeBase: label })),
	},
	deleteParagraph: {
		section: '4.13',
		parameters: {
			knowledgeBaseId,
			paragraphKey: { __rl: true, mode: 'list', value: 'parking' },
		},
		method: 'DELETE',
		path: `/v1/knowledgeBase/deleteParagraph/${inKnowledgeBase}/parking`,
		answer: { msg: 'Paragraph deleted' },
		output: [{ deleted: true, paragraphKey: 'parking', msg: 'Paragraph deleted' }],
		variants: {
			'by key': { parameters: { paragraphKey: { __rl: true, mode: 'id', value: 'parking' } } },
		},
	},
};
