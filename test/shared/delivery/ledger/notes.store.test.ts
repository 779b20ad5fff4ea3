import type { IDataObject } from 'n8n-workflow';

import type { OpenLedger } from '../../../../nodes/shared/delivery/ledger/open';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { emptyStore } from '../emptyStore';
import { accepted, failed, other, plan } from '../results';
import { node, open, saved, storeWith } from './notesOfNode';
import { openOver, resultOf } from './openOver';

describe('the store', () => {
	test('holds nothing after a run that is over', () => {
		const store = storeWith(accepted);

		open(store).notes.clear();

		expect(store).toEqual({});
	});

	test('is small: of the request, only the number is in it', () => {
		const text = JSON.stringify(storeWith(undefined));

		expect(text).toContain('4915112345678');
		expect(text).not.toContain('/v1/');
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
		['an entry without a number', { 0: { ...run, entries: [{ subject: 'x', index: 0 }] } }],
	])('may be %s', async (_, deliveries) => {
		const store = { deliveries } as IDataObject;

		const { ledger, notes } = open(store);
		expect(notes.tries).toBe(1);
		expect(await resultOf(ledger)).toBeUndefined();
		ledger.aboutToSend(0);
		ledger.end(0, accepted);

		expect(await resultOf(open(saved(store)).ledger)).toEqual(accepted);
	});
});

describe('of a tool', () => {
	const openTool = (saved: IDataObject, ...of: ItemPlan[]): OpenLedger => {
		const identity = { executionId: '', nodeId: node.id, runIndex: '3', isTool: true, origin: '' };
		return openOver(emptyStore, of.length > 0 ? of : [plan], { ...identity, saved });
	};

	test('a call of which nobody can say is known again', async () => {
		const store: IDataObject = {};
		const { ledger, notes } = openTool(store);
		ledger.aboutToSend(0);
		ledger.end(0, failed('unknown'));
		notes.clear();

		expect(await resultOf(openTool(store).ledger)).toMatchObject(failed('unknown'));
	});

	test('another request is sent', async () => {
		const store: IDataObject = {};
		openTool(store).ledger.aboutToSend(0);

		expect(await resultOf(openTool(store, other).ledger)).toBeUndefined();
	});

	test('a call that was accepted is over: the same again is a new one', async () => {
		const store: IDataObject = {};
		const { ledger, notes } = openTool(store);
		ledger.aboutToSend(0);
		ledger.end(0, accepted);
		notes.clear();

		expect(store).toEqual({});
		expect(await resultOf(openTool(store).ledger)).toBeUndefined();
	});

	test.each<[name: string, between: (store: IDataObject) => void]>([
		['has ended', () => undefined],
		['has ended and a third has begun', (store) => void openTool(store, other)],
	])('a call that waited while another %s is still remembered', async (_, between) => {
		const store: IDataObject = {};
		const waiting = openTool(store);
		const ended = openTool(store, other);
		ended.ledger.aboutToSend(0);
		ended.ledger.end(0, accepted);
		ended.notes.clear();
		between(store);
		waiting.ledger.aboutToSend(0);
		waiting.ledger.end(0, failed('unknown'));
		waiting.notes.clear();

		expect(await resultOf(openTool(store).ledger)).toMatchObject(failed('unknown'));
	});

	test('the same request at the same moment is sent once', () => {
		const store: IDataObject = {};
		const [one, same] = [openTool(store), openTool(store)];
		expect(one.ledger.aboutToSend(0)).toBeUndefined();

		expect(same.ledger.aboutToSend(0)).toMatchObject({ failure: { outcome: 'unknown' } });
	});
});
