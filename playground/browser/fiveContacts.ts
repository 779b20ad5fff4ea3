import { called } from '../e2e/exampleWorkflows';
import { exampleBook, outcomesOf } from '../e2e/contactBook';
import type { World } from '../e2e/world';
import type { SavedWorkflow } from '../restTypes';
import { EXAMPLES_ASK_FOR, readExample, saveCheckOnlyCredential } from '../setup';
import { Editor, see } from './editor';
import { picture } from './pictures';

/** The nodes of the example. */
const CONTACTS = 'Contacts';
const PLACE_CALL = 'Place Call';
const EXAMPLE = readExample('five-contacts.json', EXAMPLES_ASK_FOR);
const [ANNA, BEN, CLARA, DAVID, EVA] = [
	...['+15550102011', '+15550102012', '+15550102013', '+15550102014', '+15550102015'],
] as const;
/** As it stands in the example. */
const NUMBER_OF_BEN = '0155 5010 2012';
/** The output gets two fifths of it: all columns of the table are seen. */
export const WIDE = { width: 2760, height: 1300 };

/** The first three cells of a row. n8n writes `null` and `undefined` out. */
const checked = (phone: string): string => `${phone} checked null`;
const placed = (phone: string): string => `${phone} placed null`;
const heldBack = (phone: string, reason: string): string => `${phone} heldBack ${reason}`;
const FAILED = 'undefined undefined undefined';

/** "Execute step"; waits for this line above the table. */
async function executeUntil(editor: Editor, line: string): Promise<void> {
	await editor.execute();
	await editor.showOutputAs('Table', line);
}

/** Expects these first three cells of each row, and takes a picture down to the end of the table. */
async function expectTable({ page, output }: Editor, name: string, expected: string[]) {
	const rows = await output.locator('tbody tr').all();
	const cells = await Promise.all(rows.map(async (row) => row.locator('td').allInnerTexts()));
	expect(cells.map((row) => row.slice(0, 3).join(' '))).toEqual(expected);
	await page.mouse.move(0, 0);
	const table = output.locator('table');
	const [whole, end] = await Promise.all([output.boundingBox(), table.boundingBox()]);
	if (!whole || !end) throw new Error('there is no table');
	const maxHeight = end.y + end.height - whole.y + 12;
	await picture(`five-contacts-${name}`, output, { maxHeight, colours: 64 });
}

/** "Add Rule". */
async function addRule(editor: Editor, label: string): Promise<void> {
	const add = editor.page.locator('input[placeholder="Add Rule"]');
	await editor.part('collection-parameter-add').filter({ has: add }).click();
	await editor.page.getByRole('option', { name: label, exact: true }).click();
}

/** The rules of the page. */
async function setRules(editor: Editor): Promise<void> {
	await addRule(editor, 'Do Not Contact');
	await editor.fill({ doNotContact: DAVID });
	await addRule(editor, 'Allowed Hours');
	const hours = editor.field('allowedHours');
	await hours.hover();
	await editor.item('allowedHours').last().getByText('Expression', { exact: true }).click();
	await hours.locator('.cm-content').fill('{{ $json.hours }}');
	await addRule(editor, 'Not Again Within');
	expect(await editor.input('notAgainWithin').inputValue()).toBe('24');
	await editor.fill({ notAgainWithin: '72' });
}

/** From the panel of the call and back: writes another line into the list, in the place of the one with this text. */
async function edit(editor: Editor, workflow: SavedWorkflow, text: string, line: string) {
	await editor.closePanel();
	await editor.openPanel(workflow, CONTACTS);
	await editor.field('jsonOutput').getByTestId('expander').click();
	const code = editor.part('expression-modal-input');
	const large = editor.page.getByRole('dialog').filter({ has: code });
	await code.locator('.cm-line').filter({ hasText: text }).click({ clickCount: 3 });
	await editor.page.keyboard.insertText(`${line}\n`);
	await large.locator('button[class*="close"]').last().click();
	await large.waitFor({ state: 'hidden' });
	// The panel has taken the change over.
	await see(editor.output.getByTestId('node-run-info-stale'));
	await editor.closePanel();
	await editor.openPanel(workflow, PLACE_CALL);
}

