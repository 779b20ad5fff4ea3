import { AssistantServiceTrigger } from '../../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { RECEIVED, sendEvent } from '../e2e/events';
import { ownNode, type World } from '../e2e/world';
import { testWebhookPath } from '../setup';
import { chain } from '../workflows';
import { execute, openNode, outputPanel, see, showOutputAs, type InEditor } from './editor';
import { picture } from './pictures';
import { textOf } from './texts';

const TRIGGER = 'Call Ended';
const EVENT = {
	callId: '5861fb99-c1b2-41a5-878a-42554fd8b67e',
	callStartTime: '2026-01-31T10:00:00.000Z',
	summary: 'The customer booked an appointment.',
	transcript: 'Assistant: Good morning. How can I help you?',
	appointment: '2026-02-03T09:00',
};

/** The beginning of what the panel says when it is asked when the trigger starts. */
function helpOfTrigger(): string {
	const { triggerPanel } = new AssistantServiceTrigger().description;
	const help = typeof triggerPanel === 'object' ? triggerPanel.executionsHelp : undefined;
	return textOf(typeof help === 'object' ? help.inactive : help).slice(0, 30);
}

/** The panel of the trigger. */
export function describeTrigger(world: () => World, inEditor: InEditor): void {
	inEditor('the trigger says how to connect it, listens, and shows the event', async (page) => {
		const trigger = ownNode(world(), 'assistantServiceTrigger', TRIGGER, {}, { typeVersion: 1.1 });
		const workflow = await world().client.createWorkflow({ name: TRIGGER, ...chain(trigger) });
		const testPath = testWebhookPath(trigger);
		await openNode(page, workflow, TRIGGER);
		await page.getByText('Webhook URLs', { exact: true }).click();
		await see(page.getByText(`https://n8n.example.com${testPath}`));
		await page.getByText('When will this node trigger my flow?').click();
		await see(page.getByText(helpOfTrigger()));

		await execute(page);
		await world().client.waitForWebhook(testPath);
		await see(page.getByTestId('trigger-listening').or(page.getByText(/Waiting for the end/)));
		const answer = await sendEvent(world(), `${world().client.baseUrl}${testPath}`, EVENT);
		expect(answer).toEqual(RECEIVED);
		await showOutputAs(page, 'JSON');
		await see(
			outputPanel(page).getByText(EVENT.summary),
			outputPanel(page).getByText(EVENT.callId),
		);
		await picture(page, 'trigger-event', outputPanel(page), { maxHeight: 380 });
	});
}
