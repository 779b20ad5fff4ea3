import { checkCredential } from '../../../nodes/shared/service/credential';
import { readItem } from '../../../nodes/shared/items/readItem';
import {
	ASSISTANT_ID,
	credentialOf,
	GOOD_VALUES,
	operationOf,
	operations,
	OTHER_ID,
	planOf,
	problemsOf,
	readFrom,
	WORKSPACE_ID,
	type Values,
} from '../samples';

const paths = [...operations.keys()];

test('the template takes what the message would have had', () => {
	const rows = { attributes: { values: [{ name: 'first', value: 'Ada' }] } };
	const { request: main, fallback } = planOf('msgapp.continueConversation', {
		...rows,
		whenWindowClosed: 'sendTemplate',
		options: { timeout: 5, workspaceId: OTHER_ID },
	});

	expect(main.body).toEqual({
		toNumber: '+4915112345678',
		message: 'Hello',
		attributes: { first: 'Ada' },
	});
	expect(fallback).toMatchObject({
		url: `/v1/msgapp/manage/sendTemplateMessage/${OTHER_ID}/${ASSISTANT_ID}`,
		timeout: 5,
	});
	expect(planOf('msgapp.continueConversation').fallback).toBeUndefined();
	expect(fallback?.body).toEqual({
		toNumber: '+4915112345678',
		templateName: 'appointment_reminder',
		language: 'de',
		parameters: { first: 'Ada' },
	});
});

const planWith = (path: string, values: Values, credential: Values = {}) =>
	readItem(
		operationOf(path),
		readFrom({ ...GOOD_VALUES, ...values }),
		checkCredential({ ...credentialOf(WORKSPACE_ID), ...credential }),
		() => 'input',
	);

describe('a credential that redirects', () => {
	const testNumber = '+4930999999';
	const redirect = { mode: 'redirect', testNumber };

	test('reaches the test number by each request, and knows who the item is for', () => {
		const values = { toNumber: '+15550001000', whenWindowClosed: 'sendTemplate' };
		const live = planWith('msgapp.continueConversation', values);
		const plan = planWith('msgapp.continueConversation', values, redirect);

		expect(plan).toMatchObject({
			request: { body: { toNumber: testNumber } },
			fallback: { body: { toNumber: testNumber } },
			properties: { toNumber: values.toNumber },
			person: { toNumber: values.toNumber },
			redirectedTo: testNumber,
		});
		expect(live.redirectedTo).toBeUndefined();
		expect(plan.subject).not.toBe(live.subject);
	});

	test('refuses what reaches people whose numbers the node does not know', () => {
		const said =
			/^The credential redirects to a test number, and this operation cannot be redirected/;

		expect(problemsOf(planWith('campaign.createBulk', {}, redirect))).toEqual([
			expect.stringMatching(said),
		]);
	});
});

describe('the person an item is for', () => {
	const loop: { self?: unknown } = {};
	loop.self = loop;

	test.each<[entered: unknown, shown: unknown]>([
		['+1 (555) 000-1000', '+15550001000'],
		[' 0151 23456789 ', '0151 23456789'],
		['x'.repeat(200), 'x'.repeat(100)],
		[Array(99).fill(1), `[${'1,'.repeat(49)}1`],
		[undefined, ''],
		[null, ''],
		['  ', ''],
		[0, '0'],
		[{ number: '+15550001000' }, '{"number":"+15550001000"}'],
		[loop, ''],
	])('%j is shown as %j', (toNumber, shown) => {
		expect(planWith('call.place', { toNumber }).person?.toNumber).toEqual(shown);
	});

	test('is said by the reference, too, if there is one', () => {
		const contactOf = (options: Values) => planWith('call.place', { options }).person;

		expect(contactOf({ reference: ' crm-1 ' })?.reference).toBe('crm-1');
		expect(contactOf({ reference: ' ' })).not.toHaveProperty('reference');
	});
});

const BOTH = { notAgainWithin: 1, atMostContacts: 1 };
const [RECENTLY, OFTEN] = ['contactRules.notAgainWithin', 'contactRules.atMostContacts'];
const NEEDS_BOOK =
	'needs the contact book: turn on "Contact Book" in the credential, or remove the rule';

test.each<[values: Values, credential: Values, faulty: (string | undefined)[], problem?: string]>([
	[{ toNumber: 'x' }, {}, ['toNumber']],
	[{ options: 'none' }, {}, ['options'], 'Options: expected the entries that were added'],
	[{ options: { timeout: 'soon' } }, {}, ['options.timeout']],
	[{ contactRules: { atMostPerRun: 'x' } }, {}, ['contactRules.atMostPerRun']],
	[{ contactRules: { timezone: '' } }, {}, ['contactRules.timezone'], ': it was added, but'],
	[{ contactRules: { timezoneFromNumber: true } }, {}, ['contactRules.timezoneFromNumber']],
	[{ contactRules: { atMostContacts: 1 } }, {}, [OFTEN], `"At Most Contacts" ${NEEDS_BOOK}`],
	[{ contactRules: BOTH }, {}, [RECENTLY, OFTEN], `"Not Again Within" ${NEEDS_BOOK}`],
	[{}, { contactBook: '' }, [undefined], 'Contact Book of the credential is empty'],
	[{ message: '{name}' }, {}, ['message'], 'Message: expected an attribute for {name}'],
	[
		{ message: '{na\u3164me}' },
		{},
		['message'],
		'Message: expected an attribute for {na\\u3164me}',
	],
	[{ message: '{name}', toNumber: 'x' }, {}, ['toNumber']],
	[{}, { apiKey: '' }, [undefined]],
	[{}, { workspaceId: '' }, [undefined], 'Workspace ID of the credential is empty'],
	[{ toNumber: 'x' }, { apiKey: '' }, ['toNumber', undefined]],
])('%j with the credential %j: wrong is %j', (values, credential, faulty, problem = '') => {
	const plan = planWith('msgapp.continueConversation', values, credential);

	if (plan.kind === 'sendable') throw new Error('It can be sent');
	expect(plan.failure.faults?.map(({ field }) => field)).toEqual(faulty);
	expect(problemsOf(plan)[0]).toContain(problem);
});

test.each(paths)('%s is sent with a contact book that cannot be read if it reads', (path) => {
	const isRead = operationOf(path).request.method === 'GET';

	for (const contactBook of [undefined, '', 'true'])
		expect(planWith(path, {}, { contactBook }).kind).toBe(isRead ? 'sendable' : 'unsendable');
});

test('an item that cannot be sent is put out as it was asked for', () => {
	const simplify = (options: Values) => planWith('call.place', { toNumber: 'x', options }).simplify;

	expect([simplify({}), simplify({ simplify: false })]).toEqual([true, false]);
});
