import fc from 'fast-check';

import { checkCredential, readMode } from '../../../nodes/shared/request/credential';
import { planItem } from '../../../nodes/shared/request/request';
import {
	credentialOf,
	GOOD_VALUES,
	operationOf,
	operations,
	readFrom,
	WORKSPACE_ID,
	type Values,
} from '../samples';

const check = (mode: Values) => checkCredential({ ...credentialOf(WORKSPACE_ID), ...mode });

const problemsOf = (path: string, mode: Values) => {
	const plan = planItem(operationOf(path), readFrom(GOOD_VALUES), check(mode), '');
	return 'problems' in plan ? plan.problems : [];
};

const UNKNOWN = 'Mode of the credential: expected one of: live, checkOnly, redirect';
const EMPTY_MODE = 'Mode of the credential: expected a value, but it is empty';
const EMPTY = 'Test Number of the credential: expected a value, but it is empty';
const NO_TEXT = expect.stringMatching(
	/^Test Number of the credential: expected a phone number as text, not /,
) as string;
/** The texts of all faults are in recipientNumber.test.ts. */
const NO_NUMBER = expect.stringMatching(/^Test Number of the credential: ".*" /s) as string;

describe('the mode', () => {
	test('that was never saved is the default', () => {
		const { baseUrl, apiKey, workspaceId } = credentialOf(WORKSPACE_ID);
		expect(readMode({ baseUrl, apiKey, workspaceId })).toEqual({
			mode: { kind: 'checkOnly' },
			problems: [],
		});
	});

	test('of a good credential', () => {
		expect(check({})).toEqual({
			workspaceId: WORKSPACE_ID,
			workspaceProblems: [],
			mode: { kind: 'live' },
			problems: [],
		});
	});

	test.each(['live'])('%j is live, whatever the test number', (mode) => {
		for (const testNumber of [undefined, '', '+4915112345678', 'nobody']) {
			expect(readMode({ mode, testNumber })).toEqual({ mode: { kind: 'live' }, problems: [] });
		}
	});

	test.each([undefined, null, ''])(
		'%j, as an expression can give it, is a problem, and not live',
		(mode) => {
			expect(readMode({ mode })).toEqual({ mode: { kind: 'checkOnly' }, problems: [EMPTY_MODE] });
		},
	);

	test.each([undefined, '', '+4915112345678', 'nobody'])(
		'checkOnly does not look at the test number %j',
		(testNumber) => {
			const { mode, problems } = check({ mode: 'checkOnly', testNumber });
			expect({ mode, problems }).toEqual({ mode: { kind: 'checkOnly' }, problems: [] });
		},
	);

	test.each([
		' ',
		'Live',
		'LIVE',
		' live',
		'live\n',
		'checkonly',
		'check_only',
		'Check Only',
		'Redirect',
		'undefined',
		'={{ $vars.mode }}',
		0,
		1,
		false,
		true,
		Number.NaN,
		{},
		['live'],
		{ kind: 'live' },
	])('%j is a problem, and not live', (mode) => {
		const { mode: read, problems } = check({ mode, testNumber: '+4915112345678' });
		expect(read).toEqual({ kind: 'checkOnly' });
		expect(problems).toEqual([UNKNOWN]);
	});

	test('is never live but for what says so, and never without a problem but for what is one', () => {
		fc.assert(
			fc.property(fc.anything(), fc.anything(), (mode, testNumber) => {
				fc.pre(!['live', 'checkOnly', 'redirect'].includes(mode as never));
				const problem = [undefined, null, ''].includes(mode as never) ? EMPTY_MODE : UNKNOWN;
				expect(readMode({ mode, testNumber })).toEqual({
					mode: { kind: 'checkOnly' },
					problems: [problem],
				});
			}),
		);
	});
});

describe('redirect', () => {
	test.each<[unknown, string]>([
		['+4915112345678', '+4915112345678'],
		['4915112345678', '4915112345678'],
		['004915112345678', '+4915112345678'],
		[' +49 (151) 123-456.78 ', '+4915112345678'],
		['\u202a+49\u00a0151\u00a012345678\u202c', '+4915112345678'],
		[4915112345678, '4915112345678'],
		['+1234567', '+1234567'],
		['+123456789012345', '+123456789012345'],
	])('cleans the test number %j', (testNumber, cleaned) => {
		const { mode, problems } = check({ mode: 'redirect', testNumber });
		expect({ mode, problems }).toEqual({
			mode: { kind: 'redirect', testNumber: cleaned },
			problems: [],
		});
	});

	test.each<[unknown, string]>([
		[undefined, EMPTY],
		[null, EMPTY],
		['', EMPTY],
		['  ', NO_NUMBER],
		['+', NO_NUMBER],
		['0151 12345678', NO_NUMBER],
		['+49 (0)151 12345678', NO_NUMBER],
		['+123456', NO_NUMBER],
		['+1234567890123456', NO_NUMBER],
		['+4915112345678, +4915112345679', NO_NUMBER],
		['+4915112345678\n+4915112345679', NO_NUMBER],
		['+49151ABCDEFG', NO_NUMBER],
		['2026-01-31', NO_NUMBER],
		['192.168.100.200', NO_NUMBER],
		['-4915112345678', NO_NUMBER],
		['someone@example.com', NO_NUMBER],
		[-4915112345678, NO_NUMBER],
		[0, NO_NUMBER],
		[4.9, NO_NUMBER],
		[true, NO_TEXT],
		[{ number: '+4915112345678' }, NO_TEXT],
		[['+4915112345678'], NO_TEXT],
	])('refuses the test number %j, and is not live then', (testNumber, problem) => {
		const { mode, problems } = check({ mode: 'redirect', testNumber });
		expect(mode).toEqual({ kind: 'checkOnly' });
		expect(problems).toEqual([problem]);
	});
});

test.each([...operations.keys()])('what is wrong with the mode is a problem of %s', (path) => {
	expect(problemsOf(path, { mode: 'Live' })).toEqual([UNKNOWN]);
	expect(problemsOf(path, { mode: 'redirect', testNumber: '0151 12345678' })).toEqual([NO_NUMBER]);
	expect(problemsOf(path, { mode: 'redirect' })).toEqual([EMPTY]);
	for (const mode of ['live', 'checkOnly', 'redirect']) {
		const isRefused = mode === 'redirect' && path === 'campaign.createBulk';
		const expected = isRefused ? [expect.stringMatching(/^The credential redirects/)] : [];
		expect(problemsOf(path, { mode, testNumber: '+4915112345678' })).toEqual(expected);
	}
});

test('all that is wrong with a credential is told at once', () => {
	const { problems, workspaceProblems } = checkCredential({ mode: 'redirect', testNumber: 'me' });
	expect(workspaceProblems).toHaveLength(1);
	expect(problems).toEqual([
		'Base URL of the credential: expected a value, but it is empty',
		'API Key of the credential: expected a value, but it is empty',
		NO_NUMBER,
	]);
});
