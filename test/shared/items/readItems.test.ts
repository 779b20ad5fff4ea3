import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readNumbers } from '../../../nodes/shared/rules/doNotContact';
import { isSendable, phoneOf } from '../../../nodes/shared/items/item';
import { ASSISTANT_ID } from '../../simulator/seed';
import { ada, bob, eve, plan, type More } from './readRun';

describe('the items of a run', () => {
	test('are items in their order, each with what is known of it', async () => {
		const { items, numbers, blanks } = await plan({}, [ada, { to: 'x' }, eve]);

		expect(numbers).toEqual([ada.to, undefined, eve.to]);
		expect(blanks).toBe('');
		expect(items).toMatchObject(
			[ada, { to: 'x' }, eve].map((json) => ({
				person: { toNumber: json.to },
				simplify: true,
			})),
		);
	});

	test('wait less by default if an agent waits, too', async () => {
		const maxWait = async (isTool: boolean) =>
			(await plan({}, [ada], { isTool })).items.find(isSendable)?.options.maxWait;

		expect([await maxWait(false), await maxWait(true)]).toEqual([600, 30]);
	});

	test('free the memory of the lists of Do Not Contact', async () => {
		const list = ['+15550001009'];
		const before = readNumbers(list);
		expect(readNumbers(list)).toBe(before);
		await plan({}, [ada]);

		expect(readNumbers(list)).not.toBe(before);
	});
});

const REPORT =
	'Nothing was sent. Do not repeat this tool call: it fails until somebody has corrected the settings of this tool. Report this.';

describe('an item that cannot be sent', () => {
	const OF_ITEM = 'Correct the value and try again.';
	const OF_ALL = expect.stringMatching(/^Correct the row. If all rows /) as string;
	const OF_CREDENTIAL = 'Correct the credential and try again.';
	const NO_CODE = 'To Number: "+0151 1" has no country code';
	const TOO_SHORT = 'To Number: "+1" is too short for a phone number with its country code';
	const NO_KEY = 'API Key of the credential is empty';
	const credential = { apiKey: '' };

	test.each<[to: unknown, more: More, message: string, hint: string]>([
		['+0151 1', {}, `${NO_CODE} (row 2)`, OF_ALL],
		['+0151 1', { isTool: true }, NO_CODE, OF_ITEM],
		['+0151 1', { credential }, `${NO_CODE}; ${NO_KEY} (row 2)`, OF_ALL],
		['+1', {}, `${TOO_SHORT} (row 2)`, OF_ITEM],
		[ada.to, { credential }, NO_KEY, OF_CREDENTIAL],
	])('says what is wrong with it, and what to do: %s with %j', async (to, more, message, hint) => {
		const { errors, failures } = await plan({}, [ada, { to: to as string }], more);

		expect(failures[1]).toMatchObject({ kind: 'invalidInput', outcome: 'notSent', hint });
		expect(errors[1]).toBe(message);
	});

	test.each<[item: IDataObject, more: More, message: string]>([
		[{ 'phone ': '1', name: 'Ada' }, {}, ' (row 1); the item has "phone ", "name"'],
		[{ 'phone ': '1' }, { isTool: true }, ''],
		[{}, {}, ' (row 1)'],
		[{ ['x'.repeat(50)]: 1 }, {}, ` (row 1); the item has "${'x'.repeat(40)}…"`],
		[
			Object.fromEntries('abcdefghijkl'.split('').map((name) => [name, 1])),
			{},
			' (row 1); the item has "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" and 2 more',
		],
		[{ to: ' ', b: 1 }, { credential }, `; ${NO_KEY} (row 1); the item has "to", "b"`],
	])('names what its item has if a value is empty: %j with %j', async (item, more, message) => {
		for (const items of [[item], [item, ada]]) {
			const { errors } = await plan({}, items, more);
			expect(errors[0]).toBe(`To Number is empty${message}`);
		}
	});

	test('fails alone if an expression fails for it', async () => {
		const attributesJson = '={{ $json.from ? $($json.from).item.json : {} }}';
		const entered = { specifyAttributes: 'json', attributesJson };
		const { errors, items } = await plan(entered, [bob, { ...ada, from: 'Nobody' }, eve]);

		const failed = expect.stringMatching(/^Custom Fields \(JSON\): .*node.* \(row 2\)$/) as string;
		expect(errors).toEqual([undefined, failed, undefined]);
		expect(items[1]?.person?.toNumber).toBe(ada.to);
	});

	const BY_EXPRESSION = '={{ "9 to 5" }}';
	test.each<[entered: INodeParameters, isRefusedWithRun: boolean, row: boolean]>([
		[{ contactRules: { allowedHours: '9 to 5' } }, true, false],
		[{ contactRules: { allowedHours: BY_EXPRESSION } }, false, true],
		[{ contactRules: { allowedHours: '9 to 5', timezone: BY_EXPRESSION } }, false, true],
		[{ assistantId: 'nobody' }, true, true],
	])(
		'is refused with the run, if what is wrong is set for all items, else names its row: %j',
		async (entered, isRefusedWithRun, row) => {
			const { errors, items } = await plan(entered, [ada, bob]);

			expect(items).toMatchObject([{ isRefusedWithRun }, { isRefusedWithRun }]);
			expect(errors[0]?.endsWith(' (row 1)')).toBe(row);
		},
	);

	test('is known as an earlier try has sent it: by its number, if that can be read', async () => {
		const { items } = await plan({ assistantId: '={{ $json.id }}' }, [
			{ ...ada, id: ASSISTANT_ID },
			{ ...bob, id: 'x' },
			{ to: 'x', id: ASSISTANT_ID },
		]);
		const path = 'assistant.getPrompt';
		const nobody = await plan({ assistantId: 'x' }, [ada], { path });

		expect([...items, ...nobody.items].map(phoneOf)).toEqual([ada.to, bob.to, '', '']);
	});
});

describe('an agent is told to correct only what it fills itself', () => {
	const told = async (entered: INodeParameters, credential: IDataObject) => {
		const write = entered.message === undefined ? 'call.place' : 'msgapp.continueConversation';
		const items = [{ to: 'x', good: '+15550001000' }];
		const { failures } = await plan(entered, items, { credential, isTool: true, path: write });
		expect(failures[0]).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
		return failures[0]?.advice;
	};
	const ofModel = (name: string) => `={{ $fromAI('${name}', 'a value', 'string') }}`;
	const toNumber = ofModel('good');

	const bad = ofModel('to');

	test.each<INodeParameters>([
		{ toNumber: bad },
		{ toNumber: '={{ $fromai("to") }}' },
		{ toNumber, options: { timeout: bad } },
		{ toNumber: bad, contactRules: { timezone: bad } },
		{ toNumber, message: `${bad} {name}` },
	])('what the model fills: %j', async (entered) => {
		expect(await told(entered, {})).toBeUndefined();
	});

	test.each<[entered: INodeParameters, credential?: IDataObject]>([
		[{ toNumber, contactRules: { allowedHours: 'always' } }],
		[{ toNumber, contactRules: { timezone: '={{ $json.zone }}' } }],
		[{ toNumber: '={{ $json.to }}' }],
		[{ toNumber: bad, contactRules: { timezone: 'x' } }],
		[{ toNumber, assistantId: "={{ $('Nobody').item.json.id }}" }],
		[{ toNumber, message: 'Hello {name}' }],
		[{ toNumber }, { workspaceId: 'x' }],
		[{ toNumber: bad }, { apiKey: '' }],
	])('what others fill: %j with the credential %j', async (entered, credential = {}) => {
		expect(await told(entered, credential)).toBe(REPORT);
	});
});
