import fc from 'fast-check';

import { createRequest } from '../../../nodes/shared/service/serviceRequest';
import { anyText } from '../../anyText';
import {
	GOOD_VALUES,
	namesRead,
	operationOf,
	operations,
	OTHER_ID,
	planOf,
	planOrProblems,
	type Values,
} from '../samples';

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

		const read = namesRead(path, values);
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
			const canBeSent = !['', '.', '..'].includes(trimmed) && isEncodable(trimmed);
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

function isEncodable(value: string): boolean {
	try {
		encodeURIComponent(value);
		return true;
	} catch {
		return false;
	}
}

test.each([...operations.keys()])('%s: an ID that is no UUID never gets into the path', (path) => {
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
