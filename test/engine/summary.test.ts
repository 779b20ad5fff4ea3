import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../simulator/contract';
import { TO_NUMBER } from '../simulator/seed';
import { ada, bob, closedHours, CONTINUE, eve, useContacts } from './contacts';
import { retryRun, runNode, type NodeRun, type NodeSetup } from './engine';

const { simulator, calls } = useContacts();

const inMode = (mode: string) => ({ credential: { mode, testNumber: TO_NUMBER } });

describe('the summary with On Error: Continue', () => {
	const hintOf = async (setup: NodeSetup) => (await runNode(setup)).hint;

	test('warns as soon as an item failed, and names the reasons', async () => {
		const items = [ada, { to: '0151 1' }, { to: '0151 2' }, { to: 'x' }];

		expect(await hintOf(calls(items, {}, CONTINUE))).toMatchObject({
			type: 'warning',
			message:
				'Of 4 items: 1 placed, 3 not sent.<br>Do not run the workflow again with all rows. Send the rows that failed in a list of their own.<br>3 failed: To Number: "0151 1" has no country code with + or 00 (row 2), and 2 more in this field (rows 3, 4).',
		});
	});

	test('shows values and the words of the service as they are, though n8n reads HTML', async () => {
		const body = { error: 'Bad request: <b>no</b> & never' };
		simulator().addFault({ kind: 'respond', status: 400, body, times: 1 });
		const { error } = await runNode(calls([ada]));

		expect(error?.description).toContain('says: Bad request: &lt;b>no&lt;/b> &amp; never.');
		expect(await hintOf(calls([ada, { to: '<b>1</b>' }], {}, CONTINUE))).toMatchObject({
			message: expect.stringMatching(
				/<br>1 failed: To Number: "&lt;b>1&lt;\/b>" has "&lt;"/,
			) as string,
		});
	});

	test('says what held people back, and that nobody was reached', async () => {
		const rules = { ...closedHours(), doNotContact: bob.to };

		expect(await hintOf(calls([bob, ada, eve], rules))).toMatchObject({
			type: 'info',
			message:
				'Of 3 items: 3 held back (1 do not contact, 2 outside hours). This run of the node contacted nobody.',
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

	test('names rows that reached the number of an earlier row', async () => {
		expect(await hintOf(calls([ada, bob, ada]))).toMatchObject({
			type: 'warning',
			message: `Of 3 items: 3 placed.<br>1 row has the number of an earlier row, e.g. ${ada.to} (rows 1 and 3). Add "Not Again Within" to hold back the later one.`,
		});
	});

	test.each<[what: string, items: { to: string }[], rules: INodeParameters, told: RegExp]>([
		[
			'how to go live',
			[ada],
			{},
			/^Of 1 item: 1 checked\.<br>Nothing was sent: .* To go live, choose a credential in the mode "Live"\.$/,
		],
		[
			'that nothing was sent if all were held back',
			[ada],
			{ doNotContact: ada.to },
			/^Of 1 item: 1 held back .*\.<br>Nothing was sent: .* only checks\. .*$/,
		],
	])('in Check Only, says %s', async (_, items, rules, told) => {
		expect((await hintOf(calls(items, rules, inMode('checkOnly'))))?.message).toMatch(told);
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
	const refused = { kind: 'status', status: 400, times: 1 } as const;
	const lost = { kind: 'resetAfter', times: 1 } as const;
	/** What a run puts out, and what it says. */
	const told = ({ items, hint }: NodeRun) => ({
		numbers: items.map(({ json }) => json.toNumber),
		text: hint?.message ?? '',
	});

	test.each<[string, Fault, isSaid: boolean]>([
		['unknown', lost, true],
		['refused', refused, false],
	])('says so if the item was %s', async (_, fault, isSaid) => {
		simulator().addFault(fault);
		const failed = await runNode(calls([ada, bob]));
		const again = told(await retryRun(failed.run, changed(calls([ada, bob]))));

		expect(again.numbers).toEqual([eve.to, bob.to]);
		expect(again.text.includes(said)).toBe(isSaid);
	});

	test.each<[first: string, second: string]>([
		['redirect', 'live'],
		['live', 'redirect'],
	])('says nothing if the mode was %s, and is %s now', async (first, second) => {
		simulator().addFault(refused);
		const failed = await runNode(calls([ada, bob], {}, inMode(first)));

		const again = told(await retryRun(failed.run, calls([ada, bob], {}, inMode(second))));

		expect(again.numbers).toEqual([ada.to, bob.to]);
		expect(again.text).not.toContain('earlier try');
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
		'<br>Correct this, then run the workflow again, if no other node of it has sent anything. To skip rows that cannot be sent, set "On Error" of this node to "Continue".';

	test.each<[items: { to: string }[], others: string]>([
		[[ada, { to: '0151' }, { to: 'x' }], `<br>1 more failed: ${NO_NUMBER} (row 3).`],
		[[ada, { to: 'x' }], ''],
	])('names the other rows that have to be corrected: %j', async (items, others) => {
		const { error } = await runNode(calls(items));

		expect(error?.description).toContain(`This run of the node contacted nobody.${others}${NEXT}`);
	});

	test.each<[of: string, mode: string, items: { to: string }[], rules: INodeParameters]>([
		['a bad row', 'live', [ada, { to: 'x' }], {}],
		['a bad row', 'checkOnly', [ada, { to: 'x' }], {}],
		['a bad rule', 'live', [ada, bob], { allowedHours: 'x' }],
	])('says how to go on after %s in the mode %s', async (_, mode, items, rules) => {
		const { error } = await runNode(calls(items, rules, inMode(mode)));

		const end = mode === 'live' ? ` This run of the node contacted nobody.${NEXT}` : '';
		expect(error?.description?.endsWith(`<br>Of 2 items: 2 not sent.${end}`)).toBe(true);
	});

	test('in a sub-workflow sends nothing of its other runs again', async () => {
		const { error } = await runNode({ ...calls([ada, { to: 'x' }]), mode: 'integrated' });

		expect(error?.description).toMatch(
			/<br>Of 2 items: 2 not sent\.<br>Do not run the workflow again: .* Retry a sub-workflow's own execution, not its caller's\. /,
		);
	});

	test('in a later round of a loop sends no earlier round again', async () => {
		const items = [ada, { to: 'x' }];
		const { run } = await runNode(calls(items));
		const rounds = run.data.resultData.runData['Assistant Service'];
		rounds?.push(...rounds);

		const { error } = await retryRun(run, calls(items));

		expect(error?.description).toContain('<br>Of 2 items: 2 not sent.<br>Do not run the workflow');
	});
});
