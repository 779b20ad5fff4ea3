import type { IDataObject } from 'n8n-workflow';

import { COLUMNS } from '../../nodes/shared/book/columns';
import { TABLE } from '../contactBook/bookFields';
import { HOURS, past, timeOf, useBookWorld } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';

const { simulator, tables, table, calls, outputs, rows, add, reached } = useBookWorld();

const RULES = { notAgainWithin: 24 };

describe('one row a contact', () => {
	test('is in the book before the request goes out, and is completed after it', async () => {
		const seen: IDataObject[][] = [];
		const look = () => {
			seen.push(rows());
			return false;
		};
		simulator().addFault({ kind: 'delay', delayMs: 0, when: look });

		const options = { reference: 'crm-1' };
		const [json] = await outputs(calls([{ to: '001 (555) 000-1000' }], {}, {}, options));

		expect(seen).toMatchObject([[{ phone: ada.to, outcome: 'claimed', contactId: null }]]);
		expect(rows()).toMatchObject([
			{
				phone: ada.to,
				operation: 'call.place',
				outcome: 'accepted',
				contactId: json?.callId,
				reference: 'crm-1',
				workflow: 'test',
				execution: expect.stringMatching(/^\d+$/) as string,
				mode: 'live',
				resumeUrl: null,
				doNotContact: null,
				endedAt: null,
				summary: null,
			},
		]);
	});

	test('counts from its last request', async () => {
		const begun = Date.now();
		simulator().addFault({ kind: 'rateLimited', retryAfter: '1', times: 1 });

		await outputs(calls([ada]));

		expect(timeOf(rows()[0]?.contactedAt)).toBeGreaterThanOrEqual(begun + 900);
	});
});

test('a row with doNotContact holds back in every mode, with or without a rule', async () => {
	add({ phone: '0015550001000', doNotContact: true });

	for (const mode of ['live', 'redirect', 'checkOnly']) {
		const credential = { mode, testNumber: '+15550009999' };
		expect(await outputs(calls([ada], {}, { credential }))).toEqual([
			{ toNumber: ada.to, result: 'heldBack', reason: 'doNotContact', notBefore: null },
		]);
	}
});

test('Check Only reads the rows of Live, those of other runs under way, too, and writes nothing', async () => {
	add(past(HOURS));
	add(past(1, { phone: bob.to, outcome: 'claimed' }));
	const before = rows();
	const checkOnly = { credential: { mode: 'checkOnly' } };

	const output = await outputs(calls([ada, bob, eve], { notAgainWithin: 24 }, checkOnly));

	const held = { reason: 'contactedRecently' };
	expect(output).toMatchObject([held, held, { result: 'checked' }]);
	expect(rows()).toEqual(before);
});

/** What a node puts out whose credential names this table. */
const callBy = async (contactBookTable: string, mode = 'live') => {
	const credential = { contactBookTable, mode, testNumber: '+15550009999' };
	return await outputs(calls([ada, bob], RULES, { ...CONTINUE, credential }));
};

const isRefused = async (table: string, said: RegExp, before = 0): Promise<void> => {
	for (const mode of ['live', 'checkOnly', 'redirect']) {
		const refused = await callBy(table, mode);
		const error = expect.stringMatching(said) as string;
		const details = expect.objectContaining({ outcome: 'notSent' }) as object;
		expect(refused).toMatchObject(Array(2).fill({ error, details }));
	}
	expect(simulator().requests).toHaveLength(before);
};

test('two books in one n8n know nothing of each other', async () => {
	const { id } = tables().createTable('Second', COLUMNS);
	add(past(1));
	tables()
		.table('Second')
		.insert({ ...past(1), phone: bob.to });

	const held = { reason: 'contactedRecently' };
	expect(await callBy(TABLE)).toMatchObject([held, { result: 'placed' }]);
	expect(await callBy('Second')).toMatchObject([{ result: 'placed' }, held]);
	expect(await callBy(id)).toMatchObject([held, held]);

	expect(reached()).toEqual({ [ada.to]: 1, [bob.to]: 1 });
	const phones = [bob.to, ada.to].map((phone) => ({ phone, outcome: 'accepted' }));
	expect(rows().slice(1)).toMatchObject(phones.slice(0, 1));
	expect(tables().table('Second').rows.slice(1)).toMatchObject(phones.slice(1));
});

describe('nothing is sent, and no table is made,', () => {
	test('if there is none of this name or ID', async () => {
		await isRefused('Contact bok', /There is no Data Table "Contact bok"/);
		await isRefused('aB3dE5fG7hJ9kL1m', /There is no Data Table "aB3dE5fG7hJ9kL1m"/);
		expect(tables().hasTable('Contact bok')).toBe(false);
	});

	test('if it was renamed after it was used; a new one of its name counts at once', async () => {
		expect(await callBy(TABLE)).toMatchObject([{ result: 'placed' }, { result: 'placed' }]);
		table().name = 'Old';
		await isRefused(TABLE, /There is no Data Table "Contact book"/, 2);

		tables().createTable(TABLE, COLUMNS);
		add({ phone: ada.to, doNotContact: true });
		expect(await callBy(TABLE)).toMatchObject([{ reason: 'doNotContact' }, { result: 'placed' }]);
	});
});
