import { mayHaveBeenSent } from '../../../../nodes/shared/delivery/result';
import { accepted, plan, refused } from '../results';
import { Store } from './keptMarks';
import { dieAt, plans, sendable } from './markedRuns';
import { openOver, send } from './openOver';

describe('a retry that is stopped before it comes to an item', () => {
	test('says of it what n8n knows, and sends nothing', async () => {
		const store = new Store();
		await dieAt(store, 0, plans(2));
		const { ledger } = openOver(store, plans(3), { isRetry: true, signal: AbortSignal.abort() });
		const results = [];
		for (const index of [0, 1, 2]) results.push(await send(ledger, accepted, index));
		await ledger.close();

		expect(results.map(mayHaveBeenSent)).toEqual([true, true, false]);
		expect(await sendable(store, plans(3))).toEqual([false, false, true]);
	});
});

describe('items that are refused', () => {
	test('are neither marked nor in the way', async () => {
		const store = new Store();
		const { ledger } = openOver(store, [refused, plan, refused]);
		await ledger.prepare(1);

		expect(store.marks.size).toBe(1);
		expect(await sendable(store, [plan, refused])).toEqual([false, false]);
	});
});
