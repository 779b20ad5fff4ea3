import { failureOf, mayHaveBeenSent } from '../../../../nodes/shared/delivery/result';
import { accepted, plan, refused, sendAgain } from '../results';
import { Store } from './keptMarks';
import { dieAt, plans, runToTheEnd, sendable } from './markedRuns';
import { openOver, resultOf, send } from './openOver';

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
		await ledger.begin(1);

		expect(store.marks.size).toBe(1);
		expect(await sendable(store, [plan, refused])).toEqual([false, false]);
	});

	test('are known in a retry if they were sent before, and leave no mark if they were not', async () => {
		const store = new Store();
		await runToTheEnd(store, [accepted]);
		const { ledger } = openOver(store, [refused, refused], { isRetry: true });
		const results = [await resultOf(ledger, 0), await resultOf(ledger, 1)];
		for (const [index, result] of results.entries()) if (result) ledger.end(index, result);
		await ledger.close();

		expect(results).toMatchObject([
			{ failure: { kind: 'unreachable', outcome: 'unknown' } },
			{ failure: { kind: 'invalidInput', outcome: 'notSent' } },
		]);
		expect(store.marks.size).toBe(1);
	});
});

describe('while n8n cannot keep marks', () => {
	test('a first try is sent all the same, and its marks are made up for', async () => {
		const store = new Store();
		store.failsAfter = 0;

		expect(await sendable(store, plans(2), {})).toEqual([true, true]);
		expect(store.addLater.map(({ length }) => length)).toEqual([2]);
	});

	test('a retry sends nothing, neither what is new nor what is to be sent again', async () => {
		const store = new Store();
		store.failsAfter = 0;
		const { ledger } = openOver(store, [plan, sendAgain, refused], { isRetry: true });

		const failure = failureOf((await resultOf(ledger, 0)) ?? accepted);
		expect(failure).toMatchObject({ kind: 'stopped', outcome: 'notSent' });
		expect(failure?.message).toContain('look up what was sent before this retry');
		expect(await resultOf(ledger, 1)).toMatchObject({ failure: { kind: 'stopped' } });
		expect(await resultOf(ledger, 2)).toMatchObject({ failure: { kind: 'invalidInput' } });
		expect(store.addLater).toEqual([[]]);
	});

	test('a retry removes no marks of what it did not send', async () => {
		const store = new Store();
		await runToTheEnd(store, [accepted]);
		store.failsAfter = 0;
		await runToTheEnd(store, [accepted], { isRetry: true });

		store.failsAfter = Infinity;
		expect(await sendable(store, plans(1))).toEqual([false]);
	});
});
