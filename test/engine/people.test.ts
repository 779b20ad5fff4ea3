import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { OPERATION_ROWS } from '../operations';
import { pathOf } from '../operations/row';
import { schemaOf } from '../operations/schema';
import { TO_NUMBER } from '../simulator/seed';
import { operations } from '../shared/samples';
import { ada, bob, CONTINUE, eve, useContacts } from './contacts';
import { runNode, type NodeSetup } from './engine';
import { untilAsked } from './recipients';
import { credentialFor } from './world';

const { simulator, calls, outputs } = useContacts();

const REFERENCE = { reference: '={{ $json.id }}' };
const [adaOfCrm = {}, bobOfCrm = {}, eveOfCrm = {}] = [ada, bob, eve].map(
	({ to }, index): IDataObject => ({ to, id: `crm-${index}` }),
);

const bulkOf = () =>
	OPERATION_ROWS.find((row) => pathOf(row) === 'campaign.createBulk')?.parameters;

const FIRST_STEP =
	'Do not execute the workflow again.<br>1. Look up at the service who was called:';

describe('the columns', () => {
	const reachingOne = OPERATION_ROWS.filter(
		(row) => operations.get(pathOf(row))?.recipient === 'toNumber',
	);

	test.each(reachingOne.map((row) => [pathOf(row), row] as const))(
		'of %s come first, with the reference behind them',
		async (_, { resource, operation, parameters, output }) => {
			const setup = {
				...calls([{ id: 4711 }]),
				parameters: { resource, operation, ...parameters, options: REFERENCE },
			};

			const [json = {}] = await outputs(setup);

			expect(Object.entries(json).slice(0, 4)).toEqual([
				['toNumber', output[0]?.toNumber],
				['result', output[0]?.result],
				['reason', null],
				['reference', '4711'],
			]);
		},
	);

	test.each(reachingOne.map((row) => [pathOf(row), row] as const))(
		'of %s are in its schema, also those of who is held back',
		async (_, row) => {
			const { resource, operation, parameters } = row;
			const setup = calls([{ id: 4711 }]);
			const contactRules = { doNotContact: parameters.toNumber };
			const entered = { resource, operation, ...parameters, options: REFERENCE, contactRules };

			const [json = {}] = await outputs({ ...setup, parameters: entered });

			const columns = Object.entries(schemaOf(row).properties).slice(0, 5);
			expect(columns.map(([name]) => name)).toEqual(Object.keys(json));
			expect(columns.map(([, { type }]) => type)).toEqual([
				'string',
				'string',
				['string', 'null'],
				'string',
				['string', 'null'],
			]);
		},
	);
});

describe('a failed item', () => {
	const failureOf = async (item: IDataObject, more: INodeParameters = REFERENCE) => {
		const [json] = await outputs(calls([item], {}, CONTINUE, more));
		return { error: json?.error, ...(json?.details as IDataObject) };
	};

	test('names its number, cleaned, and its reference', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1 });

		expect(await failureOf({ to: '+1 (555) 000-1000', id: 'crm-0' })).toMatchObject({
			outcome: 'refused',
			toNumber: '+15550001000',
			reference: 'crm-0',
		});
	});

	test('names its person if another expression fails, and the field', async () => {
		const setup = calls([adaOfCrm], {}, CONTINUE, REFERENCE);
		const parameters = { ...setup.parameters, assistantId: "={{ $('Nobody').item.json.id }}" };

		const [json] = await outputs({ ...setup, parameters });

		expect(json?.error).toMatch(/^Assistant ID: .*\(row 1\)$/);
		expect(json?.details).toMatchObject({ toNumber: ada.to, reference: 'crm-0' });
	});

	test('names the value, its one fault, and the row, counted from 1', async () => {
		const items = [ada, bob, eve, { to: '0151 23456789' }];

		const { error } = await runNode(calls(items));

		expect(error?.message).toBe('To Number: "0151 23456789" has no country code (row 4)');
		expect(error?.context).toMatchObject({ itemIndex: 3, details: { toNumber: '0151 23456789' } });
		expect(simulator().requests).toEqual([]);
	});
});

