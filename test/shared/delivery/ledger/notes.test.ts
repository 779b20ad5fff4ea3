import type { IDataObject } from 'n8n-workflow';

import type { ItemResult } from '../../../../nodes/shared/delivery/result';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { accepted, plan, repeatable } from '../results';
import { open, saved, storeWith } from './notesOfNode';
import { resultOf } from './openOver';

describe.each([
	['the next try of the execution', (store: IDataObject, ...of: ItemPlan[]) => open(store, of)],
	[
		'the retry of the saved execution',
		(store: IDataObject, ...of: ItemPlan[]) => open(saved(store), of, 'second'),
	],
])('in %s', (_, reopen) => {
	test.each(['main', 'fallback'] as const)('it is remembered as sent by %s', async (via) => {
		const { ledger } = reopen(storeWith({ ...accepted, via }), plan);

		expect(await resultOf(ledger)).toMatchObject({ via });
	});

	test('what was under way when the execution ended is unknown', async () => {
		const known = await resultOf(reopen(storeWith(undefined), plan).ledger);

		expect(known).toMatchObject({
			accepted: false,
			failure: { kind: 'unreachable', outcome: 'unknown', httpStatus: null },
		});
	});
});

test.each([
	['a short answer of an operation that is safe to repeat', repeatable, 10, true],
	['a long answer of an operation that is safe to repeat', repeatable, 20_000, false],
	['a long answer of an operation that reaches people', plan, 20_000, true],
])('%s is kept: %#', async (_, of, length, isKept) => {
	const long: ItemResult = { ...accepted, body: { text: 'x'.repeat(length) } };

	const { ledger } = open(saved(storeWith(long, of)), [of]);

	expect(await resultOf(ledger)).toEqual(isKept ? long : undefined);
});

test('the tries of one execution are counted, those of another are not', () => {
	const store: IDataObject = {};

	const tries = ['a', 'a', 'a', 'b', 'b'].map(
		(execution) => open(store, [plan], execution).notes.tries,
	);

	expect(tries).toEqual([1, 2, 3, 1, 2]);
	expect(open(store, [plan], 'b', '1').notes.tries).toBe(1);
});
