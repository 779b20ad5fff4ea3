import type { INodeParameters } from 'n8n-workflow';

import { minutesAgo, useBookWorld } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';
import { newExecutionId, runFromStart, type NodeSetup } from './engine';
import { useFastClock } from './fastClock';
import { OPERATION_ROWS } from '../operations';
import { pathOf } from '../operations/row';

useFastClock();
const { simulator, store, nodeId, calls, rows, edit, reached } = useBookWorld();

let crashes = 0;
const newToken = (): string => `crash with a book ${++crashes}`;

/** What a row holds whose request was under way when n8n died. */
const CLAIMED = { outcome: 'claimed', contactId: null };

/** n8n has called Ada and Bob, and died; gives what retries the execution. */
async function die(rules: INodeParameters = {}, options: INodeParameters = {}) {
	const token = newToken();
	const callsOf = (people: (typeof ada)[], more: Partial<NodeSetup>) =>
		calls(people, rules, { ...CONTINUE, ...more }, options);
	await runFromStart(callsOf([ada, bob], { mode: 'trigger' }), token);
	return async (more: Partial<NodeSetup> = {}, people = [ada, bob, eve]) => {
		const setup = callsOf(people, { mode: 'retry', ...more });
		const { items, error, hint } = await runFromStart(setup, token);
		return { error, outputs: items.map(({ json }) => json), hint: hint?.message };
	};
}

const once = { [ada.to]: 1, [bob.to]: 1, [eve.to]: 1 };

/** Parameters of a retry that also sends what may have been sent. */
const sendAgain = (rules: INodeParameters = {}): Partial<NodeSetup> => ({
	parameters: calls([], rules, {}, { ifOutcomeUnknown: 'sendAgain', maxWait: 1 }).parameters,
});

describe('a retry after n8n died', () => {
	test('outputs people the book knows as accepted, and calls the others', async () => {
		const retry = await die({}, { reference: 'crm-1' });
		const [{ contactId: first } = {}, { contactId: second } = {}] = rows();

		const { outputs } = await retry();

		const known = { result: 'placed', reason: null, reference: 'crm-1', msg: null };
		expect(outputs).toEqual([
			{ toNumber: ada.to, ...known, callId: first },
			{ toNumber: bob.to, ...known, callId: second },
			expect.objectContaining({ toNumber: eve.to, result: 'placed' }),
		]);
		expect(reached()).toEqual(once);
		expect(rows().map(({ outcome }) => outcome)).toEqual(Array(3).fill('accepted'));
		expect(store.rows.get(nodeId())).toEqual([]);
	});

	test('sends nothing while n8n cannot tell of another retry', async () => {
		const retry = await die();
		store.isBroken = true;

		const { outputs } = await retry();

		store.isBroken = false;
		expect(outputs.at(-1)).toMatchObject({ details: { outcome: 'notSent' } });
		expect(reached()[eve.to]).toBeUndefined();
	});

	test('takes it from the row, whatever somebody has written there, also for Send Again', async () => {
		const retry = await die();
		edit(1, CLAIMED);
		await retry();
		edit(1, { outcome: 'notMde' });

		const { outputs, hint } = await retry(sendAgain());

		expect(outputs).toMatchObject([
			{ result: 'placed' },
			{ result: 'placed', callId: null },
			{ result: 'placed' },
		]);
		expect(hint).toContain('not sent again.');
		expect(reached()).toEqual(once);
	});

	test.each<[string, Partial<NodeSetup>]>([
		['stops', { settings: {} }],
		['goes on', {}],
	])('that %s sends nothing while the book cannot be read, and says once why', async (_, more) => {
		const retry = await die();
		const credential = { n8nApiKey: 'expired' };

		const { error, hint } = await retry({ ...more, credential }, [ada, bob]);

		const said = error ? `${error.message} ${error.description}` : hint;
		expect(said).toContain('Of 2 items: 2 not sent.');
		expect(said?.split('n8n does not accept the API key of the contact book')).toHaveLength(2);
		expect(reached()).toEqual({ [ada.to]: 1, [bob.to]: 1 });
	});

	test.each<[string, typeof ada, INodeParameters]>([
		['all can be read', eve, {}],
		['a row has a fault of its own', { ...eve, to: 'x' }, {}],
		['no rule can be read', eve, { allowedHours: 'x' }],
	])(
		'whose book is not filled in says to send nobody in another list, also if %s',
		async (_, third, rules) => {
			const retry = await die();
			const { parameters } = calls([], rules);

			const { hint } = await retry({ parameters, credential: { n8nApiKey: '' } }, [
				ada,
				bob,
				third,
			]);

			expect(hint).toContain('Of 3 items: 3 not sent.<br>Do not run the workflow again: what was');
			expect(hint).not.toContain('list of their own');
		},
	);

	test('takes it from the book who was called, also if a rule that some items cannot read keeps it from sending', async () => {
		const retry = await die();
		edit(1, CLAIMED);
		const { parameters } = calls([], { allowedHours: '={{ $json.hours }}' });

		const { error } = await retry({ parameters, settings: {} });
		const { outputs } = await retry({ parameters });

		expect(error?.description).toContain('Of 3 items: 1 placed, 1 not sent, 1 unknown.');
		expect(error?.description).toContain(`${bob.to} may have been called.`);
		expect(outputs).toMatchObject([
			{ result: 'placed', toNumber: ada.to },
			{ details: { outcome: 'unknown' } },
			{ details: { outcome: 'notSent' } },
		]);
		expect(rows()).toHaveLength(2);
		expect(reached()).toEqual({ [ada.to]: 1, [bob.to]: 1 });
	});

	test('sends those whose rows were set to "notMade"', async () => {
		const retry = await die();
		for (const row of [0, 1]) edit(row, { outcome: 'notMade', contactId: null });

		const { outputs } = await retry({}, [ada, bob]);

		expect(outputs.map(({ result }) => result)).toEqual(['placed', 'placed']);
		expect(reached()).toEqual({ [ada.to]: 2, [bob.to]: 2 });
	});

	test('sends with Send Again only who is not accepted, whatever the rules say of its own row', async () => {
		const rules = { notAgainWithin: 24, atMostContacts: 1 };
		const retry = await die(rules);
		edit(1, { ...CLAIMED, contactedAt: minutesAgo(11) });

		expect((await retry(sendAgain(rules))).outputs).toMatchObject(
			Array(3).fill({ result: 'placed' }),
		);
		expect(reached()).toEqual({ ...once, [bob.to]: 2 });
		expect(rows().map(({ outcome }) => outcome)).toEqual([
			'accepted',
			'claimed',
			'accepted',
			'accepted',
		]);
	});

	test('takes no row of another execution for its own, nor of another node', async () => {
		const retry = await die();
		const other = await die();

		expect((await other({}, [ada, ada])).outputs).toMatchObject([
			{ result: 'placed', callId: rows()[2]?.contactId },
			{ result: 'placed' },
		]);
		await retry({ nodeId: 'another node' }, [ada]);
		expect(reached()).toEqual({ [ada.to]: 4, [bob.to]: 2 });
	});
});

