import fc from 'fast-check';

import { planOf } from '../../samples';
import { failed, sendAgain } from '../results';
import { Store } from './keptMarks';
import { dieAt, plans, sendable } from './markedRuns';
import { openOver, send } from './openOver';

const again = [
	['the next try of the execution', {}],
	['its retry', { isRetry: true }],
] as const;

describe.each(again)('what was marked before n8n died: in %s', (_, options) => {
	test('other executions and other items are new', async () => {
		const store = new Store();
		await dieAt(store, 0, plans(1));

		expect(await sendable(store, plans(2), options)).toEqual([false, true]);
		expect(await sendable(store, plans(1), { ...options, origin: 'e2' })).toEqual([true]);
		const another = planOf('call.place', { toNumber: '+4915199999999' });
		expect(await sendable(store, [another], options)).toEqual([true]);
	});

	test('who was reached is known whatever else was edited, and wherever it stands now', async () => {
		const store = new Store();
		const [ada, bob] = ['+4915100000001', '+4915100000002'];
		const sms = (toNumber: string, message: string) => planOf('sms.start', { toNumber, message });
		await dieAt(store, 0, [sms(ada, 'a'), sms(ada, 'b'), sms(bob, 'c')]);

		const edited = [sms(bob, 'C'), sms(bob, 'C'), sms(ada, 'A'), sms(ada, 'B'), sms(ada, 'B')];

		expect(await sendable(store, edited, options)).toEqual([false, true, false, false, true]);
	});

	test('of an operation that reaches nobody, what was entered otherwise is another item', async () => {
		const store = new Store();
		const chat = planOf('chat.start');
		const other = planOf('chat.start', { question: 'Another one?' });
		await dieAt(store, 0, [chat]);

		expect(await sendable(store, [chat, chat, other], options)).toEqual([false, true, true]);
	});

	test.each(['refused', 'notSent'] as const)(
		'it stays unknown if it is sent again and %s: %s',
		async (outcome) => {
			const store = new Store();
			await dieAt(store, 0, plans(1));
			const { ledger } = openOver(store, [sendAgain], options);

			expect(await send(ledger, failed(outcome))).toMatchObject({
				failure: { kind: 'serviceError', outcome: 'unknown' },
			});
			await ledger.close();

			expect(await sendable(store, plans(1), options)).toEqual([false]);
		},
	);

	test('whenever n8n dies, nothing of it is sent again, and every item is marked before it is sent', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.nat(), async (count, seed) => {
				const diesAt = seed % count;
				const store = new Store();
				await dieAt(store, diesAt, plans(count));

				const may = await sendable(store, plans(count), options);

				expect(may.slice(0, diesAt + 1)).toEqual(Array(diesAt + 1).fill(false));
				expect(may.filter((one) => !one).length).toBeLessThanOrEqual(diesAt + 50);
			}),
		);
	});
});

test('long lists are marked in at most a hundred parts', async () => {
	const store = new Store();
	await sendable(store, plans(20_000), {});
	expect(store.sizes).toEqual(Array(100).fill(200));
});

test('the more marks there are, the more are added at once', async () => {
	const store = new Store();
	for (let mark = 0; mark < 40_000; mark++) store.marks.add(String(mark));
	await sendable(store, plans(1_000));
	expect(store.sizes).toEqual(Array(5).fill(200));
});
