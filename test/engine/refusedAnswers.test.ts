import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { KNOWLEDGE_BASE_ID } from '../simulator/seed';
import { CONTINUE } from './contacts';
import { retryRun, runNode, type NodeSetup } from './engine';
import { isFor } from './recipients';
import { credentialFor, numbers, placeCall, useSimulator } from './world';

/** What is shown of an item that was reached in an earlier try, and is refused now: nothing that may not be so. */

const simulator = useSimulator();

const people = numbers(3);

const setup = (
	parameters: INodeParameters = {},
	settings: NodeSetup['settings'] = {},
): NodeSetup => ({
	credential: credentialFor(simulator()),
	parameters: { ...placeCall, options: { maxConcurrentRequests: 1 }, ...parameters },
	items: people,
	settings,
});

const unreadable = { toNumber: '={{ "0" + $json.to }}' };

test.each<[shows: string, parameters: INodeParameters, numbers: string[]]>([
	['the number', { contactRules: { allowedHours: '9 to 5' } }, people.map(({ to }) => to)],
	['none that cannot be read any more', unreadable, ['', '']],
])('shows %s', async (_, parameters, [one, other]) => {
	simulator().addFault({ kind: 'status', status: 400, when: isFor(2), times: 1 });
	const first = await runNode(setup());

	const { items } = await retryRun(first.run, setup(parameters, CONTINUE.settings));

	expect(items.map(({ json }) => [json.toNumber, json.result])).toEqual([
		[one, 'placed'],
		[other, 'placed'],
		[undefined, undefined],
	]);
});

test('names the row of who may have been called, if the number cannot be read any more', async () => {
	simulator().addFault({ kind: 'resetAfter', when: isFor(1), times: 1 });
	const first = await runNode(setup());

	const { error } = await retryRun(first.run, setup(unreadable));

	expect(error?.message).toMatch(
		/\(row 2\), and an earlier try may have sent it: The person of row 2 may have been called$/,
	);
	expect(error?.description).toContain('To go on, correct this, and retry this execution, if');
});

const KNOWLEDGE_BASE = { resource: 'knowledgeBase', knowledgeBaseId: KNOWLEDGE_BASE_ID };

test.each<[operation: string, entered: string, bad: INodeParameters, output: IDataObject]>([
	['addParagraphs', 'paragraphsJson', { paragraphsJson: '={{ [] }}' }, { added: null }],
	[
		'deleteParagraph',
		'paragraphKey',
		{ knowledgeBaseId: 'x', paragraphKey: 'pets' },
		{ deleted: true, paragraphKey: null },
	],
])('of %s claims nothing of %s in %j', async (operation, entered, bad, output) => {
	const value = operation === 'addParagraphs' ? '={{ ["a", "b"] }}' : 'parking';
	const parameters = { ...KNOWLEDGE_BASE, operation, paragraphSource: 'json', [entered]: value };
	simulator().addFault({
		kind: 'status',
		status: 400,
		when: () => simulator().requests.length > 1,
		times: 1,
	});
	const first = await runNode(setup(parameters));

	const { items } = await retryRun(first.run, setup({ ...parameters, ...bad }, CONTINUE.settings));

	expect(first.error).toBeDefined();
	expect(items[0]?.json).toMatchObject(output);
});
