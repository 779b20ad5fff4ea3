import type { IDataObject } from 'n8n-workflow';

import { DAYS, HOURS, past, timeOf, useBookWorld } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';
import { runNode } from './engine';
import { callsByRecipient, credentialFor } from './world';

const { simulator, calls, outputs, rows, add } = useBookWorld();

/** Called with what the book holds when a request reaches the service. */
function atRequests(look: (held: IDataObject[]) => void): void {
	simulator().addFault({
		kind: 'delay',
		delayMs: 0,
		when: () => {
			look(rows());
			return false;
		},
	});
}

describe('one row a contact', () => {
	test('is in the book before the request goes out, and is completed after it', async () => {
		const seen: IDataObject[][] = [];
		atRequests((held) => seen.push(held));

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

	test('says unknown if no answer came, and notMade if the service did nothing', async () => {
		simulator().addFault({ kind: 'resetAfter', times: 1 });
		simulator().addFault({ kind: 'status', status: 400, times: 1 });

		const one = { maxConcurrentRequests: 1 };
		await outputs(calls([ada, bob, eve], {}, CONTINUE, one));

		expect(rows().map(({ phone, outcome }) => [phone, outcome])).toEqual([
			[ada.to, 'unknown'],
			[bob.to, 'notMade'],
			[eve.to, 'accepted'],
		]);
	});

	test('counts from its last request', async () => {
		const begun = Date.now();
		simulator().addFault({ kind: 'rateLimited', retryAfter: '1', times: 1 });

		await outputs(calls([ada]));

		expect(timeOf(rows()[0]?.contactedAt)).toBeGreaterThanOrEqual(begun + 900);
	});

	test('is not made for who is held back, nor for who is refused', async () => {
		add(past(HOURS));

		await outputs(calls([ada, { to: '0151' }], { notAgainWithin: 24 }, CONTINUE));

		expect(rows()).toHaveLength(1);
	});
});

describe('contacts of all workflows count', () => {
	test('of this mode, unless they were not made', async () => {
		const row = past(HOURS, { outcome: 'unknown' });
		add(row);
		add(past(HOURS, { phone: bob.to, outcome: 'notMade' }));
		add(past(HOURS, { phone: eve.to, mode: 'redirect' }));

		const [held, ...others] = await outputs(calls([ada, bob, eve], { notAgainWithin: 24 }));

		expect(held).toMatchObject({ result: 'heldBack', reason: 'contactedRecently' });
		expect(timeOf(held?.notBefore)).toBe(timeOf(row.contactedAt) + 24 * HOURS * 60_000);
		expect(others).toMatchObject([{ result: 'placed' }, { result: 'placed' }]);
		expect(callsByRecipient(simulator())[ada.to]).toBeUndefined();
	});

	test('also if their time is to come', async () => {
		add(past(-2 * HOURS));

		const [json] = await outputs(calls([ada], { notAgainWithin: 1 }));

		expect(json).toMatchObject({ result: 'heldBack', reason: 'contactedRecently' });
	});
});

describe('at most so many contacts', () => {
	const RULES = { atMostContacts: 2, atMostDays: 7 };

	test('holds back until the oldest of them is too long ago', async () => {
		add(past(5 * DAYS));
		const second = past(3 * DAYS);
		add(second);
		add(past(1 * DAYS));

		const [json] = await outputs(calls([ada], RULES));

		expect(json).toMatchObject({ result: 'heldBack', reason: 'contactedOften' });
		expect(timeOf(json?.notBefore)).toBe(timeOf(second.contactedAt) + 7 * DAYS * 60_000);
	});

	test('needs the book', async () => {
		const setup = calls([ada], RULES, CONTINUE);
		const { items } = await runNode({ ...setup, credential: credentialFor(simulator()) });

		expect(items[0]?.json).toMatchObject({
			error: expect.stringContaining('needs the contact book') as string,
			details: { kind: 'invalidInput', outcome: 'notSent' },
		});
		expect(simulator().requests).toEqual([]);
	});
});

describe('a row with doNotContact', () => {
	test('holds back in every mode, with or without a rule', async () => {
		add({ phone: '0015550001000', doNotContact: true });

		for (const mode of ['live', 'redirect', 'checkOnly']) {
			const credential = { mode, testNumber: '+15550009999' };
			expect(await outputs(calls([ada], {}, { credential }))).toEqual([
				{ toNumber: ada.to, result: 'heldBack', reason: 'doNotContact', notBefore: null },
			]);
		}
	});

	test.each(['(555) 000-1000', '555-000-1000', '0555 0001000', '15550001000'])(
		'holds back every number that ends with %s',
		async (phone) => {
			add({ phone, doNotContact: true });

			expect(await outputs(calls([ada, bob]))).toMatchObject([
				{ toNumber: ada.to, reason: 'doNotContact' },
				{ toNumber: bob.to, result: 'placed' },
			]);
			expect(callsByRecipient(simulator())).toEqual({ [bob.to]: 1 });
		},
	);

	test('fails all items and is named if it cannot be read; a blank one names nobody', async () => {
		add({ phone: ' ', doNotContact: true });
		expect(await outputs(calls([ada]))).toMatchObject([{ result: 'placed' }]);

		const row = add({ phone: '0151 23', doNotContact: true });
		const [json] = await outputs(calls([bob], {}, CONTINUE));

		expect(json).toMatchObject({ details: { kind: 'invalidInput', outcome: 'notSent' } });
		expect(json?.error).toContain(
			`row ${row} (in the column id): "0151 23" has fewer than 6 digits`,
		);
		expect(callsByRecipient(simulator())[bob.to]).toBeUndefined();
	});
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
