import fc from 'fast-check';

import { OptOuts } from '../../../nodes/shared/book/optOuts';
import { TableApi, type ApiRequest } from '../../../nodes/shared/book/tableApi';
import { startTable } from './memoryTable';

const NUMBERS = ['+15550001000', '+15550001001', '+15550001002', '+15550001003'];

/** Notations of the same number, and what names nobody. */
const phone = fc.oneof(
	fc.constantFrom(...NUMBERS),
	fc.constantFrom('0015550001000', '15550001001', '+1 (555) 000-1002', '(555) 000-1003'),
	fc.constantFrom('', '  ', null),
);

const change = fc.oneof(
	fc.record({ kind: fc.constant('add' as const), phone, doNotContact: fc.boolean() }),
	fc.record({
		kind: fc.constant('phone' as const),
		row: fc.nat(9),
		phone: fc.oneof(phone, fc.constantFrom('0151 2', 'nobody', '+1')),
	}),
	fc.record({
		kind: fc.constant('flag' as const),
		row: fc.nat(9),
		doNotContact: fc.constantFrom(true, true, false, null),
	}),
	fc.record({ kind: fc.constant('delete' as const), row: fc.nat(9) }),
	fc.record({ kind: fc.constant('refresh' as const) }),
);

/** The list of a table, and how it was asked for. */
function world(...rows: object[]) {
	const table = startTable();
	for (const row of rows) table.add({ doNotContact: true, ...row });
	const asked: string[] = [];
	const send = async (request: ApiRequest) => {
		asked.push(request.path);
		return await Promise.resolve({ status: 200, body: table.begin(request)() });
	};
	const api = new TableApi(send, 'T');
	const optOuts = new OptOuts();
	const refresh = async (list = optOuts) => {
		asked.splice(0);
		await list.refresh(api);
		return { numbers: NUMBERS.filter((one) => list.has(one)), problem: list.problem };
	};
	return { table, asked, refresh };
}

test('whatever people change, the list is what a full read gives', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
			const { table, refresh } = world();
			for (const one of [...changes, { kind: 'refresh' as const }]) {
				const row =
					'row' in one ? [...table.rows.keys()][one.row % (table.rows.size || 1)] : undefined;
				if (one.kind === 'add') table.add({ phone: one.phone, doNotContact: one.doNotContact });
				else if (one.kind === 'refresh')
					expect(await refresh()).toEqual(await refresh(new OptOuts()));
				else if (row !== undefined) {
					if (one.kind === 'delete') table.rows.delete(row);
					else if (one.kind === 'phone') table.edit(row, { phone: one.phone });
					else table.edit(row, { doNotContact: one.doNotContact });
				}
			}
		}),
		{ numRuns: 100 },
	);
});

const [ADA = '', BOB = '', EVE = ''] = NUMBERS;

test('the list has its numbers, in any notation, and says which row cannot be read', async () => {
	const rows = [
		{ phone: ' 001 (555) 000-1000' },
		{ phone: ' ' },
		{ phone: null },
		{ phone: '(555) 000-1001' },
	];
	const { table, refresh } = world(...rows, { phone: EVE, doNotContact: false });
	const optOuts = new OptOuts();
	expect(optOuts.has(ADA)).toBe(false);

	expect(await refresh(optOuts)).toEqual({ numbers: [ADA, BOB], problem: undefined });
	table.edit(2, { phone: 'nobody' });
	table.edit(3, { phone: '0151 2' });
	const problem = expect.stringMatching(/^row 2 \(in the column id\): "nobody" /) as string;
	expect(await refresh(optOuts)).toEqual({ numbers: [ADA, BOB], problem });
});

test.each([0, 1, 3])('without a change of %d rows, one small question is enough', async (count) => {
	const { table, asked, refresh } = world(
		...NUMBERS.slice(0, count).map((one) => ({ phone: one })),
	);
	// The newest is not the last one.
	if (count > 0) table.edit(1, {});
	const first = await refresh();

	expect(await refresh()).toEqual(first);

	expect(asked).toEqual([expect.stringContaining('sortBy=updatedAt')]);
});

const OLD = new Date(-9).toISOString();

test.each<[what: string, updatedAt: string, gone: number[]]>([
	['has an older time, of another clock', OLD, []],
	['has an older time, and the newest one is gone', OLD, [2]],
	['has the time of the newest one, which is gone', new Date(2).toISOString(), [2]],
	['is all that is left', new Date(3).toISOString(), [1, 2]],
])('a new row is seen if it %s', async (_, updatedAt, gone) => {
	const { table, refresh } = world({ phone: ADA }, { phone: BOB });
	await refresh();
	table.edit(3, { phone: EVE, doNotContact: true, updatedAt });
	for (const id of gone) table.rows.delete(id);

	expect((await refresh()).numbers).toContain(EVE);
});
