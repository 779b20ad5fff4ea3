import type { IDataObject } from 'n8n-workflow';

import { runNode } from './engine';
import { callsByRecipient, credentialFor, numbers, placeCall, useSimulator } from './world';

const simulator = useSimulator();

test.each<[changes: IDataObject, message: RegExp]>([
	[{ baseUrl: 'http://127.0.0.1/api?a=1' }, /^Base URL of the credential: expected/],
	[{ apiKey: 'first-half\nsecond-half' }, /^API Key of the credential: expected/],
	[{ mode: 'Live' }, /^Mode of the credential: expected one of/],
	[{ mode: 'redirect', testNumber: '0151' }, /^Test Number of the credential: "0151"/],
])('the credential %j is refused before anything is sent', async (changes, message) => {
	const { error } = await runNode({
		credential: { ...credentialFor(simulator()), ...(changes as Record<string, string>) },
		parameters: placeCall,
		items: numbers(1),
	});

	expect(error?.message).toMatch(message);
	expect(error?.context.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
	expect(simulator().requests).toEqual([]);
});

test('a bad item fails alone when the node continues', async () => {
	const { items } = await runNode({
		credential: credentialFor(simulator()),
		parameters: placeCall,
		items: [{ to: 'nobody' }, ...numbers(2)],
		settings: { onError: 'continueRegularOutput' },
	});

	expect(items.map(({ json }) => json.result ?? json.error)).toEqual([
		expect.stringMatching(/^To Number/),
		'placed',
		'placed',
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
	]);
	expect(Object.values(callsByRecipient(simulator()))).toEqual([1, 1]);
});
