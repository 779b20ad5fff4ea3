import fc from 'fast-check';

import { OptOuts } from '../../../nodes/shared/book/optOuts';
import { TableApi, type ApiRequest } from '../../../nodes/shared/book/tableApi';
import { useFakeTime } from '../../until';
import { startTable } from './bookTable';

const NUMBERS = ['+15550001000', '+15550001001', '+15550001002', '+15550001003'];

/** Notations of the same number, and what names nobody. */
const phone = fc.oneof(
	fc.constantFrom(...NUMBERS),
	fc.constantFrom('0015550001000', '15550001001', '+1 (555) 000-1002', '(555) 000-1003'),
	fc.constantFrom('', '  ', null),
);

const anyChange = fc.oneof(
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

useFakeTime();

/** Each change of a table has a moment of its own. */
function change(work: () => unknown): void {
	jest.advanceTimersByTime(1);
	work();
}

/** The list of a table, and how it was asked for. */
function world(...rows: object[]) {
	const { table, ask } = startTable();
	for (const row of rows) change(() => table.insert({ doNotContact: true, ...row }));
	const asked: string[] = [];
	const send = async (request: ApiRequest) => {
		asked.push(request.path);
		return await ask(request);
	};
	const api = new TableApi(send, table.id);
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
		fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 25 }), async (changes) => {
			const { table, refresh } = world();
			for (const one of [...changes, { kind: 'refresh' as const }]) {
				const row = 'row' in one ? table.rows[one.row % table.rows.length] : undefined;
				const id = row?.id;
				if (one.kind === 'add')
					change(() => table.insert({ phone: one.phone, doNotContact: one.doNotContact }));
				else if (one.kind === 'refresh')
					expect(await refresh()).toEqual(await refresh(new OptOuts()));
				else if (id !== undefined)
					change(() => {
						if (one.kind === 'delete') table.delete(id);
						else if (one.kind === 'phone') table.edit(id, { phone: one.phone });
						else table.edit(id, { doNotContact: one.doNotContact });
					});
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
	change(() => {
		table.edit(2, { phone: 'nobody' });
		table.edit(3, { phone: '0151 2' });
	});
	const problem = expect.stringMatching(/^row 2 \(in the column id\): "nobody" /) as string;
	expect(await refresh(optOuts)).toEqual({ numbers: [ADA, BOB], problem });
});

test.each([0, 1, 3])('without a change of %d rows, one small question is enough', async (count) => {
	const { table, asked, refresh } = world(
		...NUMBERS.slice(0, count).map((one) => ({ phone: one })),
	);
	// The newest is not the last one.
	if (count > 0)
		change(() => {
			table.edit(1, {});
		});
	const first = await refresh();

	expect(await refresh()).toEqual(first);

	expect(asked).toEqual([expect.stringContaining('sortBy=updatedAt')]);
});

test.each<[what: string, later: number, gone: number[]]>([
	['has an older time, of another clock', -10, []],
	['has an older time, and the newest one is gone', -10, [2]],
	['has the time of the newest one, which is gone', 0, [2]],
	['is all that is left', 1, [1, 2]],
])('a new row is seen if it %s', async (_, later, gone) => {
	const { table, refresh } = world({ phone: ADA }, { phone: BOB });
	await refresh();
	jest.setSystemTime(Date.now() + later);
	table.insert({ phone: EVE, doNotContact: true });
	for (const id of gone) table.delete(id);

	expect((await refresh()).numbers).toContain(EVE);
});
