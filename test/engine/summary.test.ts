import type { INodeParameters } from 'n8n-workflow';

import { TO_NUMBER } from '../simulator/seed';
import { ada, bob, closedHours, CONTINUE, eve, useContacts } from './contacts';
import { retryRun, runNode, type NodeSetup } from './engine';
import { callsByRecipient, credentialFor } from './world';

const { simulator, calls } = useContacts();

const REFERENCE = { reference: '={{ $json.id }}' };

const inMode = (mode: string) => ({
	credential: { ...credentialFor(simulator()), mode, testNumber: TO_NUMBER },
});

describe('the summary with On Error: Continue', () => {
	const hintOf = async (setup: NodeSetup) => {
		const { run } = await runNode(setup);
		const [hint] = Object.values(run.data.resultData.runData)
			.flat()
			.flatMap(({ hints = [] }) => hints);
		return hint;
	};

	test('warns as soon as an item failed, and names the reasons', async () => {
		const items = [ada, { to: '0151 1' }, { to: '0151 2' }, { to: 'x' }];

		expect(await hintOf(calls(items, {}, CONTINUE))).toMatchObject({
			type: 'warning',
			message:
				'Of 4 items: 1 placed, 3 not sent.<br>Do not run the workflow again with all rows. Send the rows that failed in a list of their own.<br>3 failed: To Number: "0151 1" has no country code with + or 00; if all rows lack only the +, enter +{{ $json.phone }} (row 2), and 2 more like this (rows 3, 4).',
		});
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

		const hint = await hintOf(calls([{ ...ada, id: 'crm-0' }], {}, CONTINUE, REFERENCE));

		expect(hint?.message).toMatch(
			/<br>\+15550001000 \(crm-0\) may have been called\.<br>First look up .*<br>1 failed: /,
		);
		expect(hint?.message).not.toContain('This run reached nobody');
	});

	test('names rows that reached the number of an earlier row', async () => {
		expect(await hintOf(calls([ada, bob, ada]))).toMatchObject({
			type: 'warning',
			message: `Of 3 items: 3 placed.<br>1 row has the number of an earlier row, e.g. ${ada.to} (rows 1 and 3). "Not Again Within" holds back the later one.`,
		});
	});

	describe('in Check Only', () => {
		test('says how to go live', async () => {
			expect(await hintOf(calls([ada], {}, inMode('checkOnly')))).toMatchObject({
				type: 'info',
				message: expect.stringMatching(
					/^Of 1 item: 1 checked\.<br>Nothing was sent: .* To go live, choose a credential in the mode "Live"\.$/,
				) as string,
			});
		});

		test('says that nothing was sent if all were held back', async () => {
			const hint = await hintOf(calls([ada], { doNotContact: ada.to }, inMode('checkOnly')));

			expect(hint?.message).toMatch(
				/^Of 1 item: 1 held back .*\.<br>Nothing was sent: .* only checks\. .*$/,
			);
		});

		test('names rows of the same number', async () => {
			const hint = await hintOf(calls([ada, bob, ada, bob], {}, inMode('checkOnly')));

			expect(hint).toMatchObject({
				type: 'warning',
				message: expect.stringContaining(
					`2 rows have the number of an earlier row, e.g. ${ada.to} (rows 1 and 3). "Not Again Within" holds back the later one.`,
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
						/^Of 1 item: 1 checked\.<br>Nothing was sent: .*\.<br>Custom Fields \(customField2\) is empty in row 1\.$/,
					) as string,
				},
			);
		});
	});
});

