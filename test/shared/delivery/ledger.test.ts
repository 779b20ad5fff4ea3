import type { IDataObject } from 'n8n-workflow';

import { Ledger, type ItemResult } from '../../../nodes/shared/delivery/ledger';
import { createFailure, type Outcome } from '../../../nodes/shared/failure';
import { planOf } from '../samples';

const plan = planOf('call.place');
const changed = planOf('call.place', { toNumber: '+4915199999999' });
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

/** The ledger of a node in an execution, each test with a node of its own. */
const open = (store: IDataObject, executionId = 'first', runIndex = 0): Ledger =>
	new Ledger(store, { executionId, nodeId, runKey: String(runIndex) });

/** What n8n saves with a failed execution and hands to its retry. */
const saved = (store: IDataObject): IDataObject => JSON.parse(JSON.stringify(store)) as IDataObject;

/** A store in which an earlier try has left what became of item 0. */
function storeWith(result: ItemResult | undefined, of = plan): IDataObject {
	const store: IDataObject = {};
	const ledger = open(store);
	ledger.beginSending(0, of);
	if (result !== undefined) ledger.settle(0, of, result);
	return store;
}

describe.each([
	['the next try of the execution', (store: IDataObject) => open(store)],
	['the retry of the saved execution', (store: IDataObject) => open(saved(store), 'second')],
])('in %s', (_, reopen) => {
	test('what was accepted is not sent again', () => {
		expect(reopen(storeWith(accepted)).recall(0, plan)).toEqual(accepted);
	});

	test.each(['main', 'fallback'] as const)('it is remembered as sent by %s', (via) => {
		const ledger = reopen(storeWith({ ...accepted, via }));

		expect(ledger.recall(0, plan)).toMatchObject({ via });
	});

	test('another request, and another item, are new', () => {
		const ledger = reopen(storeWith(accepted));

		expect(ledger.recall(0, changed)).toBeUndefined();
		expect(ledger.recall(1, plan)).toBeUndefined();
	});

	test('what nobody can say stays failed', () => {
		expect(reopen(storeWith(failed('unknown'))).recall(0, plan)).toEqual(failed('unknown'));
	});

	test('what was under way when the execution ended is unknown', () => {
		const known = reopen(storeWith(undefined)).recall(0, plan);

		expect(known).toMatchObject({
			accepted: false,
			failure: { kind: 'unreachable', outcome: 'unknown', httpStatus: null },
		});
	});

	test('an unknown outcome is sent again if the user wants it, or if it does no harm', () => {
		for (const result of [failed('unknown'), undefined]) {
			expect(reopen(storeWith(result)).recall(0, sendAgain)).toBeUndefined();
			expect(reopen(storeWith(result, repeatable)).recall(0, repeatable)).toBeUndefined();
		}
	});

	test.each(['refused', 'notSent'] as const)('what was %s is forgotten', (outcome) => {
		const store = storeWith(failed(outcome));

		expect(reopen(store).recall(0, plan)).toBeUndefined();
		expect(JSON.stringify(store)).not.toContain('fingerprint');
	});
});

describe('two retries of the same saved execution', () => {
	const retry = (store: IDataObject, executionId: string): Ledger =>
		open(saved(store), executionId);

	test('know what the other one sent', () => {
		const store = storeWith(failed('refused'));
		const second = retry(store, 'second');
		expect(second.recall(0, plan)).toBeUndefined();
		second.beginSending(0, plan);
		second.settle(0, plan, accepted);
		second.clear();

		const thirdStore = saved(store);
		expect(open(thirdStore, 'third').recall(0, plan)).toEqual(accepted);
		expect(retry(thirdStore, 'retry of third').recall(0, plan)).toEqual(accepted);
		expect(retry(store, 'fourth').recall(0, plan)).toEqual(accepted);
		expect(retry(store, 'fifth').recall(0, changed)).toBeUndefined();
	});

	test('take what the other one has under way for unknown', () => {
		const store = storeWith(failed('refused'));
		retry(store, 'second').beginSending(0, plan);

		expect(retry(store, 'third').recall(0, plan)).toMatchObject({
			failure: { outcome: 'unknown' },
		});
	});

	test('an accepted one counts more than one of which nobody can say', () => {
		const store = storeWith(failed('unknown'));
		const second = retry(store, 'second');
		expect(second.recall(0, plan)).toEqual(failed('unknown'));
		const third = retry(store, 'third');
		third.beginSending(0, sendAgain);
		third.settle(0, sendAgain, accepted);

		expect(retry(store, 'fourth').recall(0, sendAgain)).toEqual(accepted);
	});

	test('know nothing of another node', () => {
		const store = storeWith(failed('refused'));
		const second = retry(store, 'second');
		second.beginSending(0, plan);
		second.settle(0, plan, accepted);

		nodeId = 'another';

		expect(retry(store, 'third').recall(0, plan)).toBeUndefined();
	});
});

