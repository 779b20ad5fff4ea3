import type { INodeParameters } from 'n8n-workflow';
import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER } from '../../test/simulator/seed';
import { people, PLACE_CALL, type Person } from '../e2e/calls';
import { RECEIVED, sendEvent } from '../e2e/events';
import { createOneNode, NODE, TRIGGER, triggerNode, useOpened, useWorld } from '../e2e/world';
import { besideOf } from '../page/beside';
import { startPage } from '../page/server';
import { EXAMPLES_ASK_FOR, saveCheckOnlyCredential, testWebhookPath } from '../setup';
import { chain, node } from '../workflows';
import { LOOKED_FOR, see, useEditor, type Editor } from './editor';
import { placeFirstCall } from './firstCall';
import { callFiveContacts } from './fiveContacts';
import { picture } from './pictures';

const world = useWorld(true);
const page = useOpened(async () => await startPage(world().simulator, await besideOf(world())));
const inEditor = useEditor(world);

/** Opens the panel of a node that gets these items. */
async function openNode(editor: Editor, parameters: INodeParameters, items?: Person[]) {
	const workflow = await createOneNode(world(), parameters, items, { position: [240, 0] });
	await editor.openWorkflow(workflow);
	await editor.openPanel(workflow, NODE);
}

inEditor('somebody finds the node, checks, calls, and sees the end of the call', async (editor) => {
	await placeFirstCall(editor, world(), page().url);
});

inEditor('an error says what the service said, and what to do', async (editor) => {
	const parameters = {
		...{ resource: 'msgapp', operation: 'continueConversation', assistantId: ASSISTANT_ID },
		...{ toNumber: TO_NUMBER, message: 'Your order is ready.' },
	};
	await openNode(editor, parameters);
	await editor.execute();
	const advice = editor.output.getByTestId('node-error-description');
	await see(editor.output.getByTestId('node-error-message'), advice);
	expect(await advice.innerText()).toMatch(/template message/i);
	await picture('error', editor.output, { maxHeight: 352 });
});

inEditor('a node that waits for the end of calls says for how long', async (editor) => {
	const { client } = world();
	const parameters = { ...PLACE_CALL, operation: 'placeAndWait', waitAtMost: 2 };
	await openNode(editor, parameters, people(3));
	await editor.execute();
	await see(editor.output.getByText(/have ended, for 2 hours at most/));
	await picture('place-and-wait', editor.part('ndv'), { maxHeight: 620 });
	await client.stop(await client.lastExecutionId());
});

inEditor('a bulk campaign says that no rule of contact applies to it', async (editor) => {
	await openNode(editor, PLACE_CALL);
	await editor.choose('resource', 'Campaign');
	await editor.choose('operation', 'Create Bulk');
	await see(editor.page.getByText('No rule of contact'), editor.field('sheetUrl'));
});

inEditor('an agent finds the node among its tools, and the model can fill it', async (editor) => {
	const { page } = editor;
	const { client, simulator, secret } = world();
	// A new node gets the credential that was saved last.
	await saveCheckOnlyCredential(client, simulator, secret);
	await editor.loadAnew();
	const agent = node('@n8n/n8n-nodes-langchain.agent', 'Agent', {}, { typeVersion: 3.1 });
	await editor.openWorkflow(await client.createWorkflow({ name: 'Agent', ...chain(agent) }));
	await page
		.locator('[data-test-id="canvas-node-input-handle"][data-connection-type="ai_tool"]')
		.getByTestId('canvas-handle-plus')
		.click();
	// What is typed before is looked for among all nodes.
	await see(editor.part('node-creator').getByText('Tools', { exact: true }));
	await editor.part('node-creator-search-bar').fill(LOOKED_FOR);
	await editor.creatorItem('Assistant Service Tool').click();

	await see(editor.part('ndv'));
	const credential = editor.part('node-credentials-select').locator('input');
	expect(await credential.first().inputValue()).toBe(EXAMPLES_ASK_FOR);
	expect(await editor.input('toolDescription').inputValue()).toMatch(/real phone call/);
	await editor.fill({ assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER });
	await editor.item('toNumber').getByTestId('from-ai-override-button').click();
	await see(editor.part('fromAI-override-field'));
	expect(await editor.field('toNumber').count()).toBe(0);
	await picture('agent-tool', editor.part('node-parameters'), { maxHeight: 608 });

	await editor.execute();
	await see(editor.part('from-ai-parameters-modal-inputs').locator('input'));
	await page.keyboard.press('Escape');
});

inEditor('the trigger says how to connect it, listens, and shows the event', async (editor) => {
	const { client } = world();
	const event = {
		callId: '5861fb99-c1b2-41a5-878a-42554fd8b67e',
		callStartTime: '2026-01-31T10:00:00.000Z',
		summary: 'The customer booked an appointment.',
		transcript: 'Assistant: Good morning. How can I help you?',
		appointment: '2026-02-03T09:00',
	};
	const trigger = triggerNode(world());
	const workflow = await client.createWorkflow({ name: TRIGGER, ...chain(trigger) });
	const testPath = testWebhookPath(trigger);
	await editor.openWorkflow(workflow);
	await editor.openPanel(workflow, TRIGGER);
	await editor.page.getByText('Webhook URLs', { exact: true }).click();
	await see(editor.page.getByText(`https://n8n.example.com${testPath}`));
	await editor.page.getByText('When will this node trigger my flow?').click();
	await see(editor.page.getByText('To try it without a call'));

	await editor.execute();
	await client.waitForWebhook(testPath);
	await see(editor.part('trigger-listening').or(editor.page.getByText(/Waiting for the end/)));
	expect(await sendEvent(world(), `${client.baseUrl}${testPath}`, event)).toEqual(RECEIVED);
	await editor.showOutputAs('JSON', event.summary, event.callId);
	await picture('trigger-event', editor.output, { maxHeight: 380 });
});

inEditor('the five contacts of docs/call-a-list.md go as the page says', async (editor) => {
	await callFiveContacts(editor, world());
});