describe('a run that stops with unknown items', () => {
	test('says who may have been called, and the next click', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });

		const { error } = await runNode(calls([adaOfCrm], {}, {}, REFERENCE));

		expect(error?.message).toMatch(/: \+15550001000 \(crm-0\) may have been called$/);
		expect(error?.description).toContain(`${FIRST_STEP} +15550001000 (crm-0).`);
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', toNumber: ada.to });
	});

	test('says how many more', async () => {
		// The first one that fails stops those that have not started.
		simulator().addFault({ kind: 'resetAfter', until: untilAsked(simulator(), 3), times: 3 });

		const { error } = await runNode(calls([adaOfCrm, bobOfCrm, eveOfCrm], {}, {}, REFERENCE));

		expect(error?.message).toMatch(/: \+1555000100\d \(crm-\d\) and 2 more may have been called$/);
		expect(error?.description).toContain(
			`Of 3 items: 3 unknown. ${FIRST_STEP} +15550001000 (crm-0), +15550001001 (crm-1), +15550001002 (crm-2).`,
		);
	});

	test('says what a retry sends beside them, and how the others are sent in spite of the rules', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		const rules = { notAgainWithin: 24 };

		const { error } = await runNode(
			calls([adaOfCrm, bobOfCrm], rules, {}, { maxConcurrentRequests: 1 }),
		);

		const [first, , second, third] = error?.description?.split('<br>') ?? [];
		expect(first).toBe('Of 2 items: 1 not sent, 1 unknown. Do not execute the workflow again.');
		expect(second).toMatch(/it sends all of these, and what was refused or not sent\./);
		expect(third).toMatch(
			/and sends what was refused .*, by a copy of this node: "Not Again Within"/,
		);
	});

	test('keeps its headline if n8n would replace it because of a reference', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });

		const { error } = await runNode(calls([{ ...ada, id: 'OfficeAccess' }], {}, {}, REFERENCE));

		expect(error?.message).not.toMatch(/OfficeAccess|permission/i);
		expect(error?.description).toContain(`${FIRST_STEP} +15550001000 (OfficeAccess).`);
	});

	test('names the test number, if that is who was called', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		const credential = { ...credentialFor(simulator()), mode: 'redirect', testNumber: TO_NUMBER };

		const { error } = await runNode(calls([adaOfCrm], {}, { credential }, REFERENCE));

		expect(error?.message).toMatch(
			/: The test number may have been called for \+15550001000 \(crm-0\)$/,
		);
	});

	test('names the row of a campaign whose people it does not know', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		const parameters = { ...bulkOf(), resource: 'campaign', operation: 'createBulk' };

		const { error } = await runNode({ ...calls([{}]), parameters });

		expect(error?.message).toMatch(/: The people of row 1 may have been reached$/);
	});

	test('says nothing of it to who only reads', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 9 });
		const parameters = { resource: 'assistant', operation: 'getPrompt', assistantId: 'x' };

		const { error } = await runNode({ ...calls([{}]), parameters });

		expect(error?.description).not.toContain('Do not execute');
	});
});

test('a run that stops with a refused item names its person', async () => {
	simulator().addFault({ kind: 'status', status: 400, times: 1 });

	const { error } = await runNode(calls([adaOfCrm], {}, {}, REFERENCE));

	expect(error?.message).toMatch(/: \+15550001000 \(crm-0\)$/);
});

