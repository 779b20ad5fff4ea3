import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NOW, STANDINGS } from '../shared/rules/standings';
import { FROM_NUMBER, ASSISTANT_ID } from '../simulator/seed';
import { until } from '../until';
import { minutesAgo, useBookWorld } from './contactBook';
import { ada, bob, closedHours, CONTINUE, eve, LIST, reasons, TRIES } from './contacts';
import { retryRun, runNode, startNode } from './engine';
import { calledOnce, isFor, numbers } from './world';

const { simulator, tables, calls, outputs, rows, add, change, reached } = useBookWorld();

const run = async (items: IDataObject[], rules: INodeParameters, options: INodeParameters = {}) =>
	await runNode(calls(items, rules, CONTINUE, options));

const sms = (items: IDataObject[], contactRules: INodeParameters = LIST) => ({
	...calls(items),
	parameters: {
		...{ resource: 'sms', operation: 'start', assistantId: ASSISTANT_ID, message: 'Hello' },
		...{ fromNumber: FROM_NUMBER, toNumber: '={{ $json.to }}', contactRules },
	},
});

const placeAndWait = (items: IDataObject[], contactRules: INodeParameters) => {
	const setup = calls(items, contactRules);
	return { ...setup, parameters: { ...setup.parameters, operation: 'placeAndWait' } };
};

const STARTS = new Map([
	['sms.start', sms],
	['call.placeAndWait', placeAndWait],
]);

test.each(STANDINGS)('%s', async (...[, made, rules, expected, operation]) => {
	for (const row of made) add({ ...row, phone: ada.to });
	const clock = jest.spyOn(Date, 'now').mockReturnValue(NOW);
	const start = STARTS.get(operation ?? '') ?? calls;
	const { items, hint } = await runNode(start([ada], { ...rules, timezone: 'UTC' }));
	clock.mockRestore();

	const [reason = '', notBefore] = expected.split(' ');
	const held = { result: 'heldBack', reason, notBefore: notBefore === 'null' ? null : notBefore };
	expect(items[0]?.json).toMatchObject(reason === 'sent' ? { reason: null } : held);
	expect(simulator().requests).toHaveLength(reason === 'sent' ? 1 : 0);
	const isLeft = !['reached', 'attemptsUsed'].includes(reason);
	expect(hint?.message.includes('Nobody is left') ?? false).toBe(!isLeft);
});

test('a list that runs again and again calls everybody until reached, as often as allowed', async () => {
	const people = [ada, bob, eve];

	const first = await run(people, TRIES);
	expect(rows()).toMatchObject(people.map(() => LIST));
	const open = await run(people, TRIES);
	change({ contactedAt: minutesAgo(25 * 60), reached: 'no' });
	change({ reached: 'yes' }, ada.to);
	const second = await run(people, TRIES);
	change({ contactedAt: minutesAgo(25 * 60), reached: 'no' }, eve.to);
	change({ reached: 'no' }, bob.to);
	add({ phone: bob.to, doNotContact: true });
	const rules = { ...TRIES, list: ' SPRING ' };
	const third = await run(people, rules, { reference: 'crm-1', simplify: false });

	const outputOf = ({ items }: typeof first) => reasons(items.map(({ json }) => json));
	expect(outputOf(first)).toEqual(['placed', 'placed', 'placed']);
	expect(outputOf(open)).toEqual(['resultOpen', 'resultOpen', 'resultOpen']);
	expect(outputOf(second)).toEqual(['reached', 'placed', 'placed']);
	expect(outputOf(third)).toEqual(['reached', 'doNotContact', 'attemptsUsed']);
	expect(third.items[0]?.json.reference).toBe('crm-1');
	expect(third.hint?.message).toContain(
		'Of 3 items: 3 held back (1 do not contact, 1 reached, 1 attempts used up). This run of the node contacted nobody. Nobody is left on the list "SPRING" among these items.',
	);
	expect(second.hint?.message).not.toContain('Nobody is left');
	expect(reached()).toEqual({ [ada.to]: 1, [bob.to]: 2, [eve.to]: 2 });
	expect(reasons(await outputs(sms(people)))).toEqual(['reached', 'doNotContact', 'sent']);
});

