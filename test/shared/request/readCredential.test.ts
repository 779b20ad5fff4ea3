import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { checkCredential } from '../../../nodes/shared/request/credential';
import { readCredential } from '../../../nodes/shared/request/readCredential';
import { credentialOf, OTHER_ID, WORKSPACE_ID } from '../samples';

const GOOD = { ...credentialOf(WORKSPACE_ID), testNumber: '' } as ICredentialDataDecryptedObject;

/** What is read for a run of so many items, and for which of them. */
async function read(count: number, of: (index: number) => object) {
	const asked: number[] = [];
	const run = await readCredential({
		getInputData: () => Array(count).fill({ json: {} }) as unknown,
		getCredentials: (name: string, index: number) => {
			expect(name).toBe('assistantServiceApi');
			asked.push(index);
			return Promise.resolve({ ...GOOD, ...of(index) });
		},
	} as unknown as IExecuteFunctions);
	return { ...run, asked };
}

const DIFFERS =
	'The credential holds an expression that differs between the items, and a run uses one credential. Enter fixed values, or split the items into several nodes';

test('a credential that is the same for all items is used as it is', async () => {
	const { credential, settings } = await read(3, () => ({ other: Math.random() }));

	expect(credential).toMatchObject(GOOD);
	expect(settings).toEqual(checkCredential(GOOD));
});

test.each<object>([
	{ mode: 'checkOnly' },
	{ apiKey: 'another key' },
	{ baseUrl: 'https://elsewhere.example' },
	{ workspaceId: OTHER_ID },
	{ testNumber: '+4930999999' },
])('one that differs for an item is a problem of all: %j', async (second) => {
	const { settings } = await read(3, (index) => (index === 1 ? second : {}));

	expect(settings).toEqual({ ...checkCredential(GOOD), problems: [DIFFERS] });
});

test('what else is wrong with it is told, too', async () => {
	const { settings } = await read(2, (index) => ({ baseUrl: `${index}` }));

	expect(settings.problems).toEqual([expect.stringMatching(/^Base URL/), DIFFERS]);
});

test('it is read for the first item, the last and up to ten between them, evenly', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 0, max: 200 }), async (count) => {
			const { asked } = await read(count, () => ({}));
			const last = Math.max(0, count - 1);
			const gaps = asked.slice(1).map((index, place) => index - (asked[place] ?? 0));

			expect(asked).toHaveLength(Math.min(12, last + 1));
			expect([asked[0], asked.at(-1)]).toEqual([0, last]);
			expect(gaps.every((gap) => Math.abs(gap - last / gaps.length) < 1)).toBe(true);
		}),
	);
});

test('one that cannot be read is a problem of each item, and sends nothing', async () => {
	const run = await read(2, (index) => {
		if (index === 1) throw new Error('no expression');
		return {};
	});

	expect(run).toEqual({
		asked: [0, 1],
		credential: {},
		settings: {
			workspaceId: undefined,
			workspaceProblems: [],
			mode: { kind: 'checkOnly' },
			problems: ['The credential cannot be read: no expression'],
		},
	});
});
