import type { IDataObject } from 'n8n-workflow';

import { COLUMNS } from '../../nodes/shared/book/columns';
import { past, TABLE, useBookWorld } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';
import { runNode } from './engine';
import { startProcess } from './virtualWorld';
import { callsByRecipient } from './world';

const { simulator, tables, calls, outputs, prepare, add } = useBookWorld();

test('a table without contacts beside a book that has some reaches nobody, unless it is chosen by its ID', async () => {
	await prepare();
	add(past(1));
	const callBy = async (contactBookTable: string, mode = 'live') =>
		await runNode(calls([ada], {}, { credential: { contactBookTable, mode }, ...CONTINUE }));
	const isRefused = async (said: RegExp): Promise<void> => {
		for (const mode of ['live', 'checkOnly']) {
			const [refused] = (await callBy('Contact bok', mode)).items;
			expect(refused?.json.error).toMatch(said);
			expect(refused?.json.details).toMatchObject({ kind: 'stopped', outcome: 'notSent' });
		}
	};

	await isRefused(/no Data Table "Contact bok": the contacts .* are in "Contact book"/);
	expect(tables().hasTable('Contact bok')).toBe(false);
	// As the test of its credential makes it.
	tables().createTable('Contact bok', COLUMNS);
	await isRefused(
		/"Contact bok" holds nobody back in live mode: the contacts and opt-outs are in "Contact book"/,
	);
	expect(callsByRecipient(simulator())[ada.to]).toBeUndefined();
	const { items } = await callBy(tables().table('Contact bok').id);
	expect(items[0]?.json).toMatchObject({ result: 'placed' });
});

test('a table that is gone is not made anew; with one of its name it goes on', async () => {
	await prepare();
	tables().dropTable(TABLE);

	const output = await outputs(calls([ada], {}, CONTINUE));

	expect(output).toMatchObject([{ details: { kind: 'stopped', outcome: 'notSent' } }]);
	expect(output[0]?.error).toContain('is gone');
	expect(tables().hasTable(TABLE)).toBe(false);

	tables().createTable(TABLE, { phone: 'string' });
	expect(await outputs(calls([ada]))).toMatchObject([{ result: 'placed' }]);
});

describe('a renamed table', () => {
	const rename = (): void => {
		tables().table(TABLE).name = 'Old';
	};
	/** The node after a restart, with what n8n has saved of it. */
	const later = (staticData: IDataObject) => ({
		...calls([ada], {}, CONTINUE),
		type: startProcess(),
		staticData,
	});
	const isRefused = (output: IDataObject[]): void => {
		expect(output).toMatchObject([{ details: { kind: 'stopped', outcome: 'notSent' } }]);
		expect(output[0]?.error).toContain(`"${TABLE}" was renamed: it is "Old" now`);
	};

	test('is not replaced by a new one after a restart: nothing is sent', async () => {
		const staticData: IDataObject = {};
		await runNode({ ...calls([bob]), staticData });
		rename();

		isRefused(await outputs(later(staticData)));
		expect(tables().hasTable(TABLE)).toBe(false);
	});

	test('is not replaced if another workflow has begun with the other one', async () => {
		const staticData: IDataObject = {};
		await runNode({ ...calls([bob]), staticData });
		rename();
		const type = startProcess();
		await runNode({ ...calls([eve]), type });

		isRefused(await outputs({ ...later(staticData), type }));
	});

	test('what n8n has saved of another credential does not matter', async () => {
		const staticData: IDataObject = {
			'node:Assistant Service': { contactBook: { table: 'Another', id: 'gone' } },
		};

		expect(await outputs(later(staticData))).toMatchObject([{ result: 'placed' }]);
		expect(staticData).toEqual({
			'node:Assistant Service': { contactBook: { table: TABLE, id: tables().table(TABLE).id } },
		});
	});
});
