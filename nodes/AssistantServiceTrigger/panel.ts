import type { TriggerPanelDefinition } from 'n8n-workflow';

/** What the test command sends: a short end-of-call event (S 6.2). */
export const TEST_EVENT = { callId: 'test-1', summary: 'A test.', transcript: 'Hello!' };

/** Sends a test event as the service would: to the test URL, with the secret of the credential. */
export const TEST_COMMAND = `curl -X POST 'TEST_URL' -H 'x-webhook-secret: SECRET' -H 'Content-Type: application/json' -d '${JSON.stringify(TEST_EVENT)}'`;

export const STEPS: readonly string[] = [
	'Choose a credential with a long random secret, or create one.',
	'In the dashboard of the service, open the webhook setting of your workspace. Enter the test URL (see Webhook URLs) and the secret. The secret goes into the header x-webhook-secret, or to the end of the URL as ?secret=...',
	'Click Execute step, then make a call and end it. n8n listens for one event, for two minutes.',
];

/** The editor locks the panel while n8n listens, so all is copied before. */
export const WITHOUT_CALL =
	'To try it without a call, copy the test URL and this command, and enter your own URL and secret in it. Only then click Execute step (it locks this panel), and run the command:';

/** A release makes it a link to this page. */
const HOW = 'How: docs/receive-call-results.md of the package.';

/** Two lines above the parameters, always in sight. The editor allows only lists and links. */
export const NOTICE = `The service must send the end of a call to the URL above, with the secret. ${HOW}`;

const COMMAND_HELP = `${WITHOUT_CALL}<br /><code>${TEST_COMMAND}</code><br /><br />`;

/** Beside the parameters, below the button; hidden without a credential and while n8n listens. */
export const triggerPanel: TriggerPanelDefinition = {
	header: "Listen for the end of an assistant's call",
	activationHint: {
		inactive: STEPS.map((step, index) => `<b>${index + 1}.</b> ${step}`).join('<br />'),
		active:
			'The workflow is published: it starts for each event on the production URL. To try it, click Execute step, and let the service send an event to the test URL within two minutes.',
	},
	executionsHelp: {
		inactive: `${COMMAND_HELP}For real use, give the service the production URL and the secret, and publish the workflow. Nothing arrives on the production URL until then.`,
		active: `${COMMAND_HELP}The workflow starts for each event that the service sends to the production URL. These runs appear under Executions.`,
	},
};
