import type { IWebhookDescription } from 'n8n-workflow';

/** How an execution is resumed: by POST to its resume address with the node's ID before the `?`. */
export const waitingWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		// Empty, so that n8n answers with what the webhook method returns.
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	},
];

/** What the output panel says while the execution waits. */
export const waitingNodeTooltip =
	'=Waiting until the calls have ended, for {{ $parameter.waitAtMost }} hours at most. A workflow with the Assistant Service Trigger must be published.';
