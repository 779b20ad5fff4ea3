import type { IDataObject } from 'n8n-workflow';

import { Count } from '../../../../nodes/shared/delivery/ledger/count';

const [ADA, BOB] = ['a digest of Ada', 'digest of Bob'];

/** A run that takes numbers, and keeps those of the items that are sent. */
function run(store: IDataObject, name: string, subjects: string[], isSent = () => true): number[] {
	const numbers = new Count(store, name);
	const taken = subjects.map((subject) => numbers.take(subject));
	numbers.keep(taken.filter(isSent));
	expect(taken.map(({ subject }) => subject)).toEqual(subjects);
	return taken.map(({ nth }) => nth);
}

test('each subject is counted by itself, over all runs', () => {
	const store: IDataObject = {};

	expect(run(store, '0', [ADA, BOB, ADA])).toEqual([0, 0, 1]);
	expect(run(store, '1', [BOB, ADA])).toEqual([1, 2]);
	expect(run(store, '2', [ADA, BOB])).toEqual([3, 2]);
});

test('a number that was not sent is free for a later run', () => {
	const store: IDataObject = {};
	const numbers = new Count(store, '0');
	const [, second] = [numbers.take(ADA), numbers.take(ADA), numbers.take(ADA)];
	numbers.keep([second]);

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
	expect(new Count(JSON.parse(JSON.stringify(store)) as IDataObject, '2').take(ADA).nth).toBe(2);
});

test.each([[undefined], [null], ['text'], [{}], [{ run: 1, earlier: {}, latest: null }]])(
	'whoever has saved %j, counts from 0',
	(saved) => {
		expect(run({ sendNumbers: saved }, '0', [ADA, ADA])).toEqual([0, 1]);
	},
);
