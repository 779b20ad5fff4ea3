import type { IDataObject } from 'n8n-workflow';

import { COLUMN_NAMES, COLUMNS } from '../../nodes/shared/book/columns';
import { useBookWorld } from '../engine/contactBook';
import { ada, bob, CONTINUE, eve } from '../engine/contacts';
import { runNode } from '../engine/engine';
import { placeCall } from '../engine/world';
import { PAGES } from './pages';
import type { Reports } from './report';
import { AGENT_VALUES, NUMBER } from './runs';

const { simulator, tables, calls, outputs, rows, reached } = useBookWorld();

/** VenomVendor/DeduplicateSMS#9, WorkingFamilies/votivate#75: two people of one. */
const NOTATIONS = [NUMBER, '0015550001000', '+1 (555) 000-1000', '+1.555.000\u00a01000'];

/**
 * n8n-io/n8n#15330, n8n-io/n8n#6510: Execute Once; n8n-io/n8n#12558, n8n-io/n8n#30050: the row of
 * an error.
 */
const WITH_A_BAD_ROW = [{ to: NUMBER }, { to: 'x', name: 'Bob' }, { to: '+15550001002' }];

/** Rows of a sheet that name nobody: of one only its number is entered; a merged cell; a lookup. */
const NOBODY: Reports<[row: IDataObject]> = [
	['ttsukagoshi/mail-merge-for-gmail#391', { row_number: 3 }],
	['dgilman/gspread_asyncio#62', { row_number: 4, to: '', name: 'Ada' }],
	['docs.simplified-webhooks.com/field-types', { row_number: 5, to: [NUMBER] }],
];

/** n8n-io/n8n#10730, n8n-io/n8n#6447: what the editor writes if a node's field is dragged. */
const referencesTo = (node: string): string[] => [
	'$json.to',
	`$('${node}').item.json.to`,
	`$node["${node}"].json["to"]`,
];

test('with Execute Once the first item alone is called', async () => {
	const { items } = await runNode(calls(WITH_A_BAD_ROW, {}, { settings: { executeOnce: true } }));

	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	expect(reached()).toEqual({ [NUMBER]: 1 });
});

test('on both outputs an item knows its row', async () => {
	const settings = { onError: 'continueErrorOutput' as const };

	const { outputs: both } = await runNode(calls(WITH_A_BAD_ROW, {}, { settings }));

	expect(both.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
		[{ item: 0 }, { item: 2 }],
		[{ item: 1 }],
	]);
	expect(both[1]?.[0]?.json).toMatchObject({ ...WITH_A_BAD_ROW[1] });
});

test.each(NOBODY)('%s: %j stops a run before it calls, or fails alone', async (_, row) => {
	await runNode(calls([ada, row, bob]));
	expect(reached()).toEqual({});

	const output = await outputs(calls([ada, row, bob], {}, CONTINUE));
	expect(output.map(({ result }) => result)).toEqual(['placed', undefined, 'placed']);
});

test.each(AGENT_VALUES)('an agent that asks to call %j: called is %j', async (to, isCalled) => {
	const parameters = { ...placeCall, toNumber: "={{ $fromAI('to', 'a value', 'string') }}" };
	const settings = { rewireOutputLogTo: 'ai_tool' as const };

	const { error } = await runNode({ ...calls([{ to }]), parameters, settings });

	expect(error?.message ?? '').toMatch(isCalled ? /^$/ : /^To Number/);
	expect(reached()).toEqual(isCalled ? { [NUMBER]: 1 } : {});
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

test('one number in four notations is one person', async () => {
	const items = NOTATIONS.map((to) => ({ to }));

	const output = await outputs(calls(items, { notAgainWithin: 24 }));

	expect(output.map(({ toNumber, result }) => [toNumber, result])).toEqual(
		['placed', 'heldBack', 'heldBack', 'heldBack'].map((result) => [NUMBER, result]),
	);
});

test.each(PAGES)('a page of $of, with $status, refuses its item alone', async (page) => {
	const headers = { 'content-type': 'text/html' };
	const { status, body, title: serviceMessage } = page;
	simulator().addFault({
		kind: 'respond',
		process: false,
		toNumber: ada.to,
		status,
		body,
		headers,
	});

	const output = await outputs(calls([ada, bob], {}, CONTINUE));

	expect(output).toMatchObject([
		{ details: { kind: 'badResponse', outcome: 'refused', httpStatus: status, serviceMessage } },
		{ result: 'placed' },
	]);
	expect(simulator().requests).toHaveLength(2);
	expect(
		rows()
			.map(({ outcome }) => outcome)
			.sort(),
	).toEqual(['accepted', 'notMade']);
});

test.each(referencesTo('Items'))('%s calls the person of each row', async (reference) => {
	const parameters = { ...placeCall, toNumber: `={{ ${reference} }}` };

	await runNode({ ...calls([ada, bob, eve]), parameters });

	expect(reached()).toEqual({ [ada.to]: 1, [bob.to]: 1, [eve.to]: 1 });
});
