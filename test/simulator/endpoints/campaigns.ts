import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { endpoint, ok } from '../endpoint';
import { attributes3, phoneNumber, text, uuid } from '../schemas';
import type { Workspace } from '../workspace';

interface Content {
	campaignType: 'sms' | 'call' | 'msgapp';
	message?: string | null;
	templateName?: string | null;
	templateLanguage?: string | null;
}

const campaignType = z.enum(['sms', 'call', 'msgapp']);
const triggerType = z.enum(['triggerImmediately', 'triggerBasedOnCampaign']);

/** S 4.6: what each campaign type requires. */
const REQUIRED_CONTENT = {
	sms: ['message'],
	call: [],
	msgapp: ['templateName', 'templateLanguage'],
} as const;

function requireContent(body: Content, context: z.RefinementCtx): void {
	for (const field of REQUIRED_CONTENT[body.campaignType]) {
		if (!body[field]) {
			const message = `Required for ${body.campaignType}`;
			context.addIssue({ code: z.ZodIssueCode.custom, path: [field], message });
		}
	}
}

/** Own choice: templates are looked up for msgapp campaigns only. */
function checkTemplate(workspace: Workspace, body: Content): void {
	if (body.campaignType === 'msgapp') {
		workspace.checkTemplate(body.templateName ?? '', body.templateLanguage ?? '');
	}
}

/** S 4.6. Own choice: every error body carries the numeric status. */
export const createCampaign = endpoint({
	method: 'POST',
	path: '/v1/campaigns/createCampaign/{workspaceId}',
	body: z
		.object({
			campaignType,
			assistantId: uuid,
			fromNumber: phoneNumber,
			toNumber: phoneNumber,
			triggerType,
			ignorePreviousCampaigns: z.boolean().optional(),
			message: z.string().nullish(),
			templateName: z.string().nullish(),
			templateLanguage: z.string().nullish(),
			attributes: attributes3,
		})
		.strict()
		.superRefine(requireContent),
	errors: {
		field: 'message',
		texts: { invalidInput: 'Invalid input', forbidden: 'API key not valid' },
		numericStatus: true,
	},
	handle({ workspace, params, body }) {
		workspace.checkSender(params.workspaceId, body.assistantId, body.fromNumber);
		checkTemplate(workspace, body);
		// Own choice: what reaches the contact shows in the conversation of the number; campaign calls are not simulated.
		const content = body.campaignType === 'sms' ? body.message : body.templateName;
		if (body.campaignType !== 'call') {
			workspace.conversations.sendTo(
				body.campaignType,
				body.toNumber,
				content ?? '',
				body.attributes,
			);
		}
		return ok({ message: `Campaign created. Campaign id: ${randomUUID()}` });
	},
});

/**
 * S 4.7.
 * Own choice: required are all but description, ignorePreviousCampaigns and what belongs to other campaign types.
 * Own choice: the spreadsheet is not read, so nobody is reached.
 */
export const createBulkCampaign = endpoint({
	method: 'POST',
	path: '/v1/bulkCampaigns/createBulkCampaign/{workspaceId}',
	body: z
		.object({
			name: text,
			assistantId: uuid,
			fromNumber: phoneNumber,
			sheetURL: z.string().url(),
			description: z.string().optional(),
			ignorePreviousCampaigns: z.boolean().optional(),
			message: z.string().optional(),
			templateName: z.string().optional(),
			templateLanguage: z.string().optional(),
			campaignType,
			triggerType,
		})
		.strict()
		.superRefine(requireContent),
	errors: { field: 'message', texts: { forbidden: 'API key not valid' } },
	handle({ workspace, params, body }) {
		workspace.checkSender(params.workspaceId, body.assistantId, body.fromNumber);
		checkTemplate(workspace, body);
		return ok({ message: 'The bulk campaign is triggered' });
	},
});
