import type { IDataObject } from 'n8n-workflow';

import type { ItemResult } from '../../../../nodes/shared/delivery/memory/entry';
import { ExecutionMemory } from '../../../../nodes/shared/delivery/memory/executionMemory';
import { createFailure, type Outcome } from '../../../../nodes/shared/answer/failure';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { planOf } from '../../samples';

const plan = planOf('call.place');
const other = planOf('call.place', { toNumber: '+4915199999999' });
const sendAgain = planOf('call.place', { options: { ifOutcomeUnknown: 'sendAgain' } });
const repeatable = planOf('assistant.updatePrompt');

const accepted: ItemResult = {
	accepted: true,
	body: { callId: '1', status: 'placed' },
	via: 'main',
	added: { previousPrompt: 'x' },
};
const failed = (outcome: Outcome): ItemResult => ({
	accepted: false,
	failure: createFailure({ kind: 'serviceError', outcome, httpStatus: 500 }),
});

let nodeId = '';
let tests = 0;
beforeEach(() => {
	nodeId = `node ${++tests}`;
});

/** The executionMemory of a node in an execution, each test with a node of its own. */
const open = (
	store: IDataObject,
	plans: readonly ItemPlan[] = [plan],
	executionId = 'first',
	runIndex = '0',
): ExecutionMemory =>
	new ExecutionMemory(
		store,
		{
			executionId,
			isRetry: executionId !== 'first',
			nodeId,
			runIndex,
			isTool: false,
			origin: `token of ${nodeId}`,
		},
		plans,
	);

/** What n8n saves with a failed execution and hands to its retry. */
const saved = (store: IDataObject): IDataObject => JSON.parse(JSON.stringify(store)) as IDataObject;

/** A store in which an earlier try has left what became of item 0. */
function storeWith(result: ItemResult | undefined, of = plan): IDataObject {
	const store: IDataObject = {};
	const executionMemory = open(store, [of]);
	executionMemory.beginSending(0);
	if (result !== undefined) executionMemory.settle(0, result);
	return store;
}

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

		nodeId = 'another';

		expect(retry(store, 'third').recall(0)).toBeUndefined();
	});

	test('forget the answers of other executions beyond 32 MB, not their own', () => {
		const large: ItemResult = { ...accepted, body: { text: 'x'.repeat(12_000_000) } };
		const stores = Array.from({ length: 4 }, (_, index) => {
			nodeId = `large ${index}`;
			const store = storeWith(failed('refused'));
			send(retry(store, 'second'), large);
			return store;
		});
		const knownOf = (index: number) => {
			nodeId = `large ${index}`;
			return retry(stores[index] ?? {}, 'third').recall(0);
		};

		expect(knownOf(3)).toEqual(large);
		expect(knownOf(0)).toBeUndefined();
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

describe('the store', () => {
	test('holds nothing after a run that is over', () => {
		const store = storeWith(accepted);

		open(store).clear();

		expect(store).toEqual({});
	});

	test('keeps what else is in it', () => {
		const store: IDataObject = { ...storeWith(accepted), other: 1 };

		open(store).clear();

		expect(store).toEqual({ other: 1 });
	});

	test('keeps the other runs of a loop apart', () => {
		const store = storeWith(accepted);
		const second = open(store, [plan], 'first', '1');
		expect(second.recall(0)).toBeUndefined();
		second.beginSending(0);

		second.clear();

		expect(open(store).recall(0)).toEqual(accepted);
		expect(open(store, [plan], 'first', '1').recall(0)).toBeUndefined();
	});

	test('is small: the request itself is not in it', () => {
		const text = JSON.stringify(storeWith(undefined));

		expect(text).not.toContain('4915112345678');
		expect(text.length).toBeLessThan(300);
	});

	const good = saved(storeWith(accepted)).deliveries as IDataObject;
	const run = good[0] as IDataObject;

	test.each<[name: string, deliveries: unknown]>([
		['text', 'broken'],
		['null', null],
		['a list', [1, 2]],
		['a run that is text', { 0: 'broken' }],
		['a run without entries', { 0: { ...run, entries: undefined } }],
		['tries that are text', { 0: { ...run, tries: 'two' } }],
		['entries that are numbers', { 0: { ...run, entries: [1] } }],
		['an entry without requestHash', { 0: { ...run, entries: [{ id: 'x', index: 0 }] } }],
	])('may be %s', (_, deliveries) => {
		const store = { deliveries } as IDataObject;

		const executionMemory = open(store);
		expect(executionMemory.tries).toBe(1);
		expect(executionMemory.recall(0)).toBeUndefined();
		executionMemory.beginSending(0);
		executionMemory.settle(0, accepted);

		expect(open(saved(store)).recall(0)).toEqual(accepted);
	});
});

describe('of a tool', () => {
	const openTool = (store: IDataObject, ...of: ItemPlan[]): ExecutionMemory =>
		new ExecutionMemory(
			store,
			{ executionId: '', isRetry: false, nodeId, runIndex: '3', isTool: true, origin: '' },
			of.length > 0 ? of : [plan],
		);

	test('a call of which nobody can say is known by its request, whatever the input is', () => {
		const store: IDataObject = {};
		const executionMemory = openTool(store);
		executionMemory.beginSending(0);
		executionMemory.settle(0, failed('unknown'));
		executionMemory.clear();
		const again = { ...plan, keys: { ...plan.keys, inputHash: 'another' } };

		expect(openTool(store, again).recall(0)).toEqual(failed('unknown'));
	});

	test('another request is sent, even with the same entries and input', () => {
		const store: IDataObject = {};
		openTool(store).beginSending(0);
		const another = { ...other, keys: { ...other.keys, inputHash: plan.keys.inputHash } };

		expect(openTool(store, another).recall(0)).toBeUndefined();
	});

	test('a call that was accepted is over: the same again is a new one', () => {
		const store: IDataObject = {};
		const executionMemory = openTool(store);
		executionMemory.beginSending(0);
		executionMemory.settle(0, accepted);
		executionMemory.clear();

		expect(store).toEqual({});
		expect(openTool(store).recall(0)).toBeUndefined();
	});

	test.each<[name: string, between: (store: IDataObject) => void]>([
		['has ended', () => undefined],
		['has ended and a third has begun', (store) => void openTool(store, other)],
	])('a call that waited while another %s is still remembered', (_, between) => {
		const store: IDataObject = {};
		const waiting = openTool(store);
		const ended = openTool(store, other);
		ended.beginSending(0);
		ended.settle(0, accepted);
		ended.clear();
		between(store);
		waiting.beginSending(0);
		waiting.settle(0, failed('unknown'));
		waiting.clear();

		expect(openTool(store).recall(0)).toEqual(failed('unknown'));
	});

	test('the same request at the same moment is sent once', () => {
		const store: IDataObject = {};
		const [one, same] = [openTool(store), openTool(store)];
		expect(one.beginSending(0)).toBeUndefined();

		expect(same.beginSending(0)).toMatchObject({ failure: { outcome: 'unknown' } });
	});

	test('a call of which nobody can say is known with and without the plus of its number', () => {
		const store: IDataObject = {};
		const executionMemory = openTool(store, planOf('call.place', { toNumber: '+4915112345678' }));
		executionMemory.beginSending(0);
		executionMemory.settle(0, failed('unknown'));
		executionMemory.clear();
		const again = planOf('call.place', { toNumber: '49 151 12345678' });

		expect(openTool(store, again).recall(0)).toEqual(failed('unknown'));
	});
});
