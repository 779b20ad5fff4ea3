import { defineField, menuField, shownFor, textField } from '../../shared/declaration/field';
import { defineOperation, endpoint, type Resource } from '../../shared/declaration/operation';
import { listAt, at, pick } from '../answerParts';
import { marker } from '../../shared/answer/answerRules';
import { identifier, uuid } from '../../shared/declaration/schemas';
import { reading } from './fields';
import { paragraphRows, paragraphsOfJson, paragraphsOfText } from './paragraphs';

const knowledgeBaseId = textField({
	displayName: 'Knowledge Base ID',
	name: 'knowledgeBaseId',
	sentAs: 'kbId',
	placeholder: 'e.g. 7d9e2f40-1b3c-4a5d-8e6f-0a1b2c3d4e5f',
	description: 'The ID of the knowledge base, from the dashboard of the service',
	schema: uuid,
});

const paragraphSource = menuField({
	displayName: 'Enter Paragraphs',
	name: 'paragraphSource',
	options: [
		{ name: 'As JSON', value: 'json', description: 'A JSON array of texts' },
		{ name: 'As One Text', value: 'text', description: 'One text, split at blank lines' },
		{ name: 'One by One', value: 'fields', description: 'One field for each paragraph' },
	],
	default: 'fields',
	description: 'How to enter the paragraphs to add',
});

const paragraphs = defineField({
	displayName: 'Paragraphs',
	name: 'paragraphs',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Paragraph',
	default: {},
	options: [
		{
			displayName: 'Paragraph',
			name: 'values',
			values: [
				{
					displayName: 'Text',
					name: 'text',
					type: 'string',
					typeOptions: { rows: 3 },
					default: '',
					placeholder: 'e.g. We are open from Monday to Friday, 9 to 18.',
					description: 'The plain text of the paragraph',
				},
			],
		},
	],
	description: 'The paragraphs to add',
	...paragraphRows,
});

const text = textField({
	displayName: 'Text',
	name: 'text',
	typeOptions: { rows: 6 },
	placeholder: 'e.g. We are open from Monday to Friday, 9 to 18.',
	description: 'The plain text to add. Each block between blank lines becomes a paragraph.',
	...paragraphsOfText,
});

const paragraphsJson = defineField({
	displayName: 'Paragraphs (JSON)',
	name: 'paragraphsJson',
	type: 'json',
	default: '[]',
	required: true,
	placeholder: 'e.g. ["We are open from 9 to 18."]',
	description:
		'A JSON array of texts, or of objects as the service takes them: { "value": { "data": "..." } }',
	...paragraphsOfJson,
});

const addParagraphs = defineOperation({
	name: 'Add Paragraphs',
	value: 'addParagraphs',
	action: 'Add paragraphs to a knowledge base',
	description: 'Add plain text to a knowledge base, one paragraph or many',
	specification: '4.11',
	request: endpoint('POST', '/v1/knowledgeBase/addParagraph/{workspaceId}/{kbId}'),
	toolDescription:
		'Adds plain text to what an AI assistant knows. Each use adds it once more, so add a text only once.',
	fields: [
		knowledgeBaseId,
		paragraphSource,
		shownFor(paragraphSource, ['fields'], paragraphs),
		shownFor(paragraphSource, ['text'], text),
		shownFor(paragraphSource, ['json'], paragraphsJson),
	],
	writesFor: { nobody: 'adds, and replaces nothing' },
	repeatable: false,
	done: 'added',
	successMarkers: { msg: marker.filledText },
	simplify: (answer, { properties }) => ({
		...pick('msg')(answer),
		added: Array.isArray(properties.paragraphs) ? properties.paragraphs.length : null,
	}),
});

/** Reads a whole knowledge base; the list of Paragraph is filled by it too. */
export const getKnowledgeBase = defineOperation({
	name: 'Get Paragraphs',
	value: 'get',
	action: 'Get the paragraphs of a knowledge base',
	description: 'Retrieve all paragraphs of a knowledge base, one item for each',
	specification: '4.12',
	request: endpoint('GET', '/v1/knowledgeBase/getKnowledgeBase/{workspaceId}/{kbId}'),
	toolDescription: 'Reads all paragraphs of a knowledge base, each with its key. Changes nothing.',
	fields: [knowledgeBaseId],
	...reading,
	successMarkers: { knowledgeBase: marker.knowledgeBase },
	simplify: (answer) =>
		listAt(answer, 'knowledgeBase', 'paragraphs').map((paragraph) => ({
			key: at(paragraph, 'key'),
			text: at(paragraph, 'value', 'data'),
			knowledgeBase: at(answer, 'knowledgeBase', 'label'),
		})),
});

const paragraphKey = defineField({
	displayName: 'Paragraph',
	name: 'paragraphKey',
	sentAs: 'paragraphKey',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		'The paragraph to delete. Choose it from the list, or enter its key from the output of Get Paragraphs.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a paragraph...',
			typeOptions: { searchListMethod: 'searchParagraphs', searchable: true },
		},
		{ displayName: 'By Key', name: 'id', type: 'string', placeholder: 'e.g. 0b6f0f9c' },
	],
	builderHint: {
		propertyHint:
			'The key of a paragraph, as the operation get returns it. Use the mode "id" for an expression.',
	},
	schema: identifier,
});

const deleteParagraph = defineOperation({
	name: 'Delete Paragraph',
	value: 'deleteParagraph',
	action: 'Delete a paragraph from a knowledge base',
	description: 'Delete a paragraph of a knowledge base permanently',
	specification: '4.13',
	request: endpoint(
		'DELETE',
		'/v1/knowledgeBase/deleteParagraph/{workspaceId}/{kbId}/{paragraphKey}',
	),
	toolDescription:
		'Deletes a paragraph of a knowledge base. It cannot be undone. The key of a paragraph is the one that the knowledge base returns.',
	fields: [knowledgeBaseId, paragraphKey],
	writesFor: { nobody: 'what is deleted is gone in any order' },
	repeatable: true,
	done: 'deleted',
	doneIfGone: true,
	successMarkers: { msg: marker.filledText },
	simplify: (answer, { properties }) => ({
		deleted: true,
		paragraphKey: typeof properties.paragraphKey === 'string' ? properties.paragraphKey : null,
		...pick('msg')(answer),
	}),
});

/** What an assistant knows (S 4.11 to 4.13). */
export const knowledgeBase: Resource = {
	name: 'Knowledge Base',
	value: 'knowledgeBase',
	operations: [addParagraphs, deleteParagraph, getKnowledgeBase],
	defaultOperation: addParagraphs,
};
