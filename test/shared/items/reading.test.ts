import { z } from 'zod';

import { faultOf, tellFaults } from '../../../nodes/shared/answer/valueFault';
import type { Field } from '../../../nodes/shared/declaration/field';
import { checkCredential } from '../../../nodes/shared/service/credential';
import { readFields } from '../../../nodes/shared/items/reading';
import { credentialOf, planOf, planOrProblems, problemsOf, type Values } from '../samples';

const CALL = 'call.place';
const SMS = 'sms.start';
const TIMEOUT = 'Timeout: expected a whole number from 1 to 3600000';
const LONG = ['x'.repeat(99)];

test.each<[path: string, values: Values, problem: string]>([
	[CALL, { priority: [1] }, 'Priority: expected 0 (low), 1 (medium) or 2 (high), not [1]'],
	[CALL, { toNumber: ['+1'] }, 'To Number: expected a phone number as text, not ["+1"]'],
	[
		CALL,
		{ customFields: { customField2: [7] } },
		'Custom Fields (customField2): expected text, not [7]',
	],
	[
		CALL,
		{ customFields: { customField9: 'x' } },
		'Custom Fields: expected an object with only the keys customField1 to customField8, each a text',
	],
	['assistant.setLock', { locked: 'yes' }, 'Locked: expected true or false, not "yes"'],
	[SMS, { options: { timeout: ['soon'] } }, `${TIMEOUT}, not ["soon"]`],
	[SMS, { options: { reference: LONG } }, `Reference: expected text, not ["${'x'.repeat(38)}…`],
	[
		SMS,
		{ contactRules: { doNotContact: ['+4915100000000', { a: 1 }] } },
		'Do Not Contact: expected a phone number as text, not {"a":1}',
	],
])('a value of a wrong kind is shown, shortened: %s with %j', (path, values, problem) => {
	expect(problemsOf(planOrProblems(path, values))).toEqual([problem]);
});

const DAY = 'Not Again Within: expected';
const WAIT = 'Wait at Most: expected';

test.each<[values: Values, problem: string]>([
	[{ contactRules: { notAgainWithin: 9_000 } }, `${DAY} a number from 0 to 8760, not 9000`],
	[{ contactRules: { notAgainWithin: 'x' } }, `${DAY} a number from 0 to 8760, not "x"`],
	[{ contactRules: { notAgainWithin: 0 } }, `${DAY} more than 0 hours`],
	[{ contactRules: { atMostPerRun: 1.5 } }, 'At Most per Run: expected a whole number from 1 to'],
	[{ waitAtMost: 721 }, `${WAIT} a number from 0 to 720, not 721`],
	[
		{ assistantId: '[object Object]' },
		'Assistant ID: expected text, but "\\[object Object\\]" stands',
	],
])('%j is told once', (values, problem) => {
	const told = problemsOf(planOrProblems('call.placeAndWait', values));

	expect(told).toEqual([expect.stringMatching(`^${problem}`)]);
});

test('a value within a list is not shown, as blank rows do not count for its place', () => {
	const values = [
		{ name: '', value: '' },
		{ name: 'a', value: [1] },
	];

	expect(problemsOf(planOrProblems('msgapp.sendTemplate', { attributes: { values } }))).toEqual([
		'Attributes (entry 1, value): expected text',
	]);
});

test('a value of the credential is not shown', () => {
	const { faults } = checkCredential(credentialOf({ apiKey: ['secret'] }));

	expect(tellFaults(faults)).toBe('API Key of the credential: expected text');
	expect(JSON.stringify(faults)).not.toContain('secret');
});

test.each<[error: unknown, said: string]>([
	[new RangeError('Maximum call stack size exceeded'), 'a value is nested too deeply'],
	[new Error('no such node'), 'no such node'],
	['no such node', 'the value cannot be read'],
])('an expression that fails is told of its field: %s', (error, said) => {
	const property = { displayName: 'Test', name: 'test', type: 'string' as const, default: '' };
	const field: Field = { property, schema: z.unknown() };
	const fail = () => {
		throw error;
	};

	const faults = [faultOf(said, { field: 'test', name: 'Test' })];
	expect(readFields([field], fail)).toEqual({ values: {}, entered: {}, faults });
});

test.each([2, '2', 'High', ' high '])('an entry of a menu is also %j', (priority) => {
	expect(planOf('call.place', { priority }).request.body).toMatchObject({ priority: 2 });
});

test('a menu that decides what counts is filled by the name of an entry, too', () => {
	const values = { campaignType: ' sms', message: 'Hello', templateName: 'not for an SMS' };
	const { body } = planOf('campaign.createSingle', values).request;

	expect(body).toMatchObject({ campaignType: 'sms', message: 'Hello' });
	expect(body).not.toHaveProperty('templateName');
});

test('a value of a menu that is the name of another entry is what it is', () => {
	const options = [
		{ name: 'a', value: 'b' },
		{ name: 'b', value: 'a' },
	];
	const read = (type: 'options' | 'string', given: unknown) => {
		const property = { displayName: 'Test', name: 'test', type, options, default: '' };
		return readFields([{ property, schema: z.unknown() }], () => given).values.test;
	};

	expect(['a', 'B ', 'c '].map((given) => read('options', given))).toEqual(['a', 'b', 'c ']);
	expect(read('string', 'B')).toBe('B');
});
