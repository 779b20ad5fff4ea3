import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { OPERATION_ROWS, rowOf } from '../operations';
import type { Fault } from '../simulator/contract';
import { TO_NUMBER } from '../simulator/seed';
import { ada, bob, closedHours, CONTINUE, eve, useContacts } from './contacts';
import { runNode, type NodeSetup } from './engine';
import { credentialFor } from './world';

const { simulator, calls, outputs } = useContacts();

const REFERENCE = { reference: '={{ $json.id }}' };
const [adaOfCrm = {}, bobOfCrm = {}] = [ada, bob].map(({ to }, index): IDataObject => ({
	to,
	id: `crm-${index}`,
}));

const BULK: INodeParameters = {
	...rowOf('campaign.createBulk').parameters,
	...{ resource: 'campaign', operation: 'createBulk' },
};

const inMode = (mode: string) => ({
	credential: { ...credentialFor(simulator()), mode, testNumber: TO_NUMBER },
});

const FIRST_STEP =
	'Do not execute the workflow again.<br>1. Look up at the service who was called:';

test.each(OPERATION_ROWS.filter(({ output }) => output.some((json) => 'reason' in json)))(
	'$resource $operation: the columns of the person come first, with the reference behind them',
	async ({ resource, operation, parameters, output }) => {
		const entered = { resource, operation, ...parameters, options: REFERENCE };

		const [json = {}] = await outputs({ ...calls([{ id: 4711 }]), parameters: entered });

		expect(Object.entries(json).slice(0, 4)).toEqual([
			['toNumber', output[0]?.toNumber],
			['result', output[0]?.result],
			['reason', null],
			['reference', '4711'],
		]);
	},
);

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
		const { error } = await runNode(calls([ada, bob, eve, { to: '0151 23456789' }]));

		expect(error?.message).toBe('To Number: "0151 23456789" has no country code (row 4)');
		expect(error?.context).toMatchObject({ itemIndex: 3, details: { toNumber: '0151 23456789' } });
		expect(simulator().requests).toEqual([]);
	});
});

test.each<[what: string, fault: Fault, setup: () => NodeSetup, said: RegExp]>([
	[
		'names who was refused',
		{ kind: 'status', status: 400 },
		() => calls([adaOfCrm], {}, {}, REFERENCE),
		/: \+15550001000 \(crm-0\)$/,
	],
	[
		'names the test number, if that is who was called',
		{ kind: 'resetAfter' },
		() => calls([adaOfCrm], {}, inMode('redirect'), REFERENCE),
		/: The test number may have been called for \+15550001000 \(crm-0\)$/,
	],
	[
		'names the row of a campaign whose people it does not know',
		{ kind: 'resetAfter' },
		() => ({ ...calls([{}]), parameters: BULK }),
		/: The people of row 1 may have been reached$/,
	],
])('a run that stops %s', async (_, fault, setup, said) => {
	simulator().addFault({ ...fault, times: 1 });

	const { error } = await runNode(setup());

	expect(error?.message).toMatch(said);
});

describe('a run that stops with unknown items', () => {
	test('says who may have been called, and the next click', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });

		const { error } = await runNode(calls([adaOfCrm], {}, {}, REFERENCE));

		expect(error?.message).toMatch(/: \+15550001000 \(crm-0\) may have been called$/);
		expect(error?.description).toContain(`${FIRST_STEP} +15550001000 (crm-0).`);
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', toNumber: ada.to });
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

	test('says nothing of it to who only reads', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 9 });
		const parameters = { resource: 'assistant', operation: 'getPrompt', assistantId: 'x' };

		const { error } = await runNode({ ...calls([{}]), parameters });

		expect(error?.description).not.toContain('Do not execute');
	});
});

