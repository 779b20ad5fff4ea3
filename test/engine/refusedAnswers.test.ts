import type { INodeParameters } from 'n8n-workflow';

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

test('shows the number', async () => {
	simulator().addFault({ kind: 'status', status: 400, when: isFor(2), times: 1 });
	const first = await runNode(setup());
	const refused = setup({ contactRules: { allowedHours: '9 to 5' } }, CONTINUE.settings);

	const { items } = await retryRun(first.run, refused);

	expect(items.map(({ json }) => [json.toNumber, json.result])).toEqual([
		[people[0]?.to, 'placed'],
		[people[1]?.to, 'placed'],
		[undefined, undefined],
	]);
});
