import { ASSISTANT_ID, FROM_NUMBER, TO_NUMBER } from '../../test/simulator/seed';
import { hearEvents } from '../e2e/exampleWorkflows';
import { TRIGGER, type World } from '../e2e/world';
import { readExample, saveCheckOnlyCredential } from '../setup';
import { nodeOf } from '../workflows';
import { LOOKED_FOR, see, type Editor } from './editor';
import { Film, SCREEN } from './film';

const SUMMARY = 'The customer booked Monday at 9:00.';
const FIELDS = { assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER, toNumber: TO_NUMBER };
const ACTION = 'Place a phone call';

/** The first call of somebody who does not know the node, who then looks at the page of the service. */
export async function placeFirstCall(editor: Editor, world: World, url: string): Promise<void> {
	const { client, simulator, secret } = world;
	const { page, output } = editor;
	// A new node gets the credential that was saved last.
	await saveCheckOnlyCredential(client, simulator, secret);
	const { pinData: _, ...draft } = readExample('end-of-call.json');
	const endOfCall = await hearEvents(world, draft);
	const last = await client.lastExecutionId();
	await page.setViewportSize(SCREEN);
	// Not by goTo: the editor knows the credentials that were there when it was loaded.
	await editor.loadAnew();
	await editor.part('canvas-plus-button').click();
	await editor.creatorItem('Trigger manually').click();
	await see(editor.part('canvas-node'));

	const film = new Film();
	const execute = { target: editor.part('node-execute-button') };
	await film.plays(
		`1. Search for "${LOOKED_FOR}", and choose "${ACTION}"`,
		[
			{ target: editor.part('node-creator-plus-button') },
			{ target: editor.part('node-creator-search-bar'), text: LOOKED_FOR },
			{ target: editor.creatorItem('Assistant Service') },
			{ target: editor.creatorItem(ACTION) },
		],
		editor.part('node-credentials-select'),
	);
	await film.plays(
		'2. Enter the assistant, its phone number, and the number to call',
		Object.entries(FIELDS).map(([name, text]) => ({ target: editor.input(name), text })),
		execute.target,
	);
	await film.plays(
		'3. Execute step: with a credential in the mode "Check Only", nobody is called',
		[execute, { target: output.getByRole('radio', { name: 'Table' }) }],
		output.getByText('checked', { exact: true }),
	);
	expect(simulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	await film.plays(
		'4. Choose the credential in the mode "Live", and execute again: the call is placed',
		[
			{ target: editor.part('node-credentials-select') },
			{ target: page.getByRole('option', { name: 'Assistant Service - Live' }) },
			execute,
		],
		output.getByText('placed', { exact: true }),
	);
	expect(simulator.processed('placeCall')).toMatchObject([{ body: { toNumber: TO_NUMBER } }]);

	const tab = await page.context().newPage();
	await tab.setViewportSize(SCREEN);
	await tab.goto(url);
	await film.plays(
		'5. It rings, here at the simulated service of "npm start". End it with a summary',
		[
			{ target: tab.getByRole('button', { name: `End call to ${TO_NUMBER}` }) },
			{ target: tab.getByLabel('Summary', { exact: true }), text: SUMMARY },
			{ target: tab.getByRole('button', { name: 'End call', exact: true }) },
		],
		tab.getByText(`n8n took the event: ${endOfCall.name}.`),
	);
	const [execution] = await client.finishedAfter(last, endOfCall.id, 1);
	await editor.goTo(`/workflow/${endOfCall.id}/executions/${execution?.id}`);
	await film.plays(
		`6. The end of the call has started the workflow "${endOfCall.name}", with the summary`,
		[{ target: editor.onCanvas(nodeOf(endOfCall, TRIGGER)), clickCount: 2 }],
		output.getByText(SUMMARY),
	);
	const result = 'The result: the summary of a call that has ended. This is the way to it:';
	await film.save('first-call', result);
	await tab.close();
	await client.deactivate(endOfCall.id);
}
