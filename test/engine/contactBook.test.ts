import type { IDataObject } from 'n8n-workflow';

import { HOURS, past, timeOf, useBookWorld } from './contactBook';
import { ada, bob, eve } from './contacts';

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
