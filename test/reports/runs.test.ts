import { COLUMN_NAMES, COLUMNS } from '../../nodes/shared/book/columns';
import { useBookWorld } from '../engine/contactBook';
import { ada, bob, CONTINUE, eve } from '../engine/contacts';
import { runNode } from '../engine/engine';
import { callsByRecipient, numbers, placeCall } from '../engine/world';

const { simulator, tables, calls, outputs, rows } = useBookWorld();

/** n8n-io/n8n#15330, n8n-io/n8n#6510. */
test('with Execute Once the first item alone is called', async () => {
	const { items } = await runNode(calls([ada, bob, eve], {}, { settings: { executeOnce: true } }));

	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1 });
});

/** n8n-io/n8n#12558, n8n-io/n8n#30050. */
test('on both outputs an item knows its row', async () => {
	const settings = { onError: 'continueErrorOutput' as const };

	const { outputs: both } = await runNode(
		calls([ada, { to: 'x', name: 'Bob' }, eve], {}, { settings }),
	);

	expect(both.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
		[{ item: 0 }, { item: 2 }],
		[{ item: 1 }],
	]);
	expect(both[1]?.[0]?.json).toMatchObject({ to: 'x', name: 'Bob' });
});

/** rocketride-org/rocketride-server#521, n8n-io/n8n#17241: what models fill in. */
test.each<[to: unknown, called: string[]]>([
	[` ${ada.to}\n`, [ada.to]],
	...[15550001000, '15550001000', 'tel:+15550001000', { phone: ada.to }, [ada.to]].map(
		(to): [unknown, string[]] => [to, []],
	),
	...['N/A', 'null', 'None', '', null].map((to): [unknown, string[]] => [to, []]),
])('an agent that asks to call %j reaches %j', async (to, called) => {
	const parameters = { ...placeCall, toNumber: "={{ $fromAI('to', 'a value', 'string') }}" };
	const settings = { rewireOutputLogTo: 'ai_tool' as const };

	const { error } = await runNode({ ...calls([{ to: to as string }]), parameters, settings });

	expect(error?.message ?? '').toMatch(called.length > 0 ? /^$/ : /^To Number/);
	expect(Object.keys(callsByRecipient(simulator()))).toEqual(called);
});

/** n8n-io/n8n#29959, CartoDB/cartodb#1961: a file makes numbers of true and of telephones. */
test.each(COLUMN_NAMES)('a book that came back with %s as a number is not used', async (column) => {
	tables().createTable('Imported', { ...COLUMNS, [column]: 'number' });
	const credential = { contactBookTable: 'Imported' };

	const output = await outputs(calls([ada], {}, { ...CONTINUE, credential }));

	expect(output).toMatchObject([{ details: { outcome: 'notSent' } }]);
	expect(JSON.stringify(output)).toContain(`${column} (${COLUMNS[column]})`);
	expect(simulator().requests).toEqual([]);
});

/** n8n-io/n8n#28524, n8n-io/n8n#26919: a workflow that begins twice at the same moment. */
test('of ten executions at the same moment, one calls each person', async () => {
	const rules = { notAgainWithin: 24 };
	const people = numbers(5);

	const all = await Promise.all(
		Array.from({ length: 10 }, async () => await outputs(calls(people, rules))),
	);

	const placed = all.flat().filter(({ result }) => result === 'placed');
	expect(placed).toHaveLength(people.length);
	expect(callsByRecipient(simulator())).toEqual(
		Object.fromEntries(people.map(({ to }) => [to, 1])),
	);
	expect(rows().filter(({ outcome }) => outcome === 'accepted')).toHaveLength(people.length);
});

/** VenomVendor/DeduplicateSMS#9, WorkingFamilies/votivate#75. */
test('one number in four notations is one person', async () => {
	const written = [ada.to, '0015550001000', '+1 (555) 000-1000', '+1.555.000\u00a01000'];
	const items = written.map((to) => ({ to }));

	const output = await outputs(calls(items, { notAgainWithin: 24 }));

	expect(output.map(({ toNumber, result }) => [toNumber, result])).toEqual(
		['placed', 'heldBack', 'heldBack', 'heldBack'].map((result) => [ada.to, result]),
	);
});

/** n8n-io/n8n#10730, n8n-io/n8n#6447: what the editor writes for a field that is dragged. */
test.each(['$json.to', "$('Items').item.json.to", '$node["Items"].json["to"]'])(
	'%s calls the person of each row',
	async (reference) => {
		const parameters = { ...placeCall, toNumber: `={{ ${reference} }}` };

		await runNode({ ...calls([ada, bob, eve]), parameters });

		expect(callsByRecipient(simulator())).toEqual({ [ada.to]: 1, [bob.to]: 1, [eve.to]: 1 });
	},
);
