import type { IDataObject } from 'n8n-workflow';

import type { MarkStore } from '../../../../nodes/shared/delivery/ledger/markStore';
import { type RunResult } from '../../../../nodes/shared/delivery/result';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { planOf, type Values } from '../../samples';
import { emptyStore } from '../emptyStore';
import { accepted, failed, plan, repeatable, sendAgain } from '../results';
import { Store } from './keptMarks';
import { openOver, resultOf, send } from './openOver';

const to = (place: number, more: Values = {}): ItemPlan =>
	planOf('call.place', {
		toNumber: `+1555010${1_000 + place}`,
		...more,
	});

const people = (count: number): ItemPlan[] =>
	Array.from({ length: count }, (_, place) => to(place));

const STOPPED = { accepted: false, failure: { kind: 'stopped', outcome: 'notSent' } };

/** An item was sent in a try of which n8n has saved this. */
function savedWith(result: RunResult | undefined, of = plan): IDataObject {
	const saved: IDataObject = {};
	const { ledger } = openOver(emptyStore, [of], { saved });
	ledger.aboutToSend(0);
	if (result) ledger.end(0, result);
	return saved;
}

describe('marking', () => {
	test('adds what n8n could not keep later', async () => {
		const store = new Store();
		const { ledger } = openOver(store, people(20));
		for (let index = 0; index < 20; index++) expect(await resultOf(ledger, index)).toBeUndefined();

		expect(store.sizes).toEqual([20]);
		expect(store.addLater.map(({ length }) => length)).toEqual([20]);
	});

	test('marks no more ahead than are sent in ten seconds', async () => {
		const slow = { options: { requestsPerSecond: 1 } };
		const store = new Store();
		const { ledger } = openOver(
			store,
			Array.from({ length: 15 }, (_, place) => to(place, slow)),
		);
		for (let index = 0; index < 15; index++) await ledger.prepare(index);

		expect(store.sizes).toEqual([10, 5]);
	});

	test('ends when the run is cancelled, although n8n never answers', async () => {
		const cancel = new AbortController();
		const marks = new Store();
		let calls = 0;
		const never = async () => {
			calls++;
			return await new Promise<never>(() => undefined);
		};
		const silent: MarkStore = {
			add: never,
			claim: never,
			remove: async (all) => {
				await marks.remove(all);
			},
			count: async () => await marks.count(),
		};
		const again = to(0, { options: { ifOutcomeUnknown: 'sendAgain' } });
		const { ledger } = openOver(silent, [again], {
			saved: savedWith(failed('unknown'), again),
			isRetry: true,
			signal: cancel.signal,
			cancel: cancel.signal,
		});
		const claiming = resultOf(ledger);
		while (calls < 1) await Promise.resolve();
		cancel.abort();

		expect(await claiming).toMatchObject(STOPPED);
	});
});

describe('an item that may have been sent before, and is sent again', () => {
	const tries: [string, RunResult][] = [
		['refused', failed('refused')],
		['not sent', failed('notSent')],
		['held back', { heldBack: { reason: 'outsideHours', notBefore: null } }],
	];

	const STILL_UNKNOWN = expect.stringContaining('and an earlier try may have sent it') as unknown;

	test.each(tries)('stays unknown if it is %s', async (_, result) => {
		const saved = savedWith(failed('unknown'));
		const { ledger } = openOver(emptyStore, [sendAgain], { saved });
		const told = { kind: 'serviceError', outcome: 'unknown', message: STILL_UNKNOWN };
		expect(await send(ledger, result)).toMatchObject(
			'heldBack' in result ? result : { failure: told },
		);

		expect(await resultOf(openOver(emptyStore, [plan], { saved }).ledger)).toMatchObject(
			failed('unknown'),
		);
	});

	test('counts as what became of it if it is accepted', async () => {
		const saved = savedWith(failed('unknown'));
		const { ledger } = openOver(emptyStore, [sendAgain], { saved });

		expect(await send(ledger, accepted)).toEqual(accepted);
		expect(await resultOf(openOver(emptyStore, [plan], { saved }).ledger)).toEqual(accepted);
	});

	test('stays what it was if it does not come to be sent', async () => {
		const saved = savedWith(undefined);
		const signal = AbortSignal.abort();
		const { ledger } = openOver(emptyStore, [sendAgain], { saved, signal });

		expect(await send(ledger, accepted)).toMatchObject({
			failure: { kind: 'unreachable', outcome: 'unknown' },
		});
	});

	test('of an operation that is safe to repeat ends as it ends', async () => {
		const saved = {};
		openOver(emptyStore, [repeatable], { saved }).ledger.aboutToSend(0);
		const { ledger } = openOver(emptyStore, [repeatable], { saved });

		expect(await send(ledger, failed('refused'))).toEqual(failed('refused'));
	});
});
