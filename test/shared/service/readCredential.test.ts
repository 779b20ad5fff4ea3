import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { faultOf } from '../../../nodes/shared/answer/valueFault';
import { checkCredential, readCredential } from '../../../nodes/shared/service/credential';
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

const DIFFERS = faultOf(
	'The credential holds an expression that differs between the items, and a run uses one credential. Enter fixed values, or split the items into several nodes',
);

test('a credential that is the same for all items is used as it is', async () => {
	const { credential, settings } = await read(3, () => ({ other: Math.random() }));

	expect(credential).toMatchObject(GOOD);
	expect(settings).toEqual(checkCredential(GOOD));
});

const BOOK = {
	...{ contactBook: true, n8nUrl: 'http://localhost:5678' },
	...{ n8nApiKey: 'n8n key', contactBookTable: 'Contact book' },
};

test.each<object>([
	{ mode: 'checkOnly' },
	{ apiKey: 'another key' },
	{ baseUrl: 'https://elsewhere.example' },
	{ workspaceId: OTHER_ID },
	{ testNumber: '+4930999999' },
	{ contactBook: false },
	{ n8nUrl: 'http://n8n:5678' },
	{ n8nApiKey: 'another key' },
	{ contactBookTable: 'Another' },
])('one that differs for the last item is a problem of all: %j', async (last) => {
	const { settings } = await read(3, (index) => ({ ...BOOK, ...(index >= 2 ? last : {}) }));

	expect(settings).toEqual({ ...checkCredential({ ...GOOD, ...BOOK }), faults: [DIFFERS] });
});

test('what else is wrong with it is told, too', async () => {
	const { settings } = await read(2, (index) => ({ baseUrl: `${index}` }));

	expect(settings.faults).toMatchObject([{ name: 'Base URL of the credential' }, DIFFERS]);
});

const fail = (): never => {
	throw new Error('no expression');
};

test('one that cannot be read is a problem of each item, and sends nothing', async () => {
	const run = await read(4, (index) => (index < 2 ? {} : fail()));

	const faults = [faultOf('The credential cannot be read: no expression')];
	expect(run).toMatchObject({ asked: [0, 4, 1, 2], credential: {}, settings: { faults } });
	expect(run.settings.mode).toEqual({ kind: 'checkOnly' });
});
