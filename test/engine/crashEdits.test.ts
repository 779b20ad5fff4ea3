import type { IDataObject } from 'n8n-workflow';

import { ASSISTANT_ID } from '../simulator/seed';
import { CONTINUE, useContacts } from './contacts';
import { retryRun, runFromStart, startProcess, type NodeSetup } from './engine';
import { useFastClock } from './fastClock';
import { isFor } from './recipients';
import { callsByRecipient, numbers } from './world';

/** n8n died, and what its retry is given is not what the execution was given. */

useFastClock();
const { simulator, store, calls } = useContacts();

afterEach(() => {
	store().isBroken = false;
});

const ALL = numbers(3);
const [person = { to: '' }] = ALL;
const laterProcess = startProcess();

let tokens = 0;
const newToken = (): string => `crash with edits ${++tokens}`;

const outcomeOf = ({ json }: { json: IDataObject }): unknown =>
	json.result ?? (json.details as IDataObject | undefined)?.outcome;

describe('of two rows for one person the first was refused, and the second called', () => {
	const rowsOf = (...assistants: string[]): IDataObject[] =>
		assistants.map((assistant) => ({ ...person, assistant }));
	const setup = (items: IDataObject[]): NodeSetup => {
		const all = calls(items, {}, CONTINUE);
		return { ...all, parameters: { ...all.parameters, assistantId: '={{ $json.assistant }}' } };
	};

	test.each<[name: string, items: IDataObject[], outcomes: string[]]>([
		['the refused row is gone', rowsOf(ASSISTANT_ID), ['unknown']],
		['the rows come in another order', rowsOf(ASSISTANT_ID, 'bad'), ['unknown', 'notSent']],
		[
			'the number of the refused row cannot be read',
			[{ to: '', assistant: ASSISTANT_ID }, ...rowsOf(ASSISTANT_ID)],
			['notSent', 'unknown'],
		],
	])('nobody is called again if %s', async (_, items, outcomes) => {
		const token = newToken();
		await runFromStart({ ...setup(rowsOf('bad', ASSISTANT_ID)), mode: 'trigger' }, token);

		const retried = await runFromStart({ ...setup(items), mode: 'retry' }, token);

		expect(retried.items.map(outcomeOf)).toEqual(outcomes);
		expect(callsByRecipient(simulator())).toEqual({ [person.to]: 1 });
	});

	test.each([{ maxPeople: 1 }, { doNotContact: 'x' }])(
		'a retry that the rules %j refuse says which of them may have been called',
		async (contactRules) => {
			const token = newToken();
			const both = calls([{ ...person, timeout: 'x' }, person], {}, CONTINUE);
			const options = { timeout: '={{ $json.timeout ?? 30000 }}' };
			const setupWith = (rules: NodeSetup['parameters']): NodeSetup => ({
				...both,
				parameters: { ...both.parameters, options, contactRules: rules },
			});
			const first = await runFromStart({ ...setupWith({}), mode: 'trigger' }, token);
			expect(first.items.map(outcomeOf)).toEqual(['notSent', 'placed']);

			const retried = await runFromStart({ ...setupWith(contactRules), mode: 'retry' }, token);

			expect(retried.items.map(outcomeOf)).toEqual(['notSent', 'unknown']);
		},
	);
});

describe('a retry has called the rest and died, and another process retries the first execution', () => {
	const oneAtATime = { maxConcurrentRequests: 1 };
	const prepare = async () => {
		simulator().addFault({ kind: 'status', status: 400, when: isFor(1), times: 1 });
		const setup = { ...calls(ALL, {}, {}, oneAtATime), mode: 'trigger' as const };
		const first = await runFromStart(setup, newToken());
		await retryRun(first.run, { ...calls(ALL), mode: 'retry', executionId: 'dies' });
		expect(Object.values(callsByRecipient(simulator()))).toEqual([1, 1, 1]);
		return async (setupOfRetry: NodeSetup) =>
			await retryRun(first.run, {
				...setupOfRetry,
				mode: 'retry',
				type: laterProcess,
			});
	};

	test('nobody is called while the store cannot be read', async () => {
		const retry = await prepare();
		store().isBroken = true;

		const { items } = await retry(calls(ALL, {}, CONTINUE));

		expect(items.map(outcomeOf)).toEqual(['placed', 'notSent', 'notSent']);
		expect(Object.values(callsByRecipient(simulator()))).toEqual([1, 1, 1]);
	});

	test('a typo does not hide who may have been called', async () => {
		const retry = await prepare();

		const { items } = await retry(calls(ALL, { doNotContact: 'x' }, CONTINUE));

		expect(items.map(outcomeOf)).toEqual(['placed', 'unknown', 'unknown']);
	});
});
