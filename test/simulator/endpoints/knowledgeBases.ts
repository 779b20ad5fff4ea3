import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { endpoint, ok } from '../endpoint';
import { Refusal } from '../errors';
import { noBody, text } from '../schemas';

/** S 4.11. Own choice: at least one paragraph; the error field is `msg`, as in the success answer. */
export const addParagraphs = endpoint({
	method: 'POST',
	path: '/v1/knowledgeBase/addParagraph/{workspaceId}/{kbId}',
	body: z
		.object({
			paragraphs: z.array(z.object({ value: z.object({ data: text }).strict() }).strict()).min(1),
		})
		.strict(),
	errors: { field: 'msg' },
	handle({ workspace, params, body }) {
		const { paragraphs } = workspace.knowledgeBase(params.workspaceId, params.kbId);
		for (const { value } of body.paragraphs) paragraphs.set(randomUUID(), value.data);
		return ok({ msg: `Paragraphs added: ${body.paragraphs.length}` });
	},
});

/** S 4.12. Own choice: the error field is `msg`. */
export const getKnowledgeBase = endpoint({
	method: 'GET',
	path: '/v1/knowledgeBase/getKnowledgeBase/{workspaceId}/{kbId}',
	body: noBody,
	errors: { field: 'msg' },
	handle({ workspace, params }) {
		const { label, paragraphs } = workspace.knowledgeBase(params.workspaceId, params.kbId);
		return ok({
			knowledgeBase: {
				label,
				paragraphs: Array.from(paragraphs, ([key, data]) => ({ key, value: { data } })),
			},
		});
	},
});

/** S 4.13. Own choice: the error field is `msg` but for the key; deleting an unknown paragraph answers 404. */
export const deleteParagraph = endpoint({
	method: 'DELETE',
	path: '/v1/knowledgeBase/deleteParagraph/{workspaceId}/{kbId}/{paragraphKey}',
	body: noBody,
	errors: {
		field: 'msg',
		fields: { invalidKey: 'message', missingKey: 'message' },
		texts: {
			notFound: 'Knowledge base does not exist',
			serverError: 'Internal server error',
		},
	},
	handle({ workspace, params }) {
		const { paragraphs } = workspace.knowledgeBase(params.workspaceId, params.kbId, 'notFound');
		if (!paragraphs.delete(params.paragraphKey)) throw new Refusal('paragraphNotFound');
		return ok({ msg: 'Paragraph deleted' });
	},
});
