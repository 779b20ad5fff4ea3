import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER } from '../../test/simulator/seed';
import type { Simulator } from '../../test/simulator/simulator';
import { hearEvents } from '../e2e/exampleWorkflows';
import { TRIGGER, type World } from '../e2e/world';
import type { SavedWorkflow } from '../restTypes';
import { readExample, saveCheckOnlyCredential, saveCredentials } from '../setup';
import { nodeOf } from '../workflows';
import { LOOKED_FOR, see, type Editor } from './editor';
import { Film, READ_MS } from './film';
import { Visitor } from './visitor';

const SUMMARY = 'The customer booked Monday at 9:00.';

const ACTION = 'Place a phone call';

/** The node is looked for and added, from the canvas with a start. */
async function addNode(editor: Editor, film: Film): Promise<void> {
	await film.says(`1. Search for "${LOOKED_FOR}", and choose "${ACTION}"`);
	await film.clicks(editor.part('node-creator-plus-button'));
	await film.shows(READ_MS / 2);
	await film.enters(editor.part('node-creator-search-bar'), LOOKED_FOR, 'types');
	for (const text of ['Assistant Service', ACTION]) {
		await see(editor.creatorItem(text));
		await film.shows(READ_MS / 2);
		await film.clicks(editor.creatorItem(text).first());
	}
	await see(editor.part('ndv'), editor.part('node-credentials-select'));
}

/** The fields are filled, the node only checks; then it calls. */
async function placeCall(editor: Editor, film: Film, simulator: Simulator): Promise<void> {
	await film.says('2. Enter the assistant, its phone number, and the number to call');
	const values = { assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER, toNumber: TO_NUMBER };
	for (const [name, value] of Object.entries(values)) await film.enters(editor.input(name), value);
	await film.says('3. Execute step: with a credential in the mode "Check Only", nobody is called');
	const execute = editor.part('node-execute-button');
	await film.clicks(execute);
	await editor.showOutputAs('Table', /^checked$/);
	expect(simulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	await film.shows(READ_MS);

	await film.says(
		'4. Choose the credential in the mode "Live", and execute again: the call is placed',
	);
	await film.clicks(editor.part('node-credentials-select'));
	const live = editor.page.getByRole('option', { name: 'Assistant Service - Live' });
	await see(live);
	await film.shows(READ_MS / 2);
	await film.clicks(live);
	await film.shows(READ_MS / 2);
	await film.clicks(execute);
	await see(editor.output.getByText('placed', { exact: true }));
	await film.shows(READ_MS);
	expect(simulator.processed('placeCall')).toMatchObject([{ body: { toNumber: TO_NUMBER } }]);
}

/** The call rings on the page of the simulated service, and is ended there. */
async function endCall(visitor: Visitor, film: Film, workflow: string): Promise<void> {
	await film.cutTo(visitor.tab);
	await visitor.seesHeadline('1 call rings');
	await film.says(
		'5. It rings, here at the simulated service of "npm start". End it with a summary',
	);
	await film.clicks(visitor.button(`End call to ${TO_NUMBER}`));
	await film.shows(READ_MS / 2);
	await film.enters(visitor.field('Summary'), SUMMARY, 'types');
	await film.clicks(visitor.button(/^End call$/));
	await visitor.hears(`n8n took the event: ${workflow}.`);
	await film.shows(READ_MS);
}

/** The execution that the end of the call has started. */
async function openExecution(editor: Editor, film: Film, workflow: SavedWorkflow, id: string) {
	await film.cutTo(editor.page);
	await editor.goTo(`/workflow/${workflow.id}/executions/${id}`);
	const node = editor.onCanvas(nodeOf(workflow, TRIGGER));
	await see(node);
	await film.says(
		`6. The end of the call has started the workflow "${workflow.name}", with the summary`,
	);
	await film.clicks(node, 2);
	await see(editor.output.getByText(SUMMARY));
	await film.shows(2 * READ_MS);
}

/** The first call of somebody who does not know the node, who then looks at the page of the service. */
export async function placeFirstCall(editor: Editor, world: World, page: string): Promise<void> {
	const { client, simulator, secret } = world;
	await saveCredentials(client, simulator, secret);
	await saveCheckOnlyCredential(client, simulator);
	const { pinData: _, ...draft } = readExample('end-of-call.json');
	const endOfCall = await hearEvents(world, draft);
	const film = new Film(editor.page);
	await film.cutTo(editor.page);
	// Not by goTo: the editor knows the credentials that were there when it was loaded.
	await editor.loadAnew();
	await editor.part('canvas-plus-button').click();
	await editor.creatorItem('Trigger manually').first().click();
	await see(editor.part('canvas-node'));

	await addNode(editor, film);
	await placeCall(editor, film, simulator);
	const last = await client.lastExecutionId();
	const browser = editor.page.context().browser();
	if (!browser) throw new Error('the page has no browser');
	const visitor = await Visitor.open(browser, page);
	await endCall(visitor, film, endOfCall.name);
	const [execution] = await client.finishedAfter(last, endOfCall.id, 1);
	await openExecution(editor, film, endOfCall, execution?.id ?? '');
	const result = 'The result: the summary of a call that has ended. This is the way to it:';
	await film.save('first-call', result);
	await visitor.leave();
	await client.deactivate(endOfCall.id);
	// A new node gets the credential that was saved last.
	await saveCredentials(client, simulator, secret);
}
