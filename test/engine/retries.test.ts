import type { INodeParameters } from 'n8n-workflow';

import { ASSISTANT_ID, FROM_NUMBER, KNOWN_USER } from '../simulator/seed';
import { CONTINUE, useContacts } from './contacts';
import { contextOf, retryRun, runNode } from './engine';
import { useFastClock } from './fastClock';
import { calledOnce, isFor, numbers } from './world';

useFastClock();
const { simulator, calls, reached } = useContacts({ hasStore: false });

const RETRY = { ...CONTINUE.settings, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const setup = (parameters: INodeParameters, items = [{}]) => ({ ...calls(items), parameters });

test('a retry sends no bulk campaign again whose sheet was left out', async () => {
	simulator().addFault({ kind: 'resetBefore', times: 1 });
	const parameters = {
		...{ resource: 'campaign', operation: 'createBulk', campaignType: 'call' },
		...{ campaignName: 'May', assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER },
		sheetUrl: '={{ $json.sheet }}',
	};
	const failed = await runNode(setup(parameters));

	const { error } = await retryRun(failed.run, setup(parameters));

	expect(error?.context.details).toMatchObject({ outcome: 'unknown' });
	expect(simulator().requests).toHaveLength(1);
});

test('a retry reads anew', async () => {
	const question = { assistantId: ASSISTANT_ID, userIdentifier: KNOWN_USER, question: 'And now?' };
	const read = { resource: 'chat', operation: 'getConversation', userIdentifier: KNOWN_USER };
	const reads = setup({ ...read, options: { maxConcurrentRequests: 1 } }, [{}, {}]);
	const isSecond = () => simulator().requests.length === 2;
	simulator().addFault({ kind: 'status', status: 400, when: isSecond, times: 1 });
	const failed = await runNode(reads);
	await runNode(setup({ resource: 'chat', operation: 'continue', ...question }));

	const { items } = await retryRun(failed.run, reads);

	const said = JSON.stringify(items[0]?.json.messages);
	expect(said).toContain(question.question);
	expect(JSON.stringify(items[1]?.json.messages)).toBe(said);
	expect(contextOf(failed.run)).toMatchObject({ deliveries: { 0: { tries: 1, entries: [] } } });
});

describe("n8n's own rule for running a node again", () => {
	test('Max Tries 0 stands for 3: nobody is called twice, and the answers come out', async () => {
		simulator().addFault({ kind: 'status', status: 400, when: isFor(0), times: 2 });

		const settings = { ...RETRY, maxTries: 0 };
		const { items, run } = await runNode(calls(numbers(3), {}, { settings }));

		expect(items.every(({ json }) => json.callId !== undefined)).toBe(true);
		expect(reached()).toEqual(calledOnce(numbers(3)));
		expect(contextOf(run)).not.toHaveProperty('deliveries');
	});

	test('a raw answer with an empty error makes n8n run it again, and calls nobody twice', async () => {
		const body = { callId: 'c-1', status: 'placed', msg: 'Call placed.', error: '' };
		simulator().addFault({ kind: 'respond', status: 201, body });

		await runNode(calls(numbers(3), {}, { settings: RETRY }, { simplify: false }));

		expect(simulator().requests).toHaveLength(3);
	});
});