test('what is sent again is unknown until it is settled', () => {
	const store = storeWith(accepted);
	const ledger = open(store);
	ledger.beginSending(0, changed);

	expect(ledger.recall(0, changed)).toMatchObject({ failure: { outcome: 'unknown' } });
	expect(ledger.recall(0, plan)).toBeUndefined();
});

test.each([
	['a short answer of an operation that is safe to repeat', repeatable, 10, true],
	['a long answer of an operation that is safe to repeat', repeatable, 20_000, false],
	['a long answer of an operation that reaches people', plan, 20_000, true],
])('%s is kept: %#', (_, of, length, isKept) => {
	const long: ItemResult = { ...accepted, body: { text: 'x'.repeat(length) } };

	const ledger = open(saved(storeWith(long, of)));

	expect(ledger.recall(0, of)).toEqual(isKept ? long : undefined);
});

test('what was never begun cannot be settled', () => {
	const store: IDataObject = {};
	const ledger = open(store);
	ledger.settle(0, plan, accepted);

	expect(ledger.recall(0, plan)).toBeUndefined();
});

test('the tries of one execution are counted, those of another are not', () => {
	const store: IDataObject = {};

	const tries = ['a', 'a', 'a', 'b', 'b'].map((execution) => open(store, execution).tries);

	expect(tries).toEqual([1, 2, 3, 1, 2]);
	expect(open(store, 'b', 1).tries).toBe(1);
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
		const second = open(store, 'first', 1);
		expect(second.recall(0, plan)).toBeUndefined();
		second.beginSending(0, plan);

		second.clear();

		expect(open(store).recall(0, plan)).toEqual(accepted);
		expect(open(store, 'first', 1).recall(0, plan)).toBeUndefined();
	});

	test('is small: the request itself is not in it', () => {
		const text = JSON.stringify(storeWith(undefined));

		expect(text).not.toContain('4915112345678');
		expect(text.length).toBeLessThan(200);
	});

	const good = saved(storeWith(accepted)).deliveries as IDataObject;
	const run = good[0] as IDataObject;

	test.each<[name: string, deliveries: unknown]>([
		['text', 'broken'],
		['null', null],
		['a list', [1, 2]],
		['a run that is text', { 0: 'broken' }],
		['a run without items', { 0: { executionId: 'first', tries: 1 } }],
		['tries that are text', { 0: { ...run, tries: 'two' } }],
		['items that are a list', { 0: { ...run, items: [1] } }],
		['an item without fingerprint', { 0: { ...run, items: { 0: {} } } }],
		[
			'an accepted item without body',
			{ 0: { ...run, items: { 0: { fingerprint: 'x', accepted: {} } } } },
		],
	])('may be %s', (_, deliveries) => {
		const store = { deliveries } as IDataObject;

		const ledger = open(store);
		expect(ledger.tries).toBe(1);
		expect(ledger.recall(0, plan)).toBeUndefined();
		ledger.beginSending(0, plan);
		ledger.settle(0, plan, accepted);

		expect(open(saved(store)).recall(0, plan)).toEqual(accepted);
	});
});

test('all requests of an item count: the one before, the main one, the fallback', () => {
	const values = { whenWindowClosed: 'sendTemplate' };
	const one = planOf('msgapp.continueConversation', values);
	const others = [
		planOf('msgapp.continueConversation', { ...values, language: 'fr' }),
		planOf('msgapp.continueConversation'),
	];
	const ledger = open(storeWith(accepted, one));

	expect(ledger.recall(0, one)).toEqual(accepted);
	expect(others.map((other) => ledger.recall(0, other))).toEqual([undefined, undefined]);
});
