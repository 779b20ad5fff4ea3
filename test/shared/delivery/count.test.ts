import type { IDataObject } from 'n8n-workflow';

import type { Sendable } from '../../../nodes/shared/items/item';
import { Count } from '../../../nodes/shared/delivery/count';
import type { ItemId } from '../../../nodes/shared/items/subject';
import { planOf } from '../samples';

const [ADA, BOB] = ['a digest of Ada', 'digest of Bob'];

/** A run that takes numbers, and keeps those of the items that are sent. */
function run(store: IDataObject, name: string, subjects: string[], isSent = () => true): number[] {
	const numbers = new Count(store, name);
	const ids = numbered(numbers, subjects);
	numbers.keep(ids.filter(isSent));
	expect(ids.map(({ subject }) => subject)).toEqual(subjects);
	return ids.map(({ nth }) => nth);
}

const call = planOf('call.place');

const numbered = (count: Count, subjects: readonly string[]): ItemId[] =>
	count
		.number(subjects.map((subject): Sendable => ({ ...call, subject })))
		.flatMap((id) => id ?? []);

test('each subject is counted by itself, over all runs', () => {
	const store: IDataObject = {};

	expect(run(store, '0', [ADA, BOB, ADA])).toEqual([0, 0, 1]);
	expect(run(store, '1', [BOB, ADA])).toEqual([1, 2]);
	expect(run(store, '2', [ADA, BOB])).toEqual([3, 2]);
});

test('a number that was not sent is free for a later run', () => {
	const store: IDataObject = {};
	const numbers = new Count(store, '0');
	numbers.keep(numbered(numbers, [ADA, ADA, ADA]).slice(1, 2));

	expect(run(store, '1', [ADA, ADA, ADA])).toEqual([0, 2, 3]);
});

test('a run that n8n runs again begins anew, and no other', () => {
	const store: IDataObject = {};
	run(store, '0', [ADA]);
	run(store, '1', [ADA, ADA]);

	expect(run(store, '1', [ADA, ADA])).toEqual([1, 2]);
	expect(run(store, '2', [ADA])).toEqual([3]);
});

test('n8n saves ten characters of a subject and its number', () => {
	const store: IDataObject = {};
	run(store, '0', [ADA, ADA]);
	run(store, '1', [BOB]);

	expect(store).toEqual({
		sendNumbers: { run: '1', earlier: 'a digest o0,a digest o1,', latest: 'digest of 0,' },
	});
	expect(run(JSON.parse(JSON.stringify(store)) as IDataObject, '2', [ADA])).toEqual([2]);
});

test.each([[undefined], [null], ['text'], [{}], [{ run: 1, earlier: {}, latest: null }]])(
	'what n8n saved is %j: counts from 0',
	(saved) => {
		expect(run({ sendNumbers: saved }, '0', [ADA, ADA])).toEqual([0, 1]);
	},
);
