import type { INodeType, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { benchNode } from './description';

/** The least that the trigger of a community package has to do: one credential, one header, one item. */
export class BenchHook implements INodeType {
	description = benchNode('Hook', 'Starts the workflow with the body of a request', {
		group: ['trigger'],
		version: 2,
		inputs: [],
		credentials: [{ name: 'httpHeaderAuth', required: true }],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
	});

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { name, value } = await this.getCredentials<{ name: string; value: string }>(
			'httpHeaderAuth',
		);
		if (this.getHeaderData()[name] !== value) {
			this.getResponseObject().status(401).end();
			return { noWebhookResponse: true };
		}
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
}
