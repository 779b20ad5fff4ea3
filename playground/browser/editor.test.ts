import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DAY } from '../../nodes/shared/time/clock';
import {
	API_KEY,
	ASSISTANT_ID,
	FROM_NUMBER,
	TO_NUMBER,
	WORKSPACE_ID,
} from '../../test/simulator/seed';
import { PLACE_CALL as EACH } from '../e2e/calls';
import { exampleBook } from '../e2e/contactBook';
import { RECEIVED, sendEvent } from '../e2e/events';
import { exampleWith } from '../e2e/exampleWorkflows';
import { ownNode, TRIGGER, triggerNode, useWorld } from '../e2e/world';
import type { SavedWorkflow } from '../restTypes';
import {
	EXAMPLES_ASK_FOR,
	hasPicture,
	readExample,
	saveCheckOnlyCredential,
	saveCredentials,
	testWebhookPath,
} from '../setup';
import { chain, node, nodeOf } from '../workflows';
import { LOOKED_FOR, see, useEditor, type Editor } from './editor';
import { describeFirstCall } from './firstCall';
import { CONTACTS, describeFiveContacts, PLACE_CALL, WIDE } from './fiveContacts';
import { picture } from './pictures';

const world = useWorld(true);
const inEditor = useEditor(world);

const HIGH = { width: 1440, height: 1800 };
const DISTANCE = 240;
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
	{ items = PEOPLE, name = PLACE_CALL }: { items?: IDataObject[]; name?: string } = {},
): Promise<SavedWorkflow> {
	const nodes = [
		node('n8n-nodes-base.manualTrigger', CONTACTS),
		ownNode(world(), 'assistantService', name, parameters),
	].map((step, index): INode => ({ ...step, position: [index * DISTANCE, 0] }));
	const pinData = { [CONTACTS]: items.map((json) => ({ json })) };
	return await world().client.createWorkflow({ name, ...chain(...nodes), pinData });
}

async function openCall(editor: Editor, ...options: Parameters<typeof createForContacts>) {
	const workflow = await createForContacts(...options);
	await editor.openWorkflow(workflow);
	await editor.openPanel(workflow, workflow.name);
}

describeFirstCall(world, inEditor);

inEditor('an error says what the service said, and what to do', async (editor) => {
	const parameters = {
		...{ resource: 'msgapp', operation: 'continueConversation', assistantId: ASSISTANT_ID },
		...{ toNumber: TO_NUMBER, message: 'Your order is ready.' },
	};
	await openCall(editor, parameters, { items: [{}], name: 'Send Message' });
	await editor.execute();
	const advice = editor.output.getByTestId('node-error-description');
	await see(editor.output.getByTestId('node-error-message'), advice);
	expect(await advice.innerText()).toMatch(/template message/i);
	await picture(editor.page, 'error', editor.output, { maxHeight: 352 });
});

inEditor('a node that waits for the end of calls says for how long', async (editor) => {
	const { client } = world();
	await openCall(editor, { ...CALL, operation: 'placeAndWait', waitAtMost: 2 });
	await editor.execute();
	await see(editor.output.getByText(/have ended, for 2 hours at most/));
	await picture(editor.page, 'place-and-wait', editor.part('ndv'), { maxHeight: 620 });
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
	await openCall(editor, CALL, { items: [{}], name: 'Create Campaign' });
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
	await picture(page, 'agent-tool', editor.part('node-parameters'), { maxHeight: 608 });

	await editor.execute();
	await see(editor.part('from-ai-parameters-modal-inputs').locator('input'));
	await page.keyboard.press('Escape');
	await saveCredentials(client, simulator, secret);
});

describeFiveContacts(world, inEditor);

/** Wherever the sun stands, it is day in one of them and night in another. */
const CITIES = [
	...['Europe/Berlin', 'America/New_York', 'America/Los_Angeles', 'America/Sao_Paulo'],
	...['Asia/Tokyo', 'Asia/Kolkata', 'Australia/Sydney'],
].map((timeZone) => {
	const format = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' });
	return { timeZone, hour: Number(format.format()) };
});

const RULES: INodeParameters = {
	allowedHours: 'Mon-Fri 09:00-18:00\nSat, Sun 10:00-18:00',
	timezone: '={{ $json.timezone }}',
	...{ doNotContact: GRACE, notAgainWithin: 24 },
	...{ atMostContacts: 3, atMostDays: 14, atMostPerRun: 500 },
};

inEditor(
	'the rules of contact hold back who must not be called now, and say why',
	async (editor) => {
		const day = CITIES.find(({ hour }) => hour >= 10 && hour < 17);
		const night = CITIES.find(({ hour }) => hour < 8 || hour >= 18);
		const cities = [day, day, night];
		const items = PEOPLE.map((person, index) => ({
			...{ ...person, timezone: cities[index]?.timeZone },
		}));
		await (await exampleBook(world().client)).clear();
		await openCall(editor, { ...CALL, customFields: {}, contactRules: RULES }, { items });
		await editor.execute();
		const summary = 'Of 3 items: 1 placed, 2 held back (1 do not contact, 1 outside hours).';
		await see(editor.output.getByText(summary));
		await editor.showOutputAs('JSON', 'doNotContact', 'outsideHours');
		const parameters = editor.part('node-parameters');
		const rules = parameters
			.getByText('Rules of Contact', { exact: true })
			.or(parameters.getByTestId('inline-expression-editor-input').last());
		await picture(editor.page, 'rules-of-contact', rules, { margin: 10 });
		await picture(editor.page, 'held-back', editor.output, { maxHeight: 560, colours: 64 });
		expect(world().simulator.processed('placeCall')).toHaveLength(1);
	},
	HIGH,
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
	await picture(editor.page, 'trigger-event', editor.output, { maxHeight: 380 });
});