describe('the summary with On Error: Continue', () => {
	const hintOf = async (setup: NodeSetup) => {
		const { run } = await runNode(setup);
		const [hint] = Object.values(run.data.resultData.runData)
			.flat()
			.flatMap(({ hints = [] }) => hints);
		return hint;
	};

	test('warns as soon as an item failed, and names the commonest reason', async () => {
		const items = [ada, { to: '0151 1' }, { to: '0151 2' }, { to: 'x' }];

		expect(await hintOf(calls(items, {}, CONTINUE))).toMatchObject({
			type: 'warning',
			message:
				'Of 4 items: 1 placed, 3 not sent. 3 failed, 2 of them like this: To Number: "0151 1" has no country code (row 2). Do not execute the workflow again for all now: correct the rows that were refused or not sent, and execute it with these alone.',
		});
	});

	test('says what held people back, and that nobody was reached', async () => {
		const rules = { doNotContact: bob.to, allowedHours: '={{ $json.hours }}', timezone: 'UTC' };
		const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
		const closed = `${at(2).slice(11, 16)}-${at(3).slice(11, 16)}`;
		const items = [bob, ada, eve].map((one) => ({ ...one, hours: closed }));

		expect(await hintOf(calls(items, rules))).toMatchObject({
			type: 'info',
			message:
				'Of 3 items: 3 held back (1 do not contact, 2 outside hours). This run reached nobody.',
		});
	});

	test('is not there for one accepted item', async () => {
		expect(await hintOf(calls([ada]))).toBeUndefined();
	});

	test('names who may have been reached', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });

		const hint = await hintOf(calls([adaOfCrm], {}, CONTINUE, REFERENCE));

		expect(hint?.message).toMatch(/\+15550001000 \(crm-0\) may have been called: look this up/);
		expect(hint?.message).not.toContain('This run reached nobody');
	});

	describe('in Check Only', () => {
		const check = () => ({ credential: { ...credentialFor(simulator()), mode: 'checkOnly' } });
		const withFields = (customFields: INodeParameters, items: IDataObject[]) => {
			const setup = calls(items, {}, check());
			return { ...setup, parameters: { ...setup.parameters, customFields } };
		};

		test('says how to go live', async () => {
			expect(await hintOf(calls([ada], {}, check()))).toMatchObject({
				type: 'info',
				message: expect.stringMatching(
					/^Of 1 item: 1 checked\. Nothing was sent: .* To go live, choose a credential in the mode "Live"\. .*$/,
				) as string,
			});
		});

		test('says that nothing was sent if all were held back', async () => {
			const hint = await hintOf(calls([ada], { doNotContact: ada.to }, check()));

			expect(hint?.message).toMatch(
				/^Of 1 item: 1 held back .* Nothing was sent: .* only checks\.$/,
			);
		});

		test.each<[rules: INodeParameters, said: string]>([
			[{}, '; each row is sent. "Not Again Within" prevents that.'],
			[
				{ notAgainWithin: 24 },
				'. "Not Again Within" would hold it back, unless the first one fails.',
			],
		])('names rows of the same number, with the rules %j', async (rules, said) => {
			const hint = await hintOf(calls([ada, bob, ada, bob], rules, check()));

			expect(hint).toMatchObject({
				type: 'warning',
				message: expect.stringContaining(
					`2 rows have the number of an earlier row, e.g. ${ada.to} (rows 1 and 3)${said}`,
				) as string,
			});
		});

		test('names the fields whose expression gave nothing', async () => {
			const fields = {
				customField1: '={{ $json.to }}',
				customField2: '={{ $json.nmae }}',
				customField3: '={{ $json.city }}',
				customField4: '',
			};
			const items = [ada, bob, eve].map((one, index) => ({
				...one,
				city: index === 0 ? '' : 'Ulm',
			}));

			expect(await hintOf(withFields(fields, items))).toMatchObject({
				type: 'warning',
				message: expect.stringMatching(
					/^Of 3 items: 3 checked\. Custom Field 2 is empty in 3 of 3 items\. Custom Field 3 is empty in 1 of 3 items\. Nothing was sent/,
				) as string,
			});
		});
	});
});
