import fc from 'fast-check';

import { COLUMNS } from '../../../nodes/shared/book/columns';
import { OptOuts } from '../../../nodes/shared/book/optOuts';
import { TableApi } from '../../../nodes/shared/book/tableApi';
import { startDataTables, type DataTables } from '../../contactBook/dataTablesServer';
import { sendTo } from './bookServer';

const NUMBERS = ['+15550001000', '+15550001001', '+15550001002', '+15550001003'];

/** Notations of the same number, and what names nobody. */
const phone = fc.oneof(
	fc.constantFrom(...NUMBERS),
	fc.constantFrom('0015550001000', '15550001001', '+1 (555) 000-1002', ' +15550001003 '),
	fc.constantFrom('', '  ', null),
);
const unreadable = fc.constantFrom('0151 234', 'nobody', '+1');

const change = fc.oneof(
	fc.record({ kind: fc.constant('add' as const), phone, doNotContact: fc.boolean() }),
	fc.record({ kind: fc.constant('phone' as const), row: fc.nat(9), phone }),
	fc.record({
		kind: fc.constant('phone' as const),
		row: fc.nat(9),
		phone: unreadable,
	}),
	fc.record({
		kind: fc.constant('flag' as const),
		row: fc.nat(9),
		doNotContact: fc.constantFrom(true, true, false, null),
	}),
	fc.record({ kind: fc.constant('delete' as const), row: fc.nat(9) }),
	fc.record({ kind: fc.constant('refresh' as const) }),
);

let server: DataTables;
beforeEach(async () => {
	server = await startDataTables({ database: 'postgres' });
});
afterEach(async () => {
	await server.stop();
});

let tableCount = 0;

/** A table, with a clock in which each change has a moment of its own. */
function newTable() {
	const name = `Book ${++tableCount}`;
	const table = server.createTable(name, COLUMNS);
	return { table, api: new TableApi(sendTo(server), { id: table.id, isWhole: true }) };
}

/** The next millisecond: n8n knows changes by theirs. */
const tick = async (): Promise<void> => {
	const now = Date.now();
	while (Date.now() === now) await new Promise((resolve) => setTimeout(resolve, 1));
};

const said = (optOuts: OptOuts) => [NUMBERS.filter((one) => optOuts.has(one)), optOuts.problem];

test('whatever people change, the list is what a full read gives', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
			const { table, api } = newTable();
			const optOuts = new OptOuts();
			for (const one of changes) {
				await tick();
				const row = 'row' in one ? table.rows[one.row % (table.rows.length || 1)] : undefined;
				if (one.kind === 'add') table.insert({ phone: one.phone, doNotContact: one.doNotContact });
				else if (one.kind === 'refresh') {
					await optOuts.refresh(api);
					const full = new OptOuts();
					await full.refresh(api);
					expect(said(optOuts)).toEqual(said(full));
				} else if (row !== undefined) {
					if (one.kind === 'delete') table.delete(row.id);
					else if (one.kind === 'phone') table.edit(row.id, { phone: one.phone });
					else table.edit(row.id, { doNotContact: one.doNotContact });
				}
			}
			await optOuts.refresh(api);
			const full = new OptOuts();
			await full.refresh(api);
			expect(said(optOuts)).toEqual(said(full));
		}),
		{ numRuns: 60 },
	);
});

test('without a change, one small question is enough', async () => {
	const { table, api } = newTable();
	for (let row = 0; row < 600; row++)
		table.insert({ phone: NUMBERS[row % 4] ?? '', doNotContact: true });
	const optOuts = new OptOuts();
	await optOuts.refresh(api);
	server.requests.splice(0);

	await optOuts.refresh(api);

	expect(server.requests).toHaveLength(1);
});
