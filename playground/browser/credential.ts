import { API_KEY, WORKSPACE_ID } from '../../test/simulator/seed';
import type { World } from '../e2e/world';
import { choose, field, fill, openMenu, see, type InEditor } from './editor';
import { picture } from './pictures';

/** The credential of the node. */
export function describeCredential(world: () => World, inEditor: InEditor): void {
	inEditor(
		'the credential offers its modes, and asks for a number to redirect to',
		async (page) => {
			await page.goto(`/home/credentials/${world().credentials.assistantServiceApi.id}`);
			await page.setViewportSize({ width: 1440, height: 1800 });
			const dialog = page.locator('.el-dialog').filter({ visible: true });
			await see(field(page, 'baseUrl'));
			await fill(page, 'baseUrl', 'https://assistant.example.com/api');
			await fill(page, 'apiKey', API_KEY);
			await fill(page, 'workspaceId', WORKSPACE_ID);
			await see(dialog.getByText('workflows with this credential call and message real people'));
			expect(await field(page, 'testNumber').count()).toBe(0);
			const modes = await openMenu(page, 'mode');
			const texts = (await modes.allInnerTexts()).map((text) => text.split('\n')[0]);
			expect(texts).toEqual(['Check Only', 'Live', 'Redirect']);
			const menu = page.locator('.el-popper').filter({ has: modes.first(), visible: true });
			await picture(page, 'credential', dialog.or(menu), { margin: 16 });
			await modes.filter({ hasText: 'Redirect' }).click();
			await see(field(page, 'testNumber'));
			await fill(page, 'testNumber', '+4915112345678');
			await choose(page, 'mode', 'Check Only');
			await see(dialog.getByText('Nobody is reached with this credential'));
			expect(await field(page, 'testNumber').count()).toBe(0);
		},
	);
}