const REACHES_ONE = OPERATION_ROWS.filter(({ output }) => output.some((json) => 'reason' in json));

test.each(REACHES_ONE.map((row) => [pathOf(row), row] as const))(
	'a retry of %s outputs the ID that the book knows, and nothing that it does not',
	async (_, { resource, operation, parameters, output: [known = {}] }) => {
		const token = newToken();
		const own = { resource, operation, ...parameters };
		const setup = { ...calls([ada]), parameters: own };
		await runFromStart({ ...setup, mode: 'trigger' }, token);
		const [row] = rows();
		const requests = simulator().requests.length;

		const { items } = await runFromStart({ ...setup, mode: 'retry' }, token);

		const { toNumber, result, reason, ...answer } = known;
		const ids = ['callId', 'messageId', 'campaignId'];
		const lost = Object.keys(answer).map((name) => [
			name,
			ids.includes(name) ? row?.contactId : null,
		]);
		const person = { toNumber, result, reason };
		expect(row?.outcome).toBe('accepted');
		expect(items[0]?.json).toEqual({ ...person, ...Object.fromEntries(lost) });
		expect(simulator().requests).toHaveLength(requests);
	},
);

test.each(['trigger', 'retry'] as const)(
	'a %s of a tool repeats what it has sent',
	async (mode) => {
		const token = newToken();
		const settings = { rewireOutputLogTo: 'ai_tool' as const };
		const more = { settings, executionId: newExecutionId(), mode };

		await runFromStart(calls([ada], {}, more), token);
		await runFromStart(calls([ada], {}, more), token);
		const { items } = await runFromStart(calls([ada], { notAgainWithin: 24 }, more), token);

		expect(items[0]?.json).toMatchObject({ reason: 'contactedRecently' });
		expect(reached()).toEqual({ [ada.to]: 2 });
	},
);

test('a retry takes a call of a tool as sent if n8n died while it was under way, or after it', async () => {
	const token = newToken();
	const settings = { rewireOutputLogTo: 'ai_tool' as const };
	const tool = (mode: 'trigger' | 'retry') => ({
		...calls([ada], {}, { settings, executionId: newExecutionId() }),
		mode,
	});
	await runFromStart(tool('trigger'), token);
	edit(0, CLAIMED);
	const { items, error } = await runFromStart(tool('retry'), token);
	expect(error?.message ?? items[0]?.json.error).toContain('n8n stopped before this item was done');
	edit(0, { outcome: 'accepted', contactId: 'c-1' });
	const known = await runFromStart(tool('retry'), token);

	expect(known.items[0]?.json).toMatchObject({ result: 'placed', callId: 'c-1' });
	expect(reached()).toEqual({ [ada.to]: 1 });
});
