import fc from 'fast-check';

import { tellFault, type Fault } from '../../../nodes/shared/answer/valueFault';
import { checkCredential, readMode } from '../../../nodes/shared/service/credential';
import { isBlank } from '../../../nodes/shared/values';
import { credentialOf, WORKSPACE_ID, type Values } from '../samples';

const check = (mode: Values) => checkCredential({ ...credentialOf(WORKSPACE_ID), ...mode });

const told = (faults: readonly Fault[]): string[] => faults.map(tellFault);

const UNKNOWN = 'Mode of the credential: expected one of: live, checkOnly, redirect';
const EMPTY_MODE = 'Mode of the credential is empty';
const EMPTY = 'Test Number of the credential is empty';
const NO_TEXT = 'Test Number of the credential: expected a phone number as text';
/** The texts of all faults are in recipientNumber.test.ts. A key that was pasted is not shown. */
const NO_NUMBER = expect.stringMatching(
	/^Test Number of the credential: has (?!.*\d{3})/,
) as string;

describe('the mode', () => {
	test('that was never saved is the default', () => {
		const { baseUrl, apiKey, workspaceId } = credentialOf(WORKSPACE_ID);
		expect(readMode({ baseUrl, apiKey, workspaceId })).toEqual({
			mode: { kind: 'checkOnly' },
			faults: [],
		});
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
	test.each<[unknown, string]>([
		['+4915112345678', '+4915112345678'],
		[' +49 (151) 123-456.78 ', '+4915112345678'],
	])('cleans the test number %j', (testNumber, cleaned) => {
		const { mode, faults } = check({ mode: 'redirect', testNumber });
		expect({ mode, faults }).toEqual({
			mode: { kind: 'redirect', testNumber: cleaned },
			faults: [],
		});
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
	const BOOK = {
		...{ contactBook: true, n8nUrl: ' http://localhost:5678/api/v1/ ', n8nApiKey: ' n8n key ' },
		contactBookTable: ' Contact book ',
	};
	const bookOf = (values: Values) => {
		const { book, bookFaults, faults } = check({ ...BOOK, ...values });
		return { book, bookProblems: told(bookFaults), problems: told(faults) };
	};

	test('is where the credential says', () => {
		expect(bookOf({})).toEqual({
			book: { api: 'http://localhost:5678/api/v1', apiKey: 'n8n key', table: 'Contact book' },
			bookProblems: [],
			problems: [],
		});
	});

	test('that is off, or was never saved, is none', () => {
		const none = { book: undefined, bookFaults: [], faults: [] };
		expect(check({ ...BOOK, contactBook: false, n8nUrl: 'nonsense' })).toMatchObject(none);
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
