import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { isSameForAllItems } from '../../../nodes/shared/items/parameterReader';
import { OTHER_ID } from '../samples';
import { ada, bob, eve, plan, type More } from './readRun';

describe('what is read', () => {
	test('an expression that sorts items and takes some out changes nobody who is called', async () => {
		const sorted = '$input.all().sort((one, other) => other.json.to.localeCompare(one.json.to))';
		const doNotContact = `={{ ${sorted}.splice(0, 1).length > 9 ? $json.to : '' }}`;
		const contactRules = { doNotContact, timezone: '={{ $json.zone }}' };
		const items = [ada, bob, eve].map((one) => ({ ...one, zone: 'UTC' }));
		const { numbers } = await plan({ contactRules }, items);

		expect(numbers).toEqual([ada.to, bob.to, eve.to]);
	});

	test('settings that are the same for all items are read once, what is sent for each item', async () => {
		const WHOLE = '={{ $input.all().map(({ json }) => json.listed) }}';
		const entered = {
			options: { timeout: 7, reference: '={{ $json.to }}', workspaceId: OTHER_ID, stale: 1 },
			contactRules: { doNotContact: WHOLE, timezone: '={{ $json.zone }}', stale: 1 },
		};
		const items = [ada, bob].map((one) => ({ ...one, zone: 'UTC', listed: '+15550009999' }));
		const { reads, items: read } = await plan(entered, items);

		expect(reads.filter((read) => read.includes('.')).sort()).toEqual([
			'contactRules.doNotContact 0',
			'contactRules.timezone 0',
			'contactRules.timezone 1',
			'options.reference 0',
			'options.reference 1',
			'options.timeout 0',
			'options.workspaceId 0',
			'options.workspaceId 1',
		]);
		expect(read).toMatchObject(
			[ada, bob].map(({ to }) => ({ options: { timeout: 7 }, person: { reference: to } })),
		);
	});
});

describe('whose expressions gave nothing', () => {
	const check = async (entered: INodeParameters, items: IDataObject[], more: More = {}) => {
		const { blanks, items: read } = await plan(entered, items, {
			credential: { mode: 'checkOnly' },
			...more,
		});
		expect(read).toHaveLength(items.length);
		return blanks;
	};
	const NONE = '={{ $json.none }}';
	const json = (attributesJson: string) => ({ specifyAttributes: 'json', attributesJson });
	const fields = (customField2: string) => ({ customFields: { customField2 } });
	const rows = (...values: IDataObject[]) => ({
		...{ templateName: 'x', language: 'en', attributes: { values } as INodeParameters },
	});

	test.each<[entered: INodeParameters, name?: string]>([
		[{ options: { reference: NONE } }, 'Options (reference)'],
		[{ options: { reference: '' } }],
		[{ options: { reference: '={{ $json.to }}' } }],
		[{ contactRules: { doNotContact: '={{ " " }}' } }, 'Rules of Contact (doNotContact)'],
		[fields(NONE), 'Custom Fields (customField2)'],
		[json(NONE), 'Custom Fields (JSON)'],
		[json('={"customField1":"{{ $json.none }}"}'), 'Custom Fields (JSON) (customField1)'],
		[json('{"customField1":""}')],
		[rows({ name: 'a', value: NONE }), 'Attributes (values, entry 1, value)'],
		[rows({ name: 'a', value: '' })],
		[{ ...rows(), attributes: { values: '={{ [{ name: "a", value: "b" }] }}' } }],
	])('%j', async (...[entered, name]) => {
		const path = 'templateName' in entered ? 'msgapp.sendTemplate' : 'call.place';

		expect(await check(entered, [{ to: 'x' }, ada], { path })).toBe(
			name === undefined ? '' : `${name} is empty in row 2.`,
		);
	});

	test('are named, each by itself, if the credential only checks', async () => {
		const customFields = { customField2: '={{ $json.nmae }}', customField3: '={{ $json.city }}' };
		const items = [ada, bob, eve].map((one, index) => ({ ...one, city: index === 0 ? '' : 'Ulm' }));

		expect(await check({ customFields }, items)).toBe(
			'Custom Fields (customField2) is empty in rows 1, 2, 3. Custom Fields (customField3) is empty in row 1.',
		);
		expect(await check({ customFields }, items, { credential: {} })).toBe('');
	});
});

