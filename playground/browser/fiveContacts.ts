import type { Locator, Page } from 'playwright-core';
import { called } from '../e2e/exampleWorkflows';
import { exampleBook, outcomesOf } from '../e2e/contactBook';
import type { World } from '../e2e/world';
import type { SavedWorkflow } from '../restTypes';
import { EXAMPLES_ASK_FOR, readExample, saveCheckOnlyCredential } from '../setup';
import { CONTACTS, PLACE_CALL } from './contacts';
import {
	execute,
	field,
	openPanel,
	openWorkflow,
	outputPanel,
	parameterItem,
	see,
	showOutputAs,
	type InEditor,
} from './editor';
import { picture } from './pictures';
import { parameterOf } from './texts';

const EXAMPLE = readExample('five-contacts.json', EXAMPLES_ASK_FOR);
const ANNA = '+15550102011';
const BEN = '+15550102012';
const CLARA = '+15550102013';
const DAVID = '+15550102014';
const EVA = '+15550102015';
/** As it stands in the example. */
const NUMBER_OF_BEN = '0155 5010 2012';
/** The output gets two fifths of it: all columns of the table are seen. */
const WIDE = { width: 2760, height: 1300 };

/** The first three cells of each row; n8n writes `null` and `undefined` out. */
async function rowsIn(page: Page): Promise<string[][]> {
	const rows = await outputPanel(page).locator('tbody tr').all();
	const cells = await Promise.all(rows.map(async (row) => row.locator('td').allInnerTexts()));
	return cells.map((row) => row.slice(0, 3));
}

const checked = (phone: string) => [phone, 'checked', 'null'];
const placed = (phone: string) => [phone, 'placed', 'null'];
const heldBack = (phone: string, reason: string) => [phone, 'heldBack', reason];
const FAILED = ['undefined', 'undefined', 'undefined'];

/** "Execute step"; waits for this line above the table. */
async function executeUntil(page: Page, line: string): Promise<void> {
	await execute(page);
	await showOutputAs(page, 'Table');
	await see(outputPanel(page).getByText(line));
}

/** The panel of the output down to the end of its table. */
async function pictureOfTable(page: Page, name: string): Promise<void> {
	await page.mouse.move(0, 0);
	const output = outputPanel(page);
	const table = output.locator('table');
	const [whole, end] = await Promise.all([output.boundingBox(), table.boundingBox()]);
	if (!whole || !end) throw new Error('there is no table');
	const maxHeight = end.y + end.height - whole.y + 12;
	await picture(page, name, output, { maxHeight, colours: 64 });
}

/** "Add Rule"; gives the field of the rule. */
async function addRule(page: Page, name: string): Promise<Locator> {
	const { placeholder = '', options = [] } = parameterOf('contactRules', 'call');
	const rule = options.find((one) => one.name === name);
	await page
		.getByTestId('collection-parameter-add')
		.filter({ has: page.locator(`input[placeholder="${placeholder}"]`) })
		.click();
	const text = rule && 'displayName' in rule ? rule.displayName : name;
	await page.getByRole('option', { name: text, exact: true }).click();
	const added = field(page, name);
	await see(added);
	return added;
}

async function chooseCredential(page: Page, name: string): Promise<void> {
	await page.getByTestId('node-credentials-select').click();
	await page.getByRole('option', { name }).click();
}

