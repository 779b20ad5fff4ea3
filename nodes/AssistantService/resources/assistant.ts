import { flagField, textField } from '../../shared/declaration/field';
import { defineOperation, endpoint, type Resource } from '../../shared/declaration/operation';
import { at, pick } from '../answerParts';
import { marker } from '../../shared/answer/answerRules';
import { text } from '../../shared/declaration/schemas';
import { assistantId, reading } from './fields';

const getPrompt = defineOperation({
	name: 'Get Prompt',
	value: 'getPrompt',
	action: 'Get the prompt of an assistant',
	description: 'Retrieve the instructions that an assistant follows',
	specification: '4.16',
	request: endpoint('GET', '/v1/assistants/getPrompt/{workspaceId}/{assistantId}'),
	toolDescription:
		'Reads the prompt of an AI assistant: the instructions that it follows. Changes nothing.',
	fields: [assistantId],
	...reading,
	successMarkers: { prompt: marker.anyText },
	simplify: pick('prompt'),
});

const locked = flagField({
	displayName: 'Locked',
	name: 'locked',
	sentAs: 'locked',
	default: true,
	description: 'Whether to lock the assistant or, if off, to unlock it',
});

const setLock = defineOperation({
	name: 'Lock or Unlock',
	value: 'setLock',
	action: 'Lock or unlock an assistant',
	description: 'Lock an assistant, or unlock it again',
	specification: '4.14',
	request: endpoint('PUT', '/v1/assistants/updateAssistantVisibility/{workspaceId}/{assistantId}'),
	toolDescription: 'Locks an AI assistant, or unlocks it again.',
	fields: [assistantId, locked],
	writesFor: ['assistantId'],
	repeatable: true,
	done: 'set',
	successMarkers: { success: marker.done, assistant: marker.filledObject },
	simplify: (answer) => ({
		id: at(answer, 'assistant', 'id'),
		locked: at(answer, 'assistant', 'locked'),
		...pick('success')(answer),
	}),
});

const prompt = textField({
	displayName: 'Prompt',
	name: 'prompt',
	typeOptions: { rows: 8 },
	placeholder: 'e.g. You are the friendly receptionist of a dental practice.',
	description:
		'The instructions that the assistant follows from now on, which replace the old ones',
	schema: text,
});

const updatePrompt = defineOperation({
	name: 'Update Prompt',
	value: 'updatePrompt',
	action: 'Update the prompt of an assistant',
	description: 'Replace the instructions that an assistant follows',
	specification: '4.15',
	request: endpoint('POST', '/v1/assistants/updatePrompt/{workspaceId}/{assistantId}'),
	toolDescription:
		'Replaces the whole prompt of an AI assistant: the instructions that it follows in all conversations from now on. Give the complete new text. What it leaves out is gone.',
	fields: [assistantId, prompt],
	writesFor: ['assistantId'],
	repeatable: true,
	done: 'updated',
	successMarkers: { prompt: marker.anyText },
	simplify: pick('prompt'),
});

/** The settings of an assistant (S 4.14 to 4.16). */
export const assistant: Resource = {
	name: 'Assistant',
	value: 'assistant',
	operations: [getPrompt, setLock, updatePrompt],
	defaultOperation: getPrompt,
};
