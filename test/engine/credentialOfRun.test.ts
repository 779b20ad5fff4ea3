import type { IDataObject } from 'n8n-workflow';

import { CONTINUE, useContacts } from './contacts';
import { credentialFor, numbers } from './world';

const { simulator, calls, outputs } = useContacts();

/** What becomes of a run of so many items with a credential whose expressions give this for each of them. */
async function kindsOf(
	count: number,
	credentialOf: (index: number) => IDataObject,
): Promise<unknown[]> {
	const evaluated = (index: number) => {
		const credential: IDataObject = { ...credentialFor(simulator()), ...credentialOf(index) };
		return Object.fromEntries(
			Object.entries(credential).map(([name, value]) => [name, value as string]),
		);
	};
	const more = { ...CONTINUE, credential: evaluated };
	const output = await outputs(calls(numbers(count), {}, more));
	return output.map(({ result, details }) => result ?? (details as IDataObject).kind);
}

describe('an expression in the credential', () => {
	test('that gives no mode reaches nobody', async () => {
		expect(await kindsOf(1, () => ({ mode: undefined }))).toEqual(['invalidInput']);
		expect(simulator().requests).toEqual([]);
	});

	test.each<[name: string, second: IDataObject]>([
		['mode', { mode: 'checkOnly' }],
		['key', { apiKey: 'another key' }],
		['address', { baseUrl: 'https://elsewhere.example' }],
		['workspace', { workspaceId: '0b6f0f9c-2222-4333-8444-555566667777' }],
		['test number', { mode: 'redirect', testNumber: '+4930999999' }],
	])('that gives the second item another %s reaches nobody', async (_, second) => {
		const kinds = await kindsOf(2, (index) => (index === 1 ? second : {}));

		expect(kinds).toEqual(['invalidInput', 'invalidInput']);
		expect(simulator().requests).toEqual([]);
	});

	test.each([[0], [36], [73]])('is looked at in a run of 74, also around item %d', async (odd) => {
		const isOdd = (index: number) => Math.abs(index - odd) <= 3;
		const kinds = await kindsOf(74, (index) => (isOdd(index) ? { mode: 'checkOnly' } : {}));

		expect(new Set(kinds)).toEqual(new Set(['invalidInput']));
		expect(simulator().requests).toEqual([]);
	});

	test('that gives the same for all items is used', async () => {
		expect(await kindsOf(3, () => ({ mode: 'live' }))).toEqual(['placed', 'placed', 'placed']);
	});
});