async function close(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** From the panel of the call and back: writes another line into the list, in the place of the one with this text. */
async function edit(page: Page, workflow: SavedWorkflow, text: string, line: string) {
	await close(page);
	await openPanel(page, workflow, CONTACTS);
	await field(page, 'jsonOutput').getByTestId('expander').click();
	const editor = page.getByTestId('expression-modal-input');
	const large = page.getByRole('dialog').filter({ has: editor });
	await editor.locator('.cm-line').filter({ hasText: text }).click({ clickCount: 3 });
	await page.keyboard.insertText(`${line}\n`);
	await large.locator('button[class*="close"]').last().click();
	await large.waitFor({ state: 'hidden' });
	// The panel has taken the change over.
	await see(outputPanel(page).getByTestId('node-run-info-stale'));
	await close(page);
	await openPanel(page, workflow, PLACE_CALL);
}

/** The rules of the page. */
async function setRules(page: Page): Promise<void> {
	await (await addRule(page, 'doNotContact')).locator('textarea').fill(DAVID);
	const hours = await addRule(page, 'allowedHours');
	await hours.hover();
	const item = parameterItem(page, 'allowedHours').last();
	await item.getByText('Expression', { exact: true }).click();
	await hours.locator('.cm-content').fill('{{ $json.hours }}');
	const hoursBetween = (await addRule(page, 'notAgainWithin')).locator('input');
	expect(await hoursBetween.inputValue()).toBe('24');
	await hoursBetween.fill('72');
}

/** What docs/call-a-list.md tells its reader to do, step by step. */
export function describeFiveContacts(world: () => World, inEditor: InEditor): void {
	inEditor('the five contacts of docs/call-a-list.md go as the page says', async (page) => {
		const { client, simulator, secret } = world();
		await saveCheckOnlyCredential(client, simulator, secret);
		const book = await exampleBook(client);
		await book.clear();
		const workflow = await client.createWorkflow(EXAMPLE);
		await page.setViewportSize(WIDE);
		await openWorkflow(page, workflow);

		// 2. Check it
		await openPanel(page, workflow, PLACE_CALL);
		await executeUntil(page, 'Of 5 items: 4 checked, 1 not sent.');
		const [anna, clara, david, eva] = [ANNA, CLARA, DAVID, EVA].map(checked);
		expect(await rowsIn(page)).toEqual([anna, FAILED, clara, david, eva]);
		const error = outputPanel(page).locator('thead th').filter({ hasText: 'error' });
		await see(error, outputPanel(page).getByText(`"${NUMBER_OF_BEN}" has no country code with +`));
		// From then on, n8n cuts all other cells off after their first line.
		await error.getByRole('button').click();
		await pictureOfTable(page, 'five-contacts-check');

		// 3. Set the rules
		await setRules(page);
		await executeUntil(
			page,
			'Of 5 items: 2 checked, 2 held back (1 do not contact, 1 outside hours), 1 not sent.',
		);
		const held = [heldBack(CLARA, 'outsideHours'), heldBack(DAVID, 'doNotContact')];
		expect(await rowsIn(page)).toEqual([anna, FAILED, ...held, eva]);
		await pictureOfTable(page, 'five-contacts-rules');
		// The editor tests the credential, which reads a conversation.
		const sent = simulator.requests.filter(({ endpoint }) => endpoint !== 'getConversation');
		expect([...sent, ...(await book.rows())]).toEqual([]);

		// 4. Go live
		await edit(page, workflow, NUMBER_OF_BEN, `"phone": "${BEN}",`);
		await chooseCredential(page, 'Assistant Service - Live');
		await executeUntil(
			page,
			'Of 5 items: 3 placed, 2 held back (1 do not contact, 1 outside hours).',
		);
		expect(await rowsIn(page)).toEqual([placed(ANNA), placed(BEN), ...held, placed(EVA)]);
		await pictureOfTable(page, 'five-contacts-live');
		expect(called(world()).sort()).toEqual([ANNA, BEN, EVA]);
		expect(await outcomesOf({ table: book })).toEqual(
			[ANNA, BEN, EVA].map((phone) => [phone, 'accepted']),
		);

		// 5. The next day
		await edit(page, workflow, '$now', '"hours": "00:00-24:00" },');
		await executeUntil(
			page,
			'Of 5 items: 1 placed, 4 held back (1 do not contact, 3 contacted recently).',
		);
		expect(await rowsIn(page)).toEqual([
			heldBack(ANNA, 'contactedRecently'),
			heldBack(BEN, 'contactedRecently'),
			placed(CLARA),
			heldBack(DAVID, 'doNotContact'),
			heldBack(EVA, 'contactedRecently'),
		]);
		await pictureOfTable(page, 'five-contacts-next-day');

		await close(page);
		await page.getByTestId('workflow-menu').click();
		await page.getByRole('menuitem', { name: 'Duplicate' }).click();
		const dialog = page.getByRole('dialog');
		// n8n asks for the name of the copy after the dialog is open, and copies nothing before it is there.
		await see(dialog.locator('input[placeholder="Enter workflow name"]:not(:placeholder-shown)'));
		const [copy] = await Promise.all([
			page.context().waitForEvent('page'),
			dialog.getByRole('button', { name: 'Duplicate' }).click(),
		]);
		await copy.locator(`[data-node-name="${PLACE_CALL}"]`).first().dblclick();
		await executeUntil(copy, 'Of 5 items: 5 held back (1 do not contact, 4 contacted recently).');
		await copy.close();
		expect(called(world()).sort()).toEqual([ANNA, BEN, CLARA, EVA]);
	});
}
