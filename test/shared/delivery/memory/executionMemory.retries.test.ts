import type { IDataObject } from 'n8n-workflow';

import type { ItemResult } from '../../../../nodes/shared/delivery/memory/entry';
import type { ExecutionMemory } from '../../../../nodes/shared/delivery/memory/executionMemory';
import {
	accepted,
	failed,
	node,
	open,
	other,
	plan,
	saved,
	sendAgain,
	storeWith,
} from './memoryOfNode';

describe('two retries of the same saved execution', () => {
	const retry = (store: IDataObject, executionId: string, of = plan): ExecutionMemory =>
		open(saved(store), [of], executionId);

	const send = (executionMemory: ExecutionMemory, result?: ItemResult): void => {
		expect(executionMemory.beginSending(0)).toBeUndefined();
		if (result) executionMemory.settle(0, result);
	};

	test('know what the other one sent', () => {
		const store = storeWith(failed('refused'));
		send(retry(store, 'second'), accepted);

		expect(retry(store, 'third').recall(0)).toEqual(accepted);
		expect(retry(store, 'fourth', other).recall(0)).toBeUndefined();
	});

	test('and so does a retry of a retry, and the retry of the first after it', () => {
		const store = storeWith(failed('refused'));
		const second = saved(store);
		open(second, [plan], 'second');
		send(retry(second, 'third'), accepted);

		expect(retry(store, 'fourth').recall(0)).toEqual(accepted);
		expect(retry(second, 'fifth').recall(0)).toEqual(accepted);
	});

	test('know it even if n8n died and saved nothing, and all is to be sent again', () => {
		send(open({}, [sendAgain], 'second'), accepted);

		expect(open({}, [sendAgain], 'third').recall(0)).toEqual(accepted);
	});

	test('learn of it even if they began before', () => {
		const store = storeWith(failed('refused'));
		const [second, third] = [retry(store, 'second'), retry(store, 'third')];
		send(second, accepted);

		expect(third.recall(0)).toBeUndefined();
		expect(third.beginSending(0)).toEqual(accepted);
	});

	test('take what the other one has under way for unknown', () => {
		const store = storeWith(failed('refused'));
		send(retry(store, 'second'));

		expect(retry(store, 'third').recall(0)).toMatchObject({ failure: { outcome: 'unknown' } });
	});

	test('an accepted one counts more than one of which nobody can say', () => {
		const store = storeWith(failed('unknown'));
		expect(retry(store, 'second').recall(0)).toEqual(failed('unknown'));
		send(retry(store, 'third', sendAgain), accepted);

		expect(retry(store, 'fourth', sendAgain).recall(0)).toEqual(accepted);
	});

	test('know nothing of another node', () => {
		const store = storeWith(failed('refused'));
		send(retry(store, 'second'), accepted);

		node.id = 'another';

		expect(retry(store, 'third').recall(0)).toBeUndefined();
	});

	test('forget the answers of other executions beyond 32 MB, not their own', () => {
		const large: ItemResult = { ...accepted, body: { text: 'x'.repeat(12_000_000) } };
		const stores = Array.from({ length: 4 }, (_, index) => {
			node.id = `large ${index}`;
			const store = storeWith(failed('refused'));
			send(retry(store, 'second'), large);
			return store;
		});
		const knownOf = (index: number) => {
			node.id = `large ${index}`;
			return retry(stores[index] ?? {}, 'third').recall(0);
		};

		expect(knownOf(3)).toEqual(large);
		expect(knownOf(0)).toBeUndefined();
	});
});
