import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { faultOf, tellFault, type Fault } from '../../../nodes/shared/answer/valueFault';
import {
	checkCredential,
	DIFFERS,
	readCredential,
	readMode,
} from '../../../nodes/shared/service/credential';
import { isBlank } from '../../../nodes/shared/values';
import { BOOK_FIELDS, credentialOf, OTHER_ID, type Values } from '../samples';

const check = (changes: Values) => checkCredential(credentialOf(changes));

const told = (faults: readonly Fault[]): string[] => faults.map(tellFault);

const UNKNOWN = 'Mode of the credential: expected one of: live, checkOnly, redirect';
const EMPTY_MODE = 'Mode of the credential is empty';
const EMPTY = 'Test Number of the credential is empty';
const NO_TEXT = 'Test Number of the credential: expected a phone number as text';
/** The texts of all faults are in phoneNumber.test.ts. A key that was pasted is not shown. */
const NO_NUMBER = expect.stringMatching(
	/^Test Number of the credential: has (?!.*\d{3})/,
) as string;

describe('the mode', () => {
	test('that was never saved is the default', () => {
		expect(readMode({})).toEqual({ mode: { kind: 'checkOnly' }, faults: [] });
	});

	test.each(['live', 'checkOnly'])('%s does not look at the test number', (kind) => {
		for (const testNumber of [undefined, '', '+4915112345678', 'nobody']) {
			expect(readMode({ mode: kind, testNumber })).toEqual({ mode: { kind }, faults: [] });
		}
	});

	test('is never live but for what says so, and never without a problem but for what is one', () => {
		const almost = fc.constantFrom<unknown[]>(
			...['', null, undefined, ' ', 'Live', ' live', 'live\n', 'checkonly', ['live'], true, 1],
		);
		fc.assert(
			fc.property(fc.oneof(almost, fc.anything()), fc.anything(), (mode, testNumber) => {
				fc.pre(!['live', 'checkOnly', 'redirect'].includes(mode as never));
				const problem = isBlank(mode) ? EMPTY_MODE : UNKNOWN;
				const read = readMode({ mode, testNumber });
				expect([read.mode, told(read.faults)]).toEqual([{ kind: 'checkOnly' }, [problem]]);
			}),
		);
	});
});

describe('redirect', () => {
	test('cleans the test number', () => {
		const read = check({ mode: 'redirect', testNumber: ' +49 (151) 123-456.78 ' });
		const mode = { kind: 'redirect', testNumber: '+4915112345678' };
		expect(read).toMatchObject({ mode, faults: [] });
	});

	test.each<[unknown, string]>([
		[undefined, EMPTY],
		['', EMPTY],
		['0151 12345678', NO_NUMBER],
		[4915112345678, NO_NUMBER],
		[true, NO_TEXT],
	])('refuses the test number %j, and is not live then', (testNumber, problem) => {
		const { mode, faults } = check({ mode: 'redirect', testNumber });
		expect(mode).toEqual({ kind: 'checkOnly' });
		expect(told(faults)).toEqual([problem]);
	});
});

test('all that is wrong with a credential is told at once', () => {
	const { faults, workspaceFaults } = checkCredential({ mode: 'redirect', testNumber: 'me' });
	expect(workspaceFaults).toHaveLength(1);
	expect(told(faults)).toEqual([
		'Base URL of the credential is empty',
		'API Key of the credential is empty',
		NO_NUMBER,
	]);
});

describe('the contact book', () => {
	const bookOf = (values: Values) => {
		const { book, bookFaults, faults } = check({ ...BOOK_FIELDS, ...values });
		return { book, bookProblems: told(bookFaults), problems: told(faults) };
	};

	test('is where the credential says', () => {
		const entered = { n8nUrl: ' http://localhost:5678/api/v1/ ', n8nApiKey: ' n8n key ' };
		expect(bookOf({ ...entered, contactBookTable: ' Contact book ' })).toEqual({
			book: { api: 'http://localhost:5678/api/v1', apiKey: 'n8n key', table: 'Contact book' },
			bookProblems: [],
			problems: [],
		});
	});

	test('that is off, or was never saved, is none', () => {
		const none = { book: undefined, bookFaults: [], faults: [] };
		expect(check({ ...BOOK_FIELDS, contactBook: false, n8nUrl: 'nonsense' })).toMatchObject(none);
		expect(check({})).toMatchObject(none);
	});

	test.each([undefined, null, '', 'true', 1, [true]])(
		'with the switch %j, as an expression can give it, is a problem',
		(contactBook) => {
			expect(bookOf({ contactBook })).toEqual({
				book: undefined,
				bookProblems: [
					expect.stringMatching(/^Contact Book of the credential(?:: expected | is empty$)/),
				],
				problems: [],
			});
		},
	);

	test('whose address and that of the service lie within each other sends nothing at all', () => {
		const nested = { baseUrl: 'http://localhost:5678/service' };
		const problems = [expect.stringContaining('lie within each other')];
		expect(bookOf(nested)).toMatchObject({ problems });
		expect(bookOf({ ...nested, n8nApiKey: '' })).toMatchObject({ problems });
		expect(bookOf({ ...nested, contactBook: false })).toMatchObject({ problems: [] });
	});
});

const GOOD = credentialOf({ testNumber: '' }) as ICredentialDataDecryptedObject;

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
	{ contactBook: false },
	{ n8nUrl: 'http://n8n:5678' },
	{ n8nApiKey: 'another key' },
	{ contactBookTable: 'Another' },
])('one that differs for the last item is a problem of all: %j', async (last) => {
	const { settings } = await read(3, (index) => ({ ...BOOK_FIELDS, ...(index >= 2 ? last : {}) }));

	const faults = [faultOf(DIFFERS)];
	expect(settings).toEqual({ ...checkCredential({ ...GOOD, ...BOOK_FIELDS }), faults });
});

test('what else is wrong with it is told, too', async () => {
	const { settings } = await read(2, (index) => ({ baseUrl: `${index}` }));

	expect(settings.faults).toMatchObject([{ name: 'Base URL of the credential' }, faultOf(DIFFERS)]);
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
