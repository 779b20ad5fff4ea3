import type { IDataObject } from 'n8n-workflow';

import type { ItemResult } from '../../../../nodes/shared/delivery/memory/entry';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import {
	accepted,
	failed,
	open,
	other,
	plan,
	repeatable,
	saved,
	sendAgain,
	storeWith,
} from './memoryOfNode';

describe.each([
	['the next try of the execution', (store: IDataObject, ...of: ItemPlan[]) => open(store, of)],
	[
		'the retry of the saved execution',
		(store: IDataObject, ...of: ItemPlan[]) => open(saved(store), of, 'second'),
	],
])('in %s', (_, reopen) => {
	test('what was accepted is not sent again', () => {
		expect(reopen(storeWith(accepted), plan).recall(0)).toEqual(accepted);
	});

	test.each(['main', 'fallback'] as const)('it is remembered as sent by %s', (via) => {
		const executionMemory = reopen(storeWith({ ...accepted, via }), plan);

		expect(executionMemory.recall(0)).toMatchObject({ via });
	});

	test('another recipient is new', () => {
		expect(reopen(storeWith(accepted), other).recall(0)).toBeUndefined();
	});

	test('what nobody can say stays failed', () => {
		const known = reopen(storeWith(failed('unknown')), plan).recall(0);

		expect(known).toEqual(failed('unknown'));
	});

	test('what was under way when the execution ended is unknown', () => {
		const known = reopen(storeWith(undefined), plan).recall(0);

		expect(known).toMatchObject({
			accepted: false,
			failure: { kind: 'unreachable', outcome: 'unknown', httpStatus: null },
		});
	});

	test('an unknown outcome is sent again if the user wants it, or if it does no harm', () => {
		for (const result of [failed('unknown'), undefined]) {
			expect(reopen(storeWith(result), sendAgain).recall(0)).toBeUndefined();
			expect(reopen(storeWith(result, repeatable), repeatable).recall(0)).toBeUndefined();
		}
	});

	test.each(['refused', 'notSent'] as const)('what was %s is forgotten', (outcome) => {
		const store = storeWith(failed(outcome));

		expect(reopen(store, plan).recall(0)).toBeUndefined();
		expect(JSON.stringify(store)).not.toContain('requestHash');
	});
});

test.each([
	['a short answer of an operation that is safe to repeat', repeatable, 10, true],
	['a long answer of an operation that is safe to repeat', repeatable, 20_000, false],
	['a long answer of an operation that reaches people', plan, 20_000, true],
])('%s is kept: %#', (_, of, length, isKept) => {
	const long: ItemResult = { ...accepted, body: { text: 'x'.repeat(length) } };

	const executionMemory = open(saved(storeWith(long, of)), [of]);

	expect(executionMemory.recall(0)).toEqual(isKept ? long : undefined);
});

describe('what was added before the first send', () => {
	const before = { previousPrompt: 'the first' };

	test.each([['unknown' as const], ['refused' as const]])(
		'is kept for all tries if it was %s',
		(outcome) => {
			const store: IDataObject = {};
			const executionMemory = open(store, [repeatable]);
			executionMemory.beginSending(0);
			executionMemory.keepAdded(0, before);
			executionMemory.settle(0, failed(outcome));

			const again = open(saved(store), [repeatable], 'second');

			expect(again.recall(0)).toBeUndefined();
			expect(again.addedTo(0)).toEqual(before);
		},
	);

	test('is not that of another item', () => {
		const store: IDataObject = {};
		const executionMemory = open(store, [repeatable, repeatable]);
		executionMemory.beginSending(0);
		executionMemory.keepAdded(0, before);

		expect(executionMemory.addedTo(1)).toBeUndefined();
	});
});

test('what was never begun cannot be settled', () => {
	const store: IDataObject = {};
	open(store).settle(0, accepted);

	expect(open(store).recall(0)).toBeUndefined();
});

test('the tries of one execution are counted, those of another are not', () => {
	const store: IDataObject = {};

	const tries = ['a', 'a', 'a', 'b', 'b'].map((execution) => open(store, [plan], execution).tries);

	expect(tries).toEqual([1, 2, 3, 1, 2]);
	expect(open(store, [plan], 'b', '1').tries).toBe(1);
});
