import { ASSISTANT_ID, TO_NUMBER } from '../../test/simulator/seed';
import type { World } from '../e2e/world';
import { nodeOf } from '../workflows';
import { CALL, createForContacts, PEOPLE, PLACE_CALL } from './contacts';
import {
	choose,
	execute,
	field,
	nodeOnCanvas,
	openNode,
	openPanel,
	openWorkflow,
	outputPanel,
	see,
	showOutputAs,
	type InEditor,
} from './editor';
import { picture } from './pictures';
import { description, entriesOf, operationOf, parameterOf, textOf } from './texts';

/** The panel of the node. */
export function describePanel(world: () => World, inEditor: InEditor): void {
	inEditor('each contact that comes in is called, and comes out with its call', async (page) => {
		const workflow = await createForContacts(world(), PLACE_CALL, CALL);
		await page.setViewportSize({ width: 1440, height: 920 });
		await openNode(page, workflow, PLACE_CALL);
		await execute(page);
		await showOutputAs(page, 'Table');
		await see(...PEOPLE.map(({ phone }) => outputPanel(page).getByText(`placed to ${phone}`)));
	});

	inEditor('an error says what the service said, and what to do', async (page) => {
		const parameters = {
			resource: 'msgapp',
			operation: 'continueConversation',
			assistantId: ASSISTANT_ID,
			toNumber: TO_NUMBER,
			message: 'Your order is ready.',
		};
		const workflow = await createForContacts(world(), 'Send Message', parameters, [{}]);
		await openNode(page, workflow, 'Send Message');
		await execute(page);
		await see(
			outputPanel(page).getByTestId('node-error-message'),
			outputPanel(page).getByTestId('node-error-description'),
		);
		expect(await outputPanel(page).getByTestId('node-error-description').innerText()).toMatch(
			/template message/i,
		);
		await picture(page, 'error', outputPanel(page), { maxHeight: 352 });
	});

	inEditor('a node that waits for the end of calls says for how long', async (page) => {
		const waiting = { ...CALL, operation: 'placeAndWait', waitAtMost: 2 };
		const workflow = await createForContacts(world(), PLACE_CALL, waiting);
		await openNode(page, workflow, PLACE_CALL);
		await execute(page);
		await see(outputPanel(page).getByText(/have ended, for 2 hours at most/));
		await picture(page, 'place-and-wait', page.getByTestId('ndv'), { maxHeight: 620 });
		await world().client.stop(await world().client.lastExecutionId());
	});

	/** n8n-io/n8n#10935, n8n-io/n8n#4395. */
	inEditor('undo brings a deleted node back with its rules and credential', async (page) => {
		const rules = { contactRules: { doNotContact: PEOPLE[0]?.phone } };
		const workflow = await createForContacts(world(), PLACE_CALL, { ...CALL, ...rules });
		await openWorkflow(page, workflow);
		const shown = nodeOnCanvas(page, nodeOf(workflow, PLACE_CALL));
		await shown.click();
		await page.keyboard.press('Delete');
		await shown.waitFor({ state: 'detached' });
		await page.keyboard.press('Control+z');
		await openPanel(page, workflow, PLACE_CALL);
		await execute(page);
		await see(outputPanel(page).getByText('Of 3 items: 2 placed, 1 held back (1 do not contact).'));
	});

	inEditor('a bulk campaign says that no rule of contact applies to it', async (page) => {
		const workflow = await createForContacts(world(), 'Create Campaign', CALL, [{}]);
		await openNode(page, workflow, 'Create Campaign');
		const nameOf = (value: string) =>
			entriesOf(parameterOf('resource')).find((entry) => entry.value === value)?.name ?? '';
		await choose(page, 'resource', nameOf('campaign'));
		await choose(page, 'operation', operationOf('campaign', 'createBulk').name);
		const notice = description.properties.find(
			({ type, displayOptions }) =>
				type === 'notice' && displayOptions?.show?.operation?.includes('createBulk'),
		);
		await see(page.getByText(textOf(notice?.displayName)), field(page, 'sheetUrl'));
	});
}
