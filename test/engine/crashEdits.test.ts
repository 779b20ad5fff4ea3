import type { IDataObject } from 'n8n-workflow';

import { ASSISTANT_ID } from '../simulator/seed';
import { CONTINUE, useContacts } from './contacts';
import { runFromStart, type NodeSetup } from './engine';
import { useFastClock } from './fastClock';
import { numbers } from './world';

/** n8n died, and what its retry is given is not what the execution was given. */

useFastClock();
const { store, calls, reached } = useContacts();

afterEach(() => {
	store().isBroken = false;
});

const ALL = numbers(3);
const [person = { to: '' }] = ALL;

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
		expect(reached()).toEqual({ [person.to]: 1 });
	});
});