test.each([
	['the hours', closedHours(), 'outsideHours'],
	['an opt-out', { doNotContact: ada.to }, 'doNotContact'],
	['the places of the run', { atMostPerRun: 1 }, 'runFull'],
])('a call back that has come lifts no other rule: %s', async (_, rules, reason) => {
	const asked = { callBackAt: minutesAgo(1), contactedAt: minutesAgo(30), outcome: 'accepted' };
	add({ ...LIST, ...asked, phone: ada.to, operation: 'call.place' });

	const { items } = await run([bob, ada], { ...TRIES, ...rules });

	expect(reasons(items.map(({ json }) => json))[1]).toBe(reason);
});

const OF = { list: '={{ $json.of }}' };

test.each<[name: string, second: IDataObject, reason: string | undefined, INodeParameters]>([
	['nobody is left, also with a faulty one', { to: 'x', of: ' SPRING' }, undefined, OF],
	['two lists: of neither is it said', { ...bob, of: 'Autumn' }, 'attemptsUsed', OF],
	['nobody is left, also with a field wrong for one', { ...bob, how: 'json' }, undefined, LIST],
	['a list and none: it is not said', { ...bob, of: '' }, undefined, OF],
	['one is left, outside the hours', bob, 'outsideHours', { ...LIST, ...closedHours() }],
])('%s', async (name, second, reason, rules) => {
	const people = [{ ...ada, of: 'Spring' }, second];
	const listed = people.filter(({ of }) => of);
	await run(listed, { list: rules.list });
	const setup = calls(people, rules, CONTINUE);
	const how = { specifyAttributes: '={{ $json.how ?? "fields" }}', attributesJson: 'x' };

	const { items, hint } = await runNode({ ...setup, parameters: { ...setup.parameters, ...how } });

	expect(reasons(items.map(({ json }) => json))).toEqual(['attemptsUsed', reason]);
	expect(hint?.message.includes('Nobody is left')).toBe(name.startsWith('nobody'));
});

