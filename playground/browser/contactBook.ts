import { exampleBook } from '../e2e/contactBook';
import type { World } from '../e2e/world';
import { CALL, createForContacts, PEOPLE, PLACE_CALL } from './contacts';
import { field, see, type InEditor } from './editor';
import { picture } from './pictures';

/** The contact book: its credential, and its table after a run. */
export function describeContactBook(world: () => World, inEditor: InEditor): void {
	inEditor('the table has a row a contact', async (page) => {
		const { client } = world();
		const table = await exampleBook(client);
		await table.clear();
		const parameters = {
			...CALL,
			options: { reference: '={{ $json.reference }}' },
		};
		const contacts = PEOPLE.map((one, index) => ({ ...one, reference: `C-100${index + 1}` }));
		const workflow = await createForContacts(world(), PLACE_CALL, parameters, contacts);
		expect((await client.run(workflow.id, 'Contacts')).status).toBe('success');

		await page.goto(table.page);
		const shown = page.getByText(PEOPLE[0]?.phone ?? '');
		await see(shown, page.getByText('accepted'), page.getByText('C-1001'));
		await picture(page, 'contact-book-table', page.locator('.ag-root-wrapper'));
	});

	inEditor('the credential is tested, with its contact book', async (page) => {
		await page.goto(`/home/credentials/${world().credentials.assistantServiceApi.id}`);
		await page.setViewportSize({ width: 1440, height: 1800 });
		await see(
			field(page, 'contactBookTable'),
			page.getByTestId('credentials-config-container-test-success'),
		);
		await field(page, 'contactBookTable').scrollIntoViewIfNeeded();
		await page.getByText('Contact Book', { exact: true }).scrollIntoViewIfNeeded();
		const dialog = page.locator('.el-dialog').filter({ visible: true });
		await picture(page, 'contact-book-credential', dialog);
	});
}