test('the error of a run that reached nobody says what to click after the correction', async () => {
	const credential = { ...credentialFor(simulator()), apiKey: 'wrong' };

	const { error } = await runNode(calls([ada, bob], {}, { credential }));

	expect(error?.description).toMatch(
		/This run reached nobody\. To go on, correct this, and retry this execution, if/,
	);
	expect((await runNode(calls([ada], {}, { credential }))).error?.description).not.toMatch(/To go/);
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
				'Of 4 items: 1 placed, 3 not sent. 3 failed, 2 of them like this: To Number: "0151 1" has no country code (row 2). Do not execute the workflow again for all now: correct the rows that were refused or not sent, and send these alone, e.g. with a Filter node before this one.',
		});
	});

	test('says until when the same list may be executed again, if a rule holds back all who were reached', async () => {
		const hours = '={{ $json.hours }}';
		const list = (second: number) => [
			{ ...ada, hours: 48 },
			{ ...bob, hours: second },
			{ to: '0151 1', hours: 0 },
		];

		expect((await hintOf(calls(list(1.5), { notAgainWithin: hours }, CONTINUE)))?.message).toMatch(
			/\(row 3\)\. Correct the rows that were refused or not sent, and execute the workflow again within 1\.5 hours: until then, "Not Again Within" holds back whoever was called\.$/,
		);
		const message = (await hintOf(calls(list(0), { notAgainWithin: hours }, CONTINUE)))?.message;
		expect(message).toContain('again for all now');
	});

	test('says what held people back, and that nobody was reached', async () => {
		const rules = { ...closedHours(), doNotContact: bob.to };

		expect(await hintOf(calls([bob, ada, eve], rules))).toMatchObject({
			type: 'info',
			message:
				'Of 3 items: 3 held back (1 do not contact, 2 outside hours). This run reached nobody.',
		});
	});

	test('is not there for one accepted item', async () => {
		expect(await hintOf(calls([ada]))).toBeUndefined();

		// n8n takes such an answer for a failure, and runs the node again.
		const body = { callId: 'c-1', status: 'placed', msg: 'Call placed.', error: '' };
		simulator().addFault({ kind: 'respond', status: 201, body });
		const settings = { ...CONTINUE.settings, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect(await hintOf(calls([eve], {}, { settings }, { simplify: false }))).toBeUndefined();
	});

	test('names who may have been reached', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });

		const hint = await hintOf(calls([adaOfCrm], {}, CONTINUE, REFERENCE));

		expect(hint?.message).toMatch(/\+15550001000 \(crm-0\) may have been called: look this up/);
		expect(hint?.message).not.toContain('This run reached nobody');
	});

	describe('in Check Only', () => {
		test('says how to go live', async () => {
			expect(await hintOf(calls([ada], {}, inMode('checkOnly')))).toMatchObject({
				type: 'info',
				message: expect.stringMatching(
					/^Of 1 item: 1 checked\. Nothing was sent: .* To go live, choose a credential in the mode "Live"\. .*$/,
				) as string,
			});
		});

		test('says that nothing was sent if all were held back', async () => {
			const hint = await hintOf(calls([ada], { doNotContact: ada.to }, inMode('checkOnly')));

			expect(hint?.message).toMatch(
				/^Of 1 item: 1 held back .* Nothing was sent: .* only checks\.$/,
			);
		});

		test.each<[rules: INodeParameters, said: string]>([
			[{}, '; each row is sent. "Not Again Within" prevents that.'],
			[
				{ notAgainWithin: 24 },
				'. "Not Again Within" holds it back in live mode, unless the earlier row fails.',
			],
		])('names rows of the same number, with the rules %j', async (rules, said) => {
			const hint = await hintOf(calls([ada, bob, ada, bob], rules, inMode('checkOnly')));

			expect(hint).toMatchObject({
				type: 'warning',
				message: expect.stringContaining(
					`2 rows have the number of an earlier row, e.g. ${ada.to} (rows 1 and 3)${said}`,
				) as string,
			});
		});

		test('names the fields whose expression gave nothing', async () => {
			const { parameters, ...setup } = calls([ada], {}, inMode('checkOnly'));
			const customFields = { customField2: '={{ $json.nmae }}' };

			expect(await hintOf({ ...setup, parameters: { ...parameters, customFields } })).toMatchObject(
				{
					type: 'warning',
					message: expect.stringMatching(
						/^Of 1 item: 1 checked\. Custom Field 2 is empty in 1 of 1 item\. Nothing was sent/,
					) as string,
				},
			);
		});
	});
});