test.each([
	['a character that prints nothing, which a database changes', 'Spr\0ing', {}],
	['a space that nobody sees', 'Spring\u200b 2027', {}],
	['a mark of direction', 'Spring\u200e', {}],
	['half of a sign, which a database changes', '={{ "Sale 😀".slice(0, 6) }}', {}],
	['a credential without the contact book', 'Spring', { contactBook: false }],
])('a name with %s is refused', async (_, list, credential) => {
	const { items } = await runNode(calls([ada], { list }, { ...CONTINUE, credential }));

	expect(items[0]?.json.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
	expect(reasons(await outputs(calls([ada], { list: '😀'.repeat(100) })))).toEqual(['placed']);
});

test('a paced run claims nobody long before the turn: another run could call them in between', async () => {
	const paced = startNode(calls(numbers(60), LIST, CONTINUE, { requestsPerSecond: 0.05 }));
	await until(() => simulator().requests.length > 0);

	expect(rows()).toHaveLength(30);
	paced.cancel();
	await paced.finished;
});

test('what the service refuses is no attempt, and nobody is told not to run the list again', async () => {
	simulator().addFault({ kind: 'status', status: 400, when: isFor(1), times: 1 });
	const { hint } = await run(numbers(3), LIST);
	simulator().addFault({ kind: 'status', status: 500, when: isFor(4), times: 1 });
	const { hint: hintOfUnknown, items } = await run(numbers(6), LIST);

	const used = 'attemptsUsed';
	const again = [used, 'placed', used, 'placed', undefined, 'placed'];
	expect(reasons(items.map(({ json }) => json))).toEqual(again);
	expect(hint?.message).not.toContain('run the workflow again');
	expect(hintOfUnknown?.message).toContain('Look up unknown ones');
	expect(hintOfUnknown?.message).not.toContain('run the workflow again');
});

test('of two rows of a person the second is called if the first is refused, who then is left', async () => {
	simulator().addFault({ kind: 'status', status: 400, when: isFor(1), times: 1 });
	const { items } = await run([ada, bob, bob], { ...LIST, atMostPerRun: 3 });
	simulator().addFault({ kind: 'status', status: 400, when: isFor(2), times: 1 });
	const { items: later, hint } = await run([ada, bob, eve], LIST);

	expect(reasons(items.map(({ json }) => json))).toEqual(['placed', undefined, 'placed']);
	const used = ['attemptsUsed', 'attemptsUsed', undefined];
	expect(reasons(later.map(({ json }) => json))).toEqual(used);
	expect(hint?.message).not.toContain('Nobody is left');
});

test('a retry that cannot look anything up does not warn of running the list again', async () => {
	simulator().addFault({ kind: 'status', status: 400, when: isFor(1), times: 1 });
	const failed = await runNode(calls([ada, bob], LIST));
	tables().fail({ answer: { status: 500 } });
	const { error } = await retryRun(failed.run, calls([ada, bob], LIST));

	expect(error?.message).toContain('contact book');
	expect(error?.description).toContain('Correct this, then run the workflow again');
});

test('a retry that sends unknown items again calls nobody whom an earlier try has reached', async () => {
	simulator().addFault({ kind: 'resetAfter', times: 1 });
	const failed = await runNode(calls([ada], LIST));
	change({ reached: 'yes' });
	const sendsAgain = calls([ada], LIST, CONTINUE, { ifOutcomeUnknown: 'sendAgain' });

	const { items } = await retryRun(failed.run, sendsAgain);

	expect(reasons(items.map(({ json }) => json))).toEqual(['reached']);
	expect(reached()).toEqual(calledOnce([ada]));
});

describe('the option Check Only', () => {
	test.each(['live', 'checkOnly'])('in the mode %s says who is due, and why', async (mode) => {
		await outputs(calls([ada], LIST));

		const setup = calls([ada, bob, bob], LIST, { credential: { mode } }, { checkOnly: true });
		const { items, hint } = await runNode(setup);

		expect(items.map(({ json }) => json)).toMatchObject([
			{ reason: 'attemptsUsed' },
			...Array<object>(2).fill({ result: 'checked', request: { body: { toNumber: bob.to } } }),
		]);
		expect(hint?.message).not.toMatch(/of an earlier row|Nobody is left/);
		expect(hint?.message).toContain('Nothing was sent: the option "Check Only" is on.');
		expect(reached()).toEqual({ [ada.to]: 1 });
		expect(rows()).toHaveLength(1);
	});

	test('shows what a redirection would send, by the rows that it would count', async () => {
		const credential = { mode: 'redirect', testNumber: '+4930999999' };
		await outputs(calls([ada], LIST, { credential }));
		add({ ...LIST, phone: bob.to, outcome: 'accepted', operation: 'call.place', mode: 'live' });

		const setup = calls([ada, bob], LIST, { credential }, { checkOnly: true });
		const { items, hint } = await runNode(setup);

		expect(hint?.message).toContain('<br>Nothing was sent: the option "Check Only" is on.');
		expect(items.map(({ json }) => json)).toMatchObject([
			{ reason: 'attemptsUsed' },
			{ result: 'checked', toNumber: bob.to, request: { body: { toNumber: '+4930999999' } } },
		]);
	});

	test.each([
		['added and switched off', false, 'live', 'placed'],
		['switched off, with a credential that only checks', false, 'checkOnly', 'checked'],
		['an expression', '={{ false }}', 'live', undefined],
		['text', '={{ "no" }}', 'live', undefined],
	])('%s', async (_, checkOnly, mode, result) => {
		const more = { ...CONTINUE, credential: { mode } };
		const output = await outputs(calls([ada, bob], {}, more, { checkOnly }));

		expect(output.map((json) => json.result)).toEqual([result, result]);
		expect(simulator().requests).toHaveLength(result === 'placed' ? 2 : 0);
	});
});
