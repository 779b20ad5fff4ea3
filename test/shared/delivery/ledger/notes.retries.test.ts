import type { IDataObject } from 'n8n-workflow';

import type { Ledger } from '../../../../nodes/shared/delivery/ledger/ledger';
import type { ItemResult, RunResult } from '../../../../nodes/shared/delivery/result';
import { accepted, failed, plan, sendAgain } from '../results';
import { open, saved, storeWith } from './notesOfNode';
import { resultOf } from './openOver';

describe('two retries of the same saved execution', () => {
	const retry = (store: IDataObject, executionId: string, of = plan): Ledger =>
		open(saved(store), [of], executionId).ledger;

	/** What a retry knows of the item. */
	const known = async (
		store: IDataObject,
		executionId: string,
		of = plan,
	): Promise<RunResult | undefined> => await resultOf(retry(store, executionId, of));

	const send = (ledger: Ledger, result?: ItemResult): void => {
		expect(ledger.aboutToSend(0)).toBeUndefined();
		if (result) ledger.end(0, result);
	};

	test('and so does a retry of a retry, and the retry of the first after it', async () => {
		const store = storeWith(failed('refused'));
		const second = saved(store);
		open(second, [plan], 'second');
		send(retry(second, 'third'), accepted);

		expect(await known(store, 'fourth')).toEqual(accepted);
		expect(await known(second, 'fifth')).toEqual(accepted);
	});

	test('know it even if n8n died and saved nothing, and all is to be sent again', async () => {
		send(open({}, [sendAgain], 'second').ledger, accepted);

		expect(await resultOf(open({}, [sendAgain], 'third').ledger)).toEqual(accepted);
	});

	test('learn of it even if they began before', async () => {
		const store = storeWith(failed('refused'));
		const [second, third] = [retry(store, 'second'), retry(store, 'third')];
		send(second, accepted);

		expect(await resultOf(third)).toBeUndefined();
		expect(third.aboutToSend(0)).toEqual(accepted);
	});

	test('an accepted one counts more than one of which nobody can say', async () => {
		const store = storeWith(failed('unknown'));
		expect(await known(store, 'second')).toMatchObject(failed('unknown'));
		send(retry(store, 'third', sendAgain), accepted);

		expect(await known(store, 'fourth', sendAgain)).toEqual(accepted);
	});
});
