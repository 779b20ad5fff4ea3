import type { IDataObject } from 'n8n-workflow';

import { ExecutionMemory } from '../../../../nodes/shared/delivery/memory/executionMemory';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { planOf } from '../../samples';
import { accepted, failed, node, open, other, plan, saved, storeWith } from './memoryOfNode';

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
			{ executionId: '', isRetry: false, nodeId: node.id, runIndex: '3', isTool: true, origin: '' },
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