describe('what the model of an agent writes for nothing', () => {
	const words = fc.tuple(
		fc.constantFrom('', ' ', '\n'),
		fc.mixedCase(fc.constantFrom('null', 'undefined', 'n/a', 'none')),
		fc.constantFrom('', ' '),
	);
	const bulk = { path: 'campaign.createBulk', toNumber: '' };
	const read = async (text: string, isTool: boolean) => {
		const call = { customFields: { customField1: text, customField2: 'x' }, priority: text };
		const calls = await plan({ ...call, options: { reference: text } }, [ada], { isTool });
		const entered = { ...bulk, sheetUrl: 'https://example.com/a.xlsx', description: text };
		const campaigns = await plan(entered, [{}], { ...bulk, isTool });
		return [calls, campaigns].map(({ items }) => items[0]);
	};

	test('is left out of what is optional, also a reference', async () => {
		await fc.assert(
			fc.asyncProperty(words, async (parts) => {
				const [call, campaign] = await read(parts.join(''), true);

				expect(call).toHaveProperty('request.body.attributes', { customField2: 'x' });
				expect(call).not.toHaveProperty('request.body.priority');
				expect(call).not.toHaveProperty('person.reference');
				expect(campaign).toHaveProperty('request.body');
				expect(campaign).not.toHaveProperty('request.body.description');
			}),
			{ numRuns: 30 },
		);
	});

	test('is sent as it is by a workflow, and if there is more in the text', async () => {
		for (const [text, isTool] of [
			['None', false],
			['None of it', true],
		] as const) {
			const [, campaign] = await read(text, isTool);
			expect(campaign).toHaveProperty('request.body.description', text);
		}
	});

	test('stays where a value is required, in rules, and in JSON', async () => {
		const json = { specifyAttributes: 'json', attributesJson: '={{ ({ customField1: "None" }) }}' };
		const rules = { contactRules: { doNotContact: 'None' } };
		const path = 'sms.start';
		const { items: sent } = await plan({ ...json, message: 'None' }, [ada], { isTool: true, path });
		const { errors } = await plan(rules, [ada], { isTool: true });

		const body = { message: 'None', attributes: { customField1: 'None' } };
		expect(sent).toMatchObject([{ request: { body } }]);
		expect(errors).toEqual([expect.stringMatching(/^Do Not Contact: "None" has "N"/)]);
	});

	test('fails an option, as nothing does', async () => {
		const { errors } = await plan({ options: { workspaceId: 'N/A' } }, [ada], { isTool: true });

		expect(errors).toEqual([expect.stringMatching(/^Workspace ID: it was added, but/)]);
	});
});

test.each([
	[undefined],
	['+4915112345678, +15551234567'],
	['costs 5 $json'],
	["={{ $('Read List').all().filter(({ json }) => Object.keys(json).length) }}"],
	['={{ $("Read List").first().json.numbers }},{{ $(\'Other List\').last().json.numbers }}'],
	['={{ $input.all().map(({ json }) => json.phone) }}'],
	["={{ $( 'Read List' )\n\t.all()\n\t.map(({ json }) => json.phone.replace(/\\D/g, '')) }}"],
	["={{ [$('A').first().json.one, $input . last ( ).json.other] }}"],
	[{ values: [{ days: [1, 2], from: '09:00', to: "={{ $('Hours').first().json.to }}" }] }],
])('is the same for all items: %j', (entered) => {
	expect(isSameForAllItems(entered)).toBe(true);
});

test.each([
	['={{ $json.list }}'],
	["={{ $('Read List').item.json.list }}"],
	["={{ $('Read List').all()[$itemIndex].json.list }}"],
	["={{ $('Read List').first($itemIndex).json.list }}"],
	["={{ $(['Read List', 'Other List'][0]).all() }}"],
	["={{ $('Read \\' + $json.name + '\\').all() }}"],
	['={{ $now.toISO() }}'],
	["={{ '$(' + $json.list + ').all(' }}"],
	['={{ \\u0024json.list }}'],
	['={{ this["\\x24json"].list }}'],
	[{ values: [{ days: [], from: '={{ $json.from }}', to: '18:00' }] }],
])('may differ by item: %j', (entered) => {
	expect(isSameForAllItems(entered)).toBe(false);
});

test('an expression with anything of the item in it may differ by item', () => {
	const pieces = fc.constantFrom(
		...["$('A').all()", '$("', "$('", "').all(", '").first(', '$input.last()', "'", '"', '\\', ' '],
	);
	const text = fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join(''));
	fc.assert(
		fc.property(text, text, (before, after) => {
			expect(isSameForAllItems(`={{ ${before}$json.list${after} }}`)).toBe(false);
		}),
		{ numRuns: 1_000 },
	);
});