/** Does what docs/call-a-list.md tells its reader to do, step by step. */
export async function callFiveContacts(editor: Editor, world: World): Promise<void> {
	const { page, output } = editor;
	const { client, simulator, secret } = world;
	await page.setViewportSize(WIDE);
	await saveCheckOnlyCredential(client, simulator, secret);
	const book = await exampleBook(client);
	await book.clear();
	const workflow = await client.createWorkflow(EXAMPLE);
	await editor.openWorkflow(workflow);

	// 2. Check it
	await editor.openPanel(workflow, PLACE_CALL);
	await executeUntil(editor, 'Of 5 items: 4 checked, 1 not sent.');
	await see(output.getByText(`"${NUMBER_OF_BEN}" has no country code with +`));
	// From then on, n8n cuts all other cells off after their first line.
	await output.locator('th').filter({ hasText: 'error' }).getByRole('button').click();
	const all = [checked(ANNA), FAILED, checked(CLARA), checked(DAVID), checked(EVA)];
	await expectTable(editor, 'check', all);

	// 3. Set the rules
	await setRules(editor);
	const reasons = '2 held back (1 do not contact, 1 outside hours)';
	await executeUntil(editor, `Of 5 items: 2 checked, ${reasons}, 1 not sent.`);
	const held = [heldBack(CLARA, 'outsideHours'), heldBack(DAVID, 'doNotContact')];
	await expectTable(editor, 'rules', [checked(ANNA), FAILED, ...held, checked(EVA)]);
	const heading = editor.part('node-parameters').getByText('Rules of Contact', { exact: true });
	const shown = heading.or(editor.item('notAgainWithin').last());
	await picture('rules-of-contact', shown, { margin: 10 });
	// The editor tests the credential, which reads a conversation.
	const sent = simulator.requests.filter(({ endpoint }) => endpoint !== 'getConversation');
	expect([...sent, ...(await book.rows())]).toEqual([]);

	// 4. Go live
	await edit(editor, workflow, NUMBER_OF_BEN, `"phone": "${BEN}",`);
	await editor.part('node-credentials-select').click();
	await page.getByRole('option', { name: 'Assistant Service - Live' }).click();
	await executeUntil(editor, `Of 5 items: 3 placed, ${reasons}.`);
	await expectTable(editor, 'live', [placed(ANNA), placed(BEN), ...held, placed(EVA)]);
	expect(called(world).sort()).toEqual([ANNA, BEN, EVA]);
	const accepted = [ANNA, BEN, EVA].map((phone) => [phone, 'accepted']);
	expect(await outcomesOf({ table: book })).toEqual(accepted);

	// 5. The next day
	await edit(editor, workflow, '$now', '"hours": "00:00-24:00" },');
	const summary = 'Of 5 items: 1 placed, 4 held back (1 do not contact, 3 contacted recently).';
	await executeUntil(editor, summary);
	const recent = [ANNA, BEN, EVA].map((phone) => heldBack(phone, 'contactedRecently'));
	const rows = [...recent, placed(CLARA), heldBack(DAVID, 'doNotContact')];
	await expectTable(editor, 'next-day', rows.sort());

	await editor.closePanel();
	await editor.part('workflow-menu').click();
	await page.getByRole('menuitem', { name: 'Duplicate' }).click();
	const dialog = page.getByRole('dialog');
	// n8n asks for the name of the copy after the dialog is open, and copies nothing before it is there.
	await see(dialog.locator('input[placeholder="Enter workflow name"]:not(:placeholder-shown)'));
	const opening = page.context().waitForEvent('page');
	await dialog.getByRole('button', { name: 'Duplicate' }).click();
	const copy = new Editor(await opening);
	await copy.page.locator(`[data-node-name="${PLACE_CALL}"]`).first().dblclick();
	await executeUntil(copy, 'Of 5 items: 5 held back (1 do not contact, 4 contacted recently).');
	await copy.page.close();
	expect(called(world).sort()).toEqual([ANNA, BEN, CLARA, EVA]);

	await page.setViewportSize({ width: 1440, height: 900 });
	await page.goto(book.page);
	await see(...[CLARA, 'accepted', 'C-2003'].map((text) => page.getByText(text)));
	await picture('contact-book-table', page.locator('.ag-root-wrapper'));
}
