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
		const [json] = await outputs(calls([ada], {}, {}, options));

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

	test('a number is written with + and digits', async () => {
		await outputs(calls([{ to: '0049 151 1234567' }]));

		expect(rows()).toMatchObject([{ phone: '+491511234567' }]);
	});
});

describe('contacts of all workflows count', () => {
	test('of this mode, unless they were not made', async () => {
		const row = past(HOURS, { outcome: 'unknown' });
		add(row);
		add(past(HOURS, { phone: bob.to, outcome: 'notMade' }));
		add(past(HOURS, { phone: eve.to, mode: 'redirect' }));

		const [held, ...others] = await outputs(calls([ada, bob, eve], { notAgainWithin: 24 }));

		const until = Math.ceil((timeOf(row.contactedAt) + 24 * HOURS * 60_000) / 1_000);
		expect(held).toMatchObject({ result: 'heldBack', reason: 'contactedRecently' });
		expect(timeOf(held?.notBefore)).toBe(until * 1_000);
		expect(others).toMatchObject([{ result: 'placed' }, { result: 'placed' }]);
		expect(callsByRecipient(simulator())[ada.to]).toBeUndefined();
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
		const until = timeOf(second.contactedAt) + 7 * DAYS * 60_000;
		expect(timeOf(json?.notBefore)).toBe(Math.ceil(until / 1_000) * 1_000);
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
	test.each(['+15550001000', '0015550001000', '15550001000', '+1 (555) 000-1000'])(
		'holds back %s, in every mode',
		async (phone) => {
			add({ phone, doNotContact: true });
			const redirect = { mode: 'redirect', testNumber: '+15550009999' };

			const held = { result: 'heldBack', reason: 'doNotContact', notBefore: null };
			expect(await outputs(calls([ada]))).toMatchObject([held]);
			expect(await outputs(calls([ada], {}, { credential: redirect }))).toMatchObject([held]);
			const checked = { credential: { mode: 'checkOnly' } };
			expect(await outputs(calls([ada], {}, checked))).toMatchObject([held]);
		},
	);

	test('fails all items and is named if it cannot be read; a blank one names nobody', async () => {
		add({ phone: ' ', doNotContact: true });
		expect(await outputs(calls([ada]))).toMatchObject([{ result: 'placed' }]);

		const row = add({ phone: '0151 234', doNotContact: true });
		const [json] = await outputs(calls([bob], {}, CONTINUE));

		expect(json).toMatchObject({ details: { kind: 'invalidInput', outcome: 'notSent' } });
		expect(json?.error).toContain(`row ${row} (in the column id): "0151 234" has no country code`);
		expect(callsByRecipient(simulator())[bob.to]).toBeUndefined();
	});
});

describe('Check Only', () => {
	const checkOnly = () => ({ credential: { mode: 'checkOnly' } });

	test('reads the rows of Live and writes nothing', async () => {
		add(past(HOURS));
		const before = rows();

		const output = await outputs(calls([ada, bob], { notAgainWithin: 24 }, checkOnly()));

		expect(output).toMatchObject([{ reason: 'contactedRecently' }, { result: 'checked' }]);
		expect(rows()).toEqual(before);
	});

	test('holds back people that another run is about to contact, or was when n8n died', async () => {
		add(past(1, { outcome: 'claimed' }));

		const output = await outputs(calls([ada, bob], { notAgainWithin: 24 }, checkOnly()));

		expect(output).toMatchObject([{ reason: 'contactedRecently' }, { result: 'checked' }]);
	});
});