/** Nodes and notes, the names below the nodes, the lines between them, and where a line can begin. */
const DRAWN = [
	...['.vue-flow__node', '.vue-flow__node [class*="_description_"]', '.vue-flow__edge-path'],
	'[data-test-id="canvas-handle-plus"]',
].join();

for (const file of readdirSync(path.join(__dirname, '..', '..', 'examples'))) {
	const { name, ext } = path.parse(file);
	if (ext !== '.json') continue;
	inEditor(
		`the example ${name} stands on the canvas with all its nodes`,
		async (editor) => {
			const draft = readExample(file);
			await editor.openWorkflow(await world().client.createWorkflow(draft));
			expect(await editor.page.getByText('Install this node').count()).toBe(0);
			await editor.part('zoom-to-fit').click();
			if (!hasPicture(draft)) return;
			await picture(editor.page, `examples/${name}`, editor.page.locator(DRAWN), { margin: 24 });
		},
		{ width: 1150, height: 1000 },
	);
}

inEditor(
	'the report of a list is a page with bars',
	async (editor) => {
		const { client } = world();
		const table = await exampleBook(client);
		await table.clear();
		const people = Array.from({ length: 100 }, (_, index) => ({
			phone: `+12125550${100 + index}`,
		}));
		const call = { list: 'spring 2027', operation: 'call.place', outcome: 'accepted' };
		const rows = people.slice(0, 82).flatMap(({ phone }, index) =>
			Array.from({ length: 1 + (index % 3) }, (_, day) => {
				const contactedAt = new Date(Date.now() - (4 - day - (index % 2)) * DAY).toISOString();
				const reached = day === index % 3 && index % 5 > 0 ? 'yes' : 'no';
				return { ...call, phone, contactedAt, reached };
			}),
		);
		const optOuts = people.slice(79, 82).map(({ phone }) => ({ phone, doNotContact: true }));
		await table.insert(...rows, ...optOuts);
		const sheet = { People: { jsonOutput: JSON.stringify({ contacts: people }) } };
		const workflow = await client.createWorkflow(exampleWith('list-report.json', sheet));
		await editor.openWorkflow(workflow);
		await editor.openPanel(workflow, 'Report Page');
		await editor.execute();
		const page = editor.output.frameLocator('iframe');
		await see(page.getByText('63 of 100 people'), page.getByText('By day'));
		const shown = editor.output.locator('iframe');
		await picture(editor.page, 'list-report-page', shown, { maxHeight: 740, colours: 64 });
		await table.clear();
	},
	WIDE,
);

inEditor('the contact book has a row a contact', async (editor) => {
	const table = await exampleBook(world().client);
	await table.clear();
	const items = PEOPLE.map((person, index) => ({ ...person, reference: `C-100${index + 1}` }));
	const options = { reference: '={{ $json.reference }}' };
	const { id } = await createForContacts({ ...CALL, options }, { items });
	expect((await world().client.run(id, CONTACTS)).status).toBe('success');

	await editor.page.goto(table.page);
	await see(...[ADA, 'accepted', 'C-1001'].map((text) => editor.page.getByText(text)));
	await picture(editor.page, 'contact-book-table', editor.page.locator('.ag-root-wrapper'));
});

inEditor(
	'the credential is tested, offers its modes, and asks for a number to redirect to',
	async (editor) => {
		const { dialog, page } = editor;
		await page.goto(`/home/credentials/${world().credentials.assistantServiceApi.id}`);
		const table = editor.field('contactBookTable');
		await see(table, editor.part('credentials-config-container-test-success'));
		await table.scrollIntoViewIfNeeded();
		await page.getByText('Contact Book', { exact: true }).scrollIntoViewIfNeeded();
		await picture(page, 'contact-book-credential', dialog);

		await page.reload();
		await see(editor.field('baseUrl'));
		const baseUrl = 'https://assistant.example.com/api';
		await editor.fill({ baseUrl, apiKey: API_KEY, workspaceId: WORKSPACE_ID });
		await see(dialog.getByText('workflows with this credential call and message real people'));
		expect(await editor.field('testNumber').count()).toBe(0);
		const modes = await editor.openMenu('mode');
		const texts = (await modes.allInnerTexts()).map((text) => text.split('\n')[0]);
		expect(texts).toEqual(['Check Only', 'Live', 'Redirect']);
		const menu = page.locator('.el-popper').filter({ has: modes.first(), visible: true });
		await picture(page, 'credential', dialog.or(menu), { margin: 16 });
		await modes.filter({ hasText: 'Redirect' }).click();
		await see(editor.field('testNumber'));
		await editor.fill({ testNumber: '+4915112345678' });
		await editor.choose('mode', 'Check Only');
		await see(dialog.getByText('Nobody is reached with this credential'));
		expect(await editor.field('testNumber').count()).toBe(0);
	},
	HIGH,
);
