import { ASSISTANT_ID, TO_NUMBER } from '../../test/simulator/seed';
import type { World } from '../e2e/world';
import { node } from '../workflows';
import { CALL, createForContacts, PEOPLE, PLACE_CALL } from './contacts';
import {
	choose,
	execute,
	field,
	inputPanel,
	openMenu,
	openNode,
	outputPanel,
	see,
	showOutputAs,
	type InEditor,
} from './editor';
import { picture } from './pictures';
import { description, entriesOf, operationOf, parameterOf, textOf } from './texts';

const NEXT = 'Next Step';

/** The panel of the node. */
export function describePanel(world: () => World, inEditor: InEditor): void {
	inEditor('each contact that comes in is called, and comes out with its call', async (page) => {
		const workflow = await createForContacts(world(), PLACE_CALL, CALL);
		await page.setViewportSize({ width: 1440, height: 920 });
		await openNode(page, workflow, PLACE_CALL);
		await execute(page);
		await showOutputAs(page, 'Table');
		await see(...PEOPLE.map(({ phone }) => outputPanel(page).getByText(`placed to ${phone}`)));
		await picture(page, 'node', page.getByTestId('ndv'));
	});

	inEditor('the menus offer every resource and its operations', async (page) => {
		const workflow = await createForContacts(world(), PLACE_CALL, CALL);
		await openNode(page, workflow, PLACE_CALL);
		const resources = entriesOf(parameterOf('resource'));
		const entries = await openMenu(page, 'resource');
		// n8n adds an entry of its own.
		expect((await entries.allInnerTexts()).slice(0, resources.length)).toEqual(
			resources.map(({ name }) => expect.stringMatching(`^${name}`) as unknown),
		);
		const msgapp = resources.find(({ value }) => value === 'msgapp')?.name ?? '';
		await entries.filter({ hasText: msgapp }).click();
		const operations = entriesOf(parameterOf('operation', 'msgapp'));
		const offered = await (await openMenu(page, 'operation')).allInnerTexts();
		expect(offered.slice(0, operations.length)).toEqual(
			operations.map(({ name }) => expect.stringMatching(`^${name}`) as unknown),
		);
	});

	inEditor('the fields of the output can be mapped before anybody is called', async (page) => {
		const next = node('n8n-nodes-base.set', NEXT, {}, { typeVersion: 3.4 });
		const workflow = await createForContacts(world(), PLACE_CALL, CALL, PEOPLE, {}, [next]);
		await openNode(page, workflow, NEXT);
		await see(
			...['toNumber', 'result', 'reason', 'callId', 'msg'].map((name) =>
				inputPanel(page).getByTestId('run-data-schema-item').getByText(name, { exact: true }),
			),
		);
		expect(world().simulator.requests).toEqual([]);
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
		await picture(page, 'bulk-campaign', page.getByTestId('node-parameters'), { maxHeight: 560 });
	});
}
