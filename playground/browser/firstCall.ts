import type { Page } from 'playwright-core';
import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER } from '../../test/simulator/seed';
import { hearEvents } from '../e2e/exampleWorkflows';
import { useOpened, type World } from '../e2e/world';
import { besideOf } from '../page/beside';
import { startPage } from '../page/server';
import type { SavedWorkflow } from '../restTypes';
import { readExample, saveCheckOnlyCredential, saveCredentials } from '../setup';
import { nodeOf } from '../workflows';
import {
	creatorItem,
	EMPTY,
	field,
	goTo,
	LOOKED_FOR,
	nodeOnCanvas,
	outputPanel,
	see,
	showOutputAs,
	type InEditor,
} from './editor';
import { Film } from './film';
import { description, operationOf } from './texts';
import { Visitor } from './visitor';

const READ_MS = 1800;
const SUMMARY = 'The customer booked Monday at 9:00.';
const TRIGGER = 'Call Ended';

/** The example that waits for the ends of calls, active, and known to the service. */
async function activateEndOfCall(world: World): Promise<SavedWorkflow> {
	const { pinData: _, ...draft } = readExample('end-of-call.json');
	return await hearEvents(world, draft, TRIGGER);
}

/** The node is looked for and added, from the canvas with a start. */
async function addNode(page: Page, film: Film): Promise<void> {
	const { displayName } = description;
	const { action = '' } = operationOf('call', 'place');
	film.says(`1. Search for "${LOOKED_FOR}", and choose "${action}"`);
	await film.shows(READ_MS);
	await film.clicks(page.getByTestId('node-creator-plus-button'));
	await film.shows(READ_MS / 2);
	await film.enters(page.getByTestId('node-creator-search-bar'), LOOKED_FOR, 'types');
	await see(creatorItem(page, displayName));
	await film.shows(READ_MS / 2);
	await film.clicks(creatorItem(page, displayName).first());
	await see(creatorItem(page, action));
	await film.shows(READ_MS / 2);
	await film.clicks(creatorItem(page, action).first());
	await see(page.getByTestId('ndv'));
}

/** The fields are filled, the node only checks; then it calls. */
async function placeCall(page: Page, film: Film, { simulator }: World): Promise<void> {
	film.says('2. Enter the assistant, its phone number, and the number to call');
	await film.shows(READ_MS);
	const values = { assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER, toNumber: TO_NUMBER };
	for (const [name, value] of Object.entries(values)) {
		await film.enters(field(page, name).locator('input, textarea').first(), value);
	}
	film.says('3. Execute step: with a credential in the mode "Check Only", nobody is called');
	const execute = page.getByTestId('node-execute-button');
	await film.clicks(execute);
	await showOutputAs(page, 'Table');
	await see(outputPanel(page).getByText('checked', { exact: true }));
	expect(simulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	await film.shows(READ_MS);

	film.says('4. Choose the credential in the mode "Live", and execute again: the call is placed');
	await film.clicks(page.getByTestId('node-credentials-select'));
	const live = page.getByRole('option', { name: 'Assistant Service - Live' });
	await see(live);
	await film.shows(READ_MS / 2);
	await film.clicks(live);
	await film.shows(READ_MS / 2);
	await film.clicks(execute);
	await see(outputPanel(page).getByText('placed', { exact: true }));
	await film.shows(READ_MS);
}

/** The call rings on the page of the simulated service, and is ended there. */
async function endCall(visitor: Visitor, film: Film, name: string): Promise<void> {
	const { tab } = visitor;
	await film.cutTo(tab);
	await visitor.seesHeadline('1 call rings');
	film.says('5. It rings, here at the simulated service of "npm start". End it with a summary');
	await film.shows(READ_MS);
	await film.clicks(visitor.button(`End call to ${TO_NUMBER}`));
	await film.shows(READ_MS / 2);
	await film.enters(visitor.field('Summary'), SUMMARY, 'types');
	await film.clicks(visitor.button(/^End call$/));
	await visitor.hears('The call has ended.');
	expect(await tab.locator('#said').textContent()).toContain(`n8n took the event: ${name}.`);
	await film.shows(READ_MS);
}

/** The execution that the end of the call has started. */
async function openExecution(page: Page, film: Film, workflow: SavedWorkflow, id: string) {
	await film.cutTo(page);
	await goTo(page, `/workflow/${workflow.id}/executions/${id}`);
	const node = nodeOnCanvas(page, nodeOf(workflow, TRIGGER));
	await see(node);
	film.says(`6. The end of the call has started the workflow "${workflow.name}", with the summary`);
	await film.shows(READ_MS);
	await film.clicks(node, 2);
	await see(outputPanel(page).getByText(SUMMARY));
	await film.shows(2 * READ_MS);
}

/** The first call of somebody who does not know the node. */
export function describeFirstCall(world: () => World, inEditor: InEditor): void {
	const service = useOpened(
		async () => await startPage(world().simulator, await besideOf(world())),
	);

	inEditor(
		'the node is found and filled, it checks, it calls, and the end comes back',
		async (page) => {
			const { client, simulator, secret } = world();
			await saveCredentials(client, simulator, secret);
			await saveCheckOnlyCredential(client, simulator);
			const endOfCall = await activateEndOfCall(world());
			const film = new Film(page);
			await film.cutTo(page);
			// Not by goTo: the editor knows the credentials that were there when it was loaded.
			await page.goto(EMPTY);
			await page.getByTestId('canvas-plus-button').click();
			await creatorItem(page, 'Trigger manually').first().click();
			await see(page.getByTestId('canvas-node'));

			await addNode(page, film);
			await see(page.getByTestId('node-credentials-select'));
			await placeCall(page, film, world());
			expect(simulator.processed('placeCall')).toMatchObject([{ body: { toNumber: TO_NUMBER } }]);

			const last = await client.lastExecutionId();
			const browser = page.context().browser();
			if (!browser) throw new Error('the page has no browser');
			const visitor = await Visitor.open(browser, service().url);
			await endCall(visitor, film, endOfCall.name);
			const [execution] = await client.finishedAfter(last, endOfCall.id, 1);
			await openExecution(page, film, endOfCall, execution?.id ?? '');
			await film.save('first-call');
			await visitor.leave();
			await client.deactivate(endOfCall.id);
			// A new node gets the credential that was saved last.
			await saveCredentials(client, simulator, secret);
		},
	);
}
