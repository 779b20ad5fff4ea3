import fc from 'fast-check';

import {
	GOOD_VALUES,
	namesRead,
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

const ONLY_EIGHT = 'expected an object with only the keys customField1 to customField8';

test.each<[path: string, values: Values, ...said: string[]]>([
	['call.place', { assistantId: 'x' }, 'Assistant ID'],
	['call.place', { toNumber: '12', fromNumber: '' }, 'From Number is empty', 'To Number'],
	['call.place', { customFields: { customField9: 'x' } }, `Custom Fields: ${ONLY_EIGHT}`],
	['call.place', { specifyAttributes: 'json', attributesJson: '{' }, 'Custom Fields (JSON)'],
	['campaign.createBulk', { sheetUrl: 'contacts.xlsx' }, 'Sheet URL: expected a URL that'],
	['campaign.createSingle', { campaignType: 'msgapp' }, 'Template Name', 'Template Language'],
	['sms.start', { options: { maxConcurrentRequests: 201 } }, 'Max Concurrent Requests'],
	['sms.start', { options: { ifOutcomeUnknown: 'x' } }, 'If Unsure Whether It Was Sent'],
])('what is wrong with the values of %s is said of their fields: %j', (path, values, ...said) => {
	const plan = planOrProblems(path, { templateName: '', templateLanguage: '', ...values });

	const problems = plan.kind === 'faulty' ? plan.problems : [];
	expect(problems.map((problem, at) => problem.slice(0, said[at]?.length))).toEqual(said);
});

test('options that were not added have defaults', () => {
	const defaults = {
		maxConcurrentRequests: 50,
		maxWait: 600,
		requestsPerSecond: 0,
		timeout: 60_000,
		ifOutcomeUnknown: 'keepFailed',
	};
	expect(planOf('sms.start', { options: {} }).options).toEqual(defaults);
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
		fc.string({ unit: 'binary' }),
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
		fc.string({ unit: 'binary' }),
		fc.constantFrom(`${OTHER_ID}/..`, `${OTHER_ID}?a`, '..', `${String(good)}\n`),
	);
	fc.assert(
		fc.property(bad, (id) => {
			const plan = planOrProblems(path, {
				assistantId: id,
				knowledgeBaseId: id,
				options: { workspaceId: id },
			});

			if (plan.kind === 'faulty') return;
			const [inPath = ''] = plan.request.url.split('?');
			expect(inPath).toMatch(/^\/v1(?:\/[\w%-]+)+$/);
			expect(inPath).not.toContain(encodeURIComponent('/'));
		}),
	);
});
