import fc from 'fast-check';

import { readFields } from '../../../nodes/shared/items/reading';
import { createRequest } from '../../../nodes/shared/service/serviceRequest';
import { anyText } from '../../anyText';
import {
	ASSISTANT_ID,
	GOOD_VALUES,
	operationOf,
	operations,
	OTHER_ID,
	planOf,
	planOrProblems,
	problemsOf,
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

describe('a credential that redirects', () => {
	const testNumber = '+4930999999';
	const redirect = { mode: 'redirect', testNumber };

	test('reaches the test number by each request, and knows who the item is for', () => {
		const values = { toNumber: '+15550001000', whenWindowClosed: 'sendTemplate' };
		const live = planOrProblems('msgapp.continueConversation', values);
		const plan = planOrProblems('msgapp.continueConversation', values, redirect);

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

		expect(problemsOf(planOrProblems('campaign.createBulk', {}, redirect))).toEqual([
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
		expect(planOrProblems('call.place', { toNumber }).person?.toNumber).toEqual(shown);
	});

	test('is said by the reference, too, if there is one', () => {
		const contactOf = (options: Values) => planOrProblems('call.place', { options }).person;

		expect(contactOf({ reference: ' crm-1 ' })?.reference).toBe('crm-1');
		expect(contactOf({ reference: ' ' })).not.toHaveProperty('reference');
	});
});

const BOTH = { notAgainWithin: 1, atMostContacts: 1 };
const [RECENTLY, OFTEN] = ['contactRules.notAgainWithin', 'contactRules.atMostContacts'];
const NO_ATTRIBUTE = 'Message: expected an attribute for';
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
	[{ message: '{name}' }, {}, ['message'], `${NO_ATTRIBUTE} {name}`],
	[{ message: '{na\u3164me}' }, {}, ['message'], `${NO_ATTRIBUTE} {na\\u3164me}`],
	[{ message: '{name}', toNumber: 'x' }, {}, ['toNumber']],
	[{}, { apiKey: '' }, [undefined]],
	[{}, { workspaceId: '' }, [undefined], 'Workspace ID of the credential is empty'],
	[{ toNumber: 'x' }, { apiKey: '' }, ['toNumber', undefined]],
])('%j with the credential %j: wrong is %j', (values, credential, faulty, problem = '') => {
	const plan = planOrProblems('msgapp.continueConversation', values, credential);

	if (plan.kind === 'sendable') throw new Error('It can be sent');
	expect(plan.failure.faults?.map(({ field }) => field)).toEqual(faulty);
	expect(problemsOf(plan)[0]).toContain(problem);
});

test.each(paths)('%s is sent with a contact book that cannot be read if it reads', (path) => {
	const isRead = operationOf(path).request.method === 'GET';

	for (const contactBook of [undefined, '', 'true'])
		expect(planOrProblems(path, {}, { contactBook }).kind).toBe(isRead ? 'sendable' : 'unsendable');
});

test('an item that cannot be sent is put out as it was asked for', () => {
	const simplify = (options: Values) =>
		planOrProblems('call.place', { toNumber: 'x', options }).simplify;

	expect([simplify({}), simplify({ simplify: false })]).toEqual([true, false]);
});

describe('fields that are not shown', () => {
	test.each<[path: string, values: Values, hidden: string[]]>([
		['chat.continue', {}, ['conversationId']],
		['chat.continue', { continueBy: 'conversationId' }, ['userIdentifier']],
		['campaign.createSingle', {}, ['message', 'templateName', 'templateLanguage']],
		['campaign.createSingle', { campaignType: 'sms' }, ['templateName', 'templateLanguage']],
		['campaign.createBulk', { campaignType: 'msgapp' }, ['message']],
		['call.place', {}, ['attributesJson']],
		['call.place', { specifyAttributes: 'json' }, ['customFields']],
		['msgapp.continueConversation', {}, ['templateName', 'language', 'attributesJson']],
		['knowledgeBase.addParagraphs', {}, ['text', 'paragraphsJson']],
		['knowledgeBase.addParagraphs', { paragraphSource: 'text' }, ['paragraphs', 'paragraphsJson']],
		['knowledgeBase.addParagraphs', { paragraphSource: 'json' }, ['paragraphs', 'text']],
	])('%s with %j does not read %j', (path, values, hidden) => {
		const wrong = Object.fromEntries(hidden.map((name) => [name, { not: 'good' }]));
		const all: Values = { ...GOOD_VALUES, ...values };
		const read: string[] = [];
		readFields(operationOf(path).fields, ({ property: { name, default: preset } }) => {
			read.push(name);
			return name in all ? all[name] : preset;
		});

		expect(hidden.filter((name) => read.includes(name))).toEqual([]);
		expect(planOf(path, { ...values, ...wrong }).request).toEqual(planOf(path, values).request);
	});

	test('an option that is not shown is neither sent nor checked', () => {
		const good = planOf('chat.continue');

		for (const userIdentifier of ['stale', '..']) {
			const plan = planOf('chat.continue', { options: { userIdentifier } });
			expect(plan.request.body).toEqual(good.request.body);
		}
	});
});

/** Each operation with an identifier of free form in its path, and the parameter that it is entered by. */
const IDENTIFIERS_IN_PATH = [...operations].flatMap(([path, operation]) =>
	operation.fields
		.filter(({ sentAs }) => sentAs !== undefined && operation.path.includes(sentAs))
		.filter(({ schema }) => schema.safeParse('any text').success)
		.map(({ property }) => [path, property.name] as const),
);

test('identifiers of free form are found', () => {
	expect(IDENTIFIERS_IN_PATH).toContainEqual(['chat.getConversation', 'userIdentifier']);
	expect(IDENTIFIERS_IN_PATH).toContainEqual(['knowledgeBase.deleteParagraph', 'paragraphKey']);
});

test.each(IDENTIFIERS_IN_PATH)('%s: %s is exactly one segment', (path, name) => {
	const codeUnits = fc
		.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
		.map((codes) => String.fromCharCode(...codes));
	const [first = '', ...more] = '. .. %2e%2e / // ?a=b # a/../b \\ ; %'.split(' ');
	const tricky = fc.constantFrom(first, ...more, ' .. ', '\ud800', '');
	const inputs = fc.oneof(
		tricky,
		codeUnits,
		anyText,
		fc.array(tricky).map((parts) => parts.join('')),
	);
	const before = planOf(path, { [name]: 'x' }).request.url.split('/');
	fc.assert(
		fc.property(inputs, (input) => {
			const plan = planOrProblems(path, { [name]: input });
			const trimmed = input.trim();
			const canBeSent = !['', '.', '..'].includes(trimmed) && !/\p{Surrogate}/u.test(trimmed);
			expect(plan.kind === 'sendable').toBe(canBeSent);
			if (plan.kind !== 'sendable') return;

			const { url } = plan.request;
			const segments = url.split('/');
			expect(segments.slice(0, -1)).toEqual(before.slice(0, -1));
			expect(segments).toHaveLength(before.length);
			expect(decodeURIComponent(segments.at(-1) ?? '')).toBe(trimmed);
			expect(new URL(`https://service.example/api${url}`).pathname).toBe(`/api${url}`);
		}),
		{ numRuns: 1_000 },
	);
});

test('no request is made with a hole in its path, and none fills another', () => {
	const getPrompt = operationOf('assistant.getPrompt');
	const urlOf = (values: Values) => createRequest(getPrompt, values, 1).url;

	expect(() => urlOf({ workspaceId: 'w' })).toThrow('{assistantId} has no value');
	expect(urlOf({ workspaceId: '{assistantId}', assistantId: '$& {x}' })).toBe(
		'/v1/assistants/getPrompt/%7BassistantId%7D/%24%26%20%7Bx%7D',
	);
});

test.each(paths)('%s: an ID that is no UUID never gets into the path', (path) => {
	const good = GOOD_VALUES.assistantId;
	const bad = fc.oneof(
		anyText,
		fc.constantFrom(`${OTHER_ID}/..`, `${OTHER_ID}?a`, '..', `${String(good)}\n`),
	);
	fc.assert(
		fc.property(bad, (id) => {
			const plan = planOrProblems(path, {
				assistantId: id,
				knowledgeBaseId: id,
				options: { workspaceId: id },
			});

			if (plan.kind === 'unsendable') return;
			const [inPath = ''] = plan.request.url.split('?');
			expect(inPath).toMatch(/^\/v1(?:\/[\w%-]+)+$/);
			expect(inPath).not.toContain(encodeURIComponent('/'));
		}),
	);
});
