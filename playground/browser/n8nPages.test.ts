import path from 'node:path';
import { DAY } from '../../nodes/shared/time/clock';
import { filesIn } from '../../test/repository';
import { people } from '../e2e/calls';
import { useExampleBook } from '../e2e/contactBook';
import { exampleWith } from '../e2e/exampleWorkflows';
import { useWorld } from '../e2e/world';
import { hasPicture, readExample } from '../setup';
import { see, useEditor } from './editor';
import { WIDE } from './fiveContacts';
import { picture } from './pictures';

const world = useWorld(true);
const book = useExampleBook(world);
const inEditor = useEditor(world);

inEditor('the credential is tested, and offers its modes', async (editor) => {
	const { page } = editor;
	const dialog = page.locator('.el-dialog').filter({ visible: true });
	await page.setViewportSize({ width: 1440, height: 1800 });
	await page.goto(`/home/credentials/${world().credentials.assistantServiceApi.id}`);
	const table = editor.field('contactBookTable');
	const success = editor.part('credentials-config-container-test-success');
	await see(table, success);
	await table.scrollIntoViewIfNeeded();
	await page.getByText('Contact Book', { exact: true }).scrollIntoViewIfNeeded();
	await picture('contact-book-credential', dialog);

	await editor.fill({ baseUrl: 'https://assistant.example.com/api' });
	await see(dialog.getByText('workflows with this credential call and message real people'));
	expect(await editor.field('testNumber').count()).toBe(0);
	await success.scrollIntoViewIfNeeded();
	await editor.field('mode').click();
	const modes = editor.options;
	await see(modes);
	const texts = (await modes.allInnerTexts()).map((text) => text.split('\n')[0]);
	expect(texts).toEqual(['Check Only', 'Live', 'Redirect']);
	const menu = page.locator('.el-popper').filter({ has: modes.first(), visible: true });
	await picture('credential', dialog.or(menu), { margin: 16 });
	await modes.filter({ hasText: 'Redirect' }).click();
	await see(editor.field('testNumber'));
	await editor.choose('mode', 'Check Only');
	await see(dialog.getByText('Nobody is reached with this credential'));
	expect(await editor.field('testNumber').count()).toBe(0);
	// Its dialog would stay open above the next canvas.
	await editor.loadAnew();
});

/** Nodes and notes, the names below the nodes, the lines between them, and where a line can begin. */
const DRAWN = [
	...['.vue-flow__node', '.vue-flow__node [class*="_description_"]', '.vue-flow__edge-path'],
	'[data-test-id="canvas-handle-plus"]',
].join();

for (const { base, name } of filesIn('examples', '.json').map((file) => path.parse(file))) {
	inEditor(`the example ${name} stands on the canvas with all its nodes`, async (editor) => {
		await editor.page.setViewportSize({ width: 1150, height: 1000 });
		const draft = readExample(base);
		await editor.openWorkflow(await world().client.createWorkflow(draft));
		expect(await editor.page.getByText('Install this node').count()).toBe(0);
		await editor.part('zoom-to-fit').click();
		if (!hasPicture(draft)) return;
		await picture(`examples/${name}`, editor.page.locator(DRAWN), { margin: 24 });
	});
}

inEditor('the report of a list is a page with bars', async (editor) => {
	await editor.page.setViewportSize(WIDE);
	const contacts = people(100);
	const call = { list: 'spring 2027', operation: 'call.place', outcome: 'accepted' };
	const rows = contacts.slice(0, 82).flatMap(({ phone }, index) =>
		Array.from({ length: 1 + (index % 3) }, (_, day) => {
			const contactedAt = new Date(Date.now() - (4 - day - (index % 2)) * DAY).toISOString();
			const reached = day === index % 3 && index % 5 > 0 ? 'yes' : 'no';
			return { ...call, phone, contactedAt, reached };
		}),
	);
	const optOuts = contacts.slice(79, 82).map(({ phone }) => ({ phone, doNotContact: true }));
	await book().insert(...rows, ...optOuts);
	const list = { People: { jsonOutput: JSON.stringify({ contacts }) } };
	const draft = exampleWith('list-report.json', list);
	const workflow = await world().client.createWorkflow(draft);
	await editor.openWorkflow(workflow);
	await editor.openPanel(workflow, 'Report Page');
	await editor.execute();
	const report = editor.output.frameLocator('iframe');
	await see(report.getByText('63 of 100 people'), report.getByText('By day'));
	const shown = editor.output.locator('iframe');
	await picture('list-report-page', shown, { maxHeight: 740, colours: 64 });
});
