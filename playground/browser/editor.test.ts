import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER } from '../../test/simulator/seed';
import { PLACE_CALL as EACH } from '../e2e/calls';
import { exampleBook } from '../e2e/contactBook';
import { RECEIVED, sendEvent } from '../e2e/events';
import { ownNode, TRIGGER, triggerNode, useOpened, useWorld } from '../e2e/world';
import { besideOf } from '../page/beside';
import { startPage } from '../page/server';
import type { SavedWorkflow } from '../restTypes';
import {
	EXAMPLES_ASK_FOR,
	saveCheckOnlyCredential,
	saveCredentials,
	testWebhookPath,
} from '../setup';
import { chain, node, nodeOf } from '../workflows';
import { LOOKED_FOR, see, useEditor, type Editor } from './editor';
import { placeFirstCall } from './firstCall';
import { callFiveContacts, CONTACTS, PLACE_CALL } from './fiveContacts';
import { picture } from './pictures';

const world = useWorld(true);
const page = useOpened(async () => await startPage(world().simulator, await besideOf(world())));
const inEditor = useEditor(world);

const HIGH = { width: 1440, height: 1800 };
const PEOPLE = [
	{ name: 'Ada', phone: '+15550102001', appointment: 'Monday at 9:00' },
	{ name: 'Grace', phone: '+15550102002', appointment: 'Monday at 9:30' },
	{ name: 'Katherine', phone: '+15550102003', appointment: 'Monday at 10:00' },
];
const [ADA = '', GRACE = ''] = PEOPLE.map(({ phone }) => phone);

const CALL: INodeParameters = {
	...EACH,
	customFields: { customField1: '={{ $json.name }}', customField2: '={{ $json.appointment }}' },
};

/** A saved workflow that hands pinned contacts to a node under test. */
async function createForContacts(
	parameters: INodeParameters,
	items: IDataObject[] = PEOPLE,
	name = PLACE_CALL,
): Promise<SavedWorkflow> {
	const start = node('n8n-nodes-base.manualTrigger', CONTACTS);
	const tested = ownNode(world(), 'assistantService', name, parameters, { position: [240, 0] });
	const pinData = { [CONTACTS]: items.map((json) => ({ json })) };
	return await world().client.createWorkflow({ name, ...chain(start, tested), pinData });
}

async function openCall(editor: Editor, ...options: Parameters<typeof createForContacts>) {
	const workflow = await createForContacts(...options);
	await editor.openWorkflow(workflow);
	await editor.openPanel(workflow, workflow.name);
}

inEditor(
	'the node is found and filled, it checks, it calls, and the end comes back',
	async (editor) => {
		await placeFirstCall(editor, world(), page().url);
	},
);

inEditor('an error says what the service said, and what to do', async (editor) => {
	const parameters = {
		...{ resource: 'msgapp', operation: 'continueConversation', assistantId: ASSISTANT_ID },
		...{ toNumber: TO_NUMBER, message: 'Your order is ready.' },
	};
	await openCall(editor, parameters, [{}], 'Send Message');
	await editor.execute();
	const advice = editor.output.getByTestId('node-error-description');
	await see(editor.output.getByTestId('node-error-message'), advice);
	expect(await advice.innerText()).toMatch(/template message/i);
	await picture('error', editor.output, { maxHeight: 352 });
});

inEditor('a node that waits for the end of calls says for how long', async (editor) => {
	const { client } = world();
	await openCall(editor, { ...CALL, operation: 'placeAndWait', waitAtMost: 2 });
	await editor.execute();
	await see(editor.output.getByText(/have ended, for 2 hours at most/));
	await picture('place-and-wait', editor.part('ndv'), { maxHeight: 620 });
	await client.stop(await client.lastExecutionId());
});

/** n8n-io/n8n#10935, n8n-io/n8n#4395. */
inEditor('undo brings a deleted node back with its rules and credential', async (editor) => {
	const workflow = await createForContacts({ ...CALL, contactRules: { doNotContact: ADA } });
	await editor.openWorkflow(workflow);
	const target = editor.onCanvas(nodeOf(workflow, PLACE_CALL));
	await target.click();
	await editor.page.keyboard.press('Delete');
	await target.waitFor({ state: 'detached' });
	await editor.page.keyboard.press('Control+z');
	await editor.openPanel(workflow, PLACE_CALL);
	await editor.execute();
	await see(editor.output.getByText('Of 3 items: 2 placed, 1 held back (1 do not contact).'));
});

inEditor('a bulk campaign says that no rule of contact applies to it', async (editor) => {
	await openCall(editor, CALL, [{}], 'Create Campaign');
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
	const draft = { name: 'Agent', nodes: [agent], connections: {} };
	await editor.openWorkflow(await client.createWorkflow(draft));
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
	await saveCredentials(client, simulator, secret);
});

inEditor('the five contacts of docs/call-a-list.md go as the page says', async (editor) => {
	await callFiveContacts(editor, world());
});

/** Wherever the sun stands, it is day in one of them and night in another. */
const ZONES = [
	...['Europe/Berlin', 'America/New_York', 'America/Los_Angeles', 'America/Sao_Paulo'],
	...['Asia/Tokyo', 'Asia/Kolkata', 'Australia/Sydney'],
];
const hourIn = (timeZone: string): number =>
	Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format());

const RULES: INodeParameters = {
	allowedHours: 'Mon-Fri 09:00-18:00\nSat, Sun 10:00-18:00',
	timezone: '={{ $json.timezone }}',
	...{ doNotContact: GRACE, notAgainWithin: 24 },
	...{ atMostContacts: 3, atMostDays: 14, atMostPerRun: 500 },
};

inEditor(
	'the rules of contact hold back who must not be called now, and say why',
	async (editor) => {
		await editor.page.setViewportSize(HIGH);
		const day = ZONES.find((zone) => hourIn(zone) >= 10 && hourIn(zone) < 17);
		const night = ZONES.find((zone) => hourIn(zone) < 8 || hourIn(zone) >= 18);
		const items = PEOPLE.map((person, index) => ({
			...person,
			timezone: [day, day, night][index],
		}));
		await (await exampleBook(world().client)).clear();
		await openCall(editor, { ...CALL, customFields: {}, contactRules: RULES }, items);
		await editor.execute();
		const summary = 'Of 3 items: 1 placed, 2 held back (1 do not contact, 1 outside hours).';
		await see(editor.output.getByText(summary));
		await editor.showOutputAs('JSON', 'doNotContact', 'outsideHours');
		const parameters = editor.part('node-parameters');
		const rules = parameters
			.getByText('Rules of Contact', { exact: true })
			.or(parameters.getByTestId('inline-expression-editor-input').last());
		await picture('rules-of-contact', rules, { margin: 10 });
		await picture('held-back', editor.output, { maxHeight: 560, colours: 64 });
		expect(world().simulator.processed('placeCall')).toHaveLength(1);
	},
);

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

inEditor('the contact book has a row a contact', async (editor) => {
	const book = await exampleBook(world().client);
	await book.clear();
	const items = PEOPLE.map((person, index) => ({ ...person, reference: `C-100${index + 1}` }));
	const options = { reference: '={{ $json.reference }}' };
	const { id } = await createForContacts({ ...CALL, options }, items);
	expect((await world().client.run(id, CONTACTS)).status).toBe('success');

	await editor.page.goto(book.page);
	await see(...[ADA, 'accepted', 'C-1001'].map((text) => editor.page.getByText(text)));
	await picture('contact-book-table', editor.page.locator('.ag-root-wrapper'));
});
