import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { OTHER_ID } from '../samples';
import { ada, bob, eve, plan, type More } from './readRun';

describe('what is read', () => {
	test.each([
		['sorts', '$input.all().sort((one, other) => other.json.to.localeCompare(one.json.to))'],
		['takes some out of', '$input.all().splice(0, 1)'],
	])('an expression that %s the items changes nobody who is called', async (_, changed) => {
		const doNotContact = `={{ ${changed}.length > 9 ? $json.to : '' }}`;
		const contactRules = { doNotContact, timezone: '={{ $json.zone }}' };
		const items = [ada, bob, eve].map((one) => ({ ...one, zone: 'UTC' }));
		const { numbers } = await plan({ contactRules }, items);

		expect(numbers).toEqual([ada.to, bob.to, eve.to]);
	});

	test('a choice from a list is what was chosen', async () => {
		const knowledgeBaseId = OTHER_ID;
		const paragraphKey = { __rl: true, mode: 'list', value: '={{ "parking" }}' };
		const path = 'knowledgeBase.deleteParagraph';
		const { items: read } = await plan({ knowledgeBaseId, paragraphKey }, [{}], { path });

		expect(read).toMatchObject([
			{ request: { url: expect.stringMatching(/\/parking$/) as string } },
		]);
	});

	test('what was not entered has its default', async () => {
		const { items: read } = await plan({ options: undefined, contactRules: undefined }, [ada]);

		expect(read).toMatchObject([{ request: { body: { priority: 1 } } }]);
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

	test('a collection that is an expression is read as a whole', async () => {
		const { items: read } = await plan({ options: '={{ ({ timeout: 7 }) }}' }, [ada]);

		expect(read).toMatchObject([{ options: { timeout: 7 } }]);
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
		[{ options: { reference: NONE } }, 'Reference'],
		[{ options: { reference: '' } }],
		[{ options: { reference: '={{ $json.to }}' } }],
		[{ contactRules: { doNotContact: '={{ " " }}' } }],
		[fields(NONE), 'Custom Field 2'],
		[{ customFields: '={{ ({ customField1: "" }) }}' }],
		[{ customFields: NONE }, 'Custom Fields'],
		[json(NONE), 'Custom Fields (JSON)'],
		[json('={"customField1":"{{ $json.none }}"}'), 'Custom Fields (JSON) "customField1"'],
		[json('{"customField1":""}')],
		[json('={"customField1":"x"}')],
		[rows({ name: 'a', value: NONE }), 'Attributes "a"'],
		[rows({ name: 'a', value: '' })],
		[{ ...rows(), attributes: { values: '={{ [{ name: "a", value: "b" }] }}' } }],
		[rows({ name: 'a', value: 'b' }, { name: NONE, value: NONE }), 'Attributes "2"'],
	])('%j', async (...[entered, name]) => {
		const path = 'templateName' in entered ? 'msgapp.sendTemplate' : 'call.place';

		expect(await check(entered, [ada, { to: 'x' }], { path })).toBe(
			name === undefined ? '' : `${name} is empty in 1 of the 1 valid item.`,
		);
	});

	test.each([
		[
			'in any item, if the credential only checks',
			{},
			' Custom Field 3 is empty in 1 of 3 items (row 1).',
		],
		['in all items, if it sends', { credential: {} }, ''],
	])('are named, each by itself, that are empty %s', async (_, more, ofSome) => {
		const customFields = { customField2: '={{ $json.nmae }}', customField3: '={{ $json.city }}' };
		const items = [ada, bob, eve].map((one, index) => ({ ...one, city: index === 0 ? '' : 'Ulm' }));

		expect(await check({ customFields }, items, more)).toBe(
			`Custom Field 2 is empty in all 3 items.${ofSome}`,
		);
		expect(await check({ customFields }, [ada], { credential: {} })).toBe('');
	});
});
