import { ASSISTANT_ID, PROMPT, WORKSPACE_ID } from '../simulator/seed';
import type { OperationEntries } from './row';

const assistantId = ASSISTANT_ID;
const inAssistant = `${WORKSPACE_ID}/${ASSISTANT_ID}`;

export const assistant: OperationEntries = {
	getPrompt: {
		section: '4.16',
		parameters: { assistantId },
		method: 'GET',
		path: `/v1/assistants/getPrompt/${inAssistant}`,
		answer: { prompt: PROMPT },
		output: [{ prompt: PROMPT }],
	},
	setLock: {
		section: '4.14',
		parameters: { assistantId, locked: true },
		method: 'PUT',
		path: `/v1/assistants/updateAssistantVisibility/${inAssistant}`,
		body: { locked: true },
		answer: { success: true, assistant: { id: assistantId, locked: true } },
		output: [{ id: assistantId, locked: true, success: true }],
		variants: {
			'unlocked again': {
				parameters: { locked: false },
				body: { locked: false },
				answer: { success: true, assistant: { id: assistantId, locked: false } },
				output: [{ id: assistantId, locked: false, success: true }],
			},
		},
	},
	updatePrompt: {
		section: '4.15',
		parameters: { assistantId, prompt: 'Be brief.' },
		method: 'POST',
		path: `/v1/assistants/updatePrompt/${inAssistant}`,
		body: { prompt: 'Be brief.' },
		answer: { prompt: 'Be brief.' },
		output: [{ prompt: 'Be brief.' }],
	},
};