describe('a retry in which the number of somebody who may have been called was changed', () => {
	const changed = (setup: NodeSetup): NodeSetup => ({
		...setup,
		parameters: {
			...setup.parameters,
			toNumber: `={{ $json.to === '${ada.to}' ? '${eve.to}' : $json.to }}`,
		},
	});
	const said = `is not among these any more: ${ada.to} (row 1 of that try).`;

	test.each(['unknown', 'refused'])('says so if the item was %s', async (outcome) => {
		const refused = { kind: 'respond', status: 400, body: { message: 'no' } } as const;
		simulator().addFault({
			times: 1,
			...(outcome === 'unknown' ? { kind: 'resetAfter' } : refused),
		});
		const failed = await runNode(calls([ada, bob]));
		const again = await retryRun(failed.run, changed(calls([ada, bob])));

		expect(again.items.map(({ json }) => json.toNumber)).toEqual([eve.to, bob.to]);
		const { hints = [] } = again.run.data.resultData.runData['Assistant Service']?.at(-1) ?? {};
		const messages = hints.map(({ message }) => message).join();
		if (outcome === 'unknown') expect(messages).toContain(said);
		else expect(messages).not.toContain(said);
	});

	test('says so if the item was accepted', async () => {
		const { parameters, ...setup } = calls([ada, bob]);
		const fromNumber = `={{ $json.to === '${bob.to}' ? '+15559999999' : ${JSON.stringify(parameters.fromNumber)} }}`;
		const failed = await runNode({ ...setup, parameters: { ...parameters, fromNumber } });
		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1 });

		const again = await retryRun(failed.run, changed(calls([ada, bob])));

		const { hints = [] } = again.run.data.resultData.runData['Assistant Service']?.at(-1) ?? {};
		expect(hints.map(({ message }) => message).join()).toContain(said);
	});

	test('says nothing of those who were redirected to the test number', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1 });
		const failed = await runNode({ ...calls([ada, bob]), ...inMode('redirect') });
		expect(callsByRecipient(simulator())).toEqual({ [TO_NUMBER]: 1 });
		expect(failed.error?.description).toContain(
			`<br>Calls and messages go to ${TO_NUMBER} instead: the credential "Test" redirects.<br>`,
		);

		const again = await retryRun(failed.run, calls([ada, bob]));

		expect(again.items).toHaveLength(2);
		const { hints = [] } = again.run.data.resultData.runData['Assistant Service']?.at(-1) ?? {};
		expect(hints.map(({ message }) => message).join()).not.toContain('earlier try');
	});

	test('says nothing of a changed mode in a redirection', async () => {
		simulator().addFault({ kind: 'status', status: 400, times: 1 });
		const failed = await runNode(calls([ada, bob]));
		const again = await retryRun(failed.run, { ...calls([ada, bob]), ...inMode('redirect') });

		const { hints = [] } = again.run.data.resultData.runData['Assistant Service']?.at(-1) ?? {};
		expect(again.items).toHaveLength(2);
		expect(hints.map(({ message }) => message).join()).not.toContain('earlier try');
	});

	test('says so, too, in the error of a run that stops again', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		const failed = await runNode(calls([ada, bob]));
		simulator().addFault({ kind: 'respond', status: 400, times: 1, body: { message: 'no' } });
		const { error } = await retryRun(failed.run, changed(calls([ada, bob])));

		expect(error?.description).toContain(said);
	});
});

describe('the error of a run that stops', () => {
	test('is about what was refused in this try, not about what is unknown of an earlier one', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		const one = calls([ada, bob, eve], {}, {}, { maxConcurrentRequests: 1 });
		const failed = await runNode(one);
		expect(failed.error?.message).toContain(ada.to);
		simulator().addFault({
			kind: 'respond',
			status: 400,
			times: 1,
			body: { message: 'No credit' },
		});

		const { error } = await retryRun(failed.run, one);

		expect(error?.message).toContain(`: ${bob.to}`);
		expect(error?.description).toContain('No credit');
		expect(error?.description).toContain(ada.to);
	});

	const NO_NUMBER = 'To Number: "x" has "x", which no phone number has';
	const NEXT =
		'<br>Correct this, then run the workflow again. To skip rows that cannot be sent, set "On Error" of this node to "Continue".';

	test.each<[items: { to: string }[], others: string]>([
		[[ada, { to: '0151' }, { to: 'x' }], `<br>1 more failed: ${NO_NUMBER} (row 3).`],
		[
			Array.from({ length: 13 }, () => ({ to: 'x' })),
			`<br>12 more failed: ${NO_NUMBER} (row 2), and 11 more like this (rows 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 1 more).`,
		],
		[[ada, { to: 'x' }], ''],
	])('names the other rows that have to be corrected: %j', async (items, others) => {
		const { error } = await runNode(calls(items));

		expect(error?.description).toContain(`This run reached nobody.${others}${NEXT}`);
	});

	test.each<[of: string, mode: string, setup: [items: { to: string }[], rules?: INodeParameters]]>([
		['a bad row', 'live', [[ada, { to: 'x' }]]],
		['a bad row', 'checkOnly', [[ada, { to: 'x' }]]],
		['a bad rule', 'live', [[ada, bob], { allowedHours: 'x' }]],
		['a bad rule', 'checkOnly', [[ada, bob], { allowedHours: 'x' }]],
	])('says how to go on after %s in the mode %s', async (_, mode, setup) => {
		const { error } = await runNode({ ...calls(...setup), ...inMode(mode) });

		const end = mode === 'live' ? ` This run reached nobody.${NEXT}` : '';
		expect(error?.description?.endsWith(`<br>Of 2 items: 2 not sent.${end}`)).toBe(true);
	});
});
