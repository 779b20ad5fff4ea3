import type { IWebhookFunctions } from 'n8n-workflow';

/** Names a trigger among all those of an n8n. */
export const triggerId = (context: IWebhookFunctions): string =>
	`${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
