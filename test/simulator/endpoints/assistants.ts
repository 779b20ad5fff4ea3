import { z } from 'zod';
import { endpoint, ok } from '../endpoint';
import type { ErrorStyle } from '../errors';
import { noBody, text } from '../schemas';

/** S 7.2. Own choice: an invalid and a forbidden key are answered in `message`, as a missing one is. */
const errorStyle = (serverError: string): ErrorStyle => ({
	field: 'error',
	fields: { missingKey: 'message', invalidKey: 'message', forbidden: 'message' },
	texts: {
		invalidInput: 'Invalid workspace or assistant ID',
		notFound: 'Assistant not found',
		serverError,
	},
});

const PROMPT_ERRORS = errorStyle('Failed to retrieve model settings');

/** S 4.14. Own choice: a locked assistant still works. */
export const setLock = endpoint({
	method: 'PUT',
	path: '/v1/assistants/updateAssistantVisibility/{workspaceId}/{assistantId}',
	body: z.object({ locked: z.boolean() }).strict(),
	errors: errorStyle('Internal server error'),
	handle({ workspace, params, body }) {
		const assistant = workspace.assistant(params.workspaceId, params.assistantId, 'notFound');
		assistant.locked = body.locked;
		return ok({ success: true, assistant: { id: assistant.id, locked: assistant.locked } });
	},
});

/** S 4.15. */
export const updatePrompt = endpoint({
	method: 'POST',
	path: '/v1/assistants/updatePrompt/{workspaceId}/{assistantId}',
	body: z.object({ prompt: text }).strict(),
	errors: PROMPT_ERRORS,
	handle({ workspace, params, body }) {
		const assistant = workspace.assistant(params.workspaceId, params.assistantId, 'notFound');
		assistant.prompt = body.prompt;
		return ok({ prompt: assistant.prompt });
	},
});

/** S 4.16. */
export const getPrompt = endpoint({
	method: 'GET',
	path: '/v1/assistants/getPrompt/{workspaceId}/{assistantId}',
	body: noBody,
	errors: PROMPT_ERRORS,
	handle({ workspace, params }) {
		const { prompt } = workspace.assistant(params.workspaceId, params.assistantId, 'notFound');
		return ok({ prompt });
	},
});
