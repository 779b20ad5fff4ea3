import type { IDataObject } from 'n8n-workflow';

import type { Sendable } from '../../../nodes/shared/items/item';
import { identify } from '../../../nodes/shared/delivery/identify';
import { Rounds } from '../../../nodes/shared/delivery/rounds';
import { planOf } from '../samples';

const [ADA, BOB] = ['a digest of Ada', 'digest of Bob'];

const call = planOf('call.place');

/** A run that takes numbers, and keeps them. */
function run(store: IDataObject, name: string, subjects: readonly string[]): number[] {
	const rounds = new Rounds(store, name);
	const items = subjects.map((subject): Sendable => ({ ...call, subject }));
	const { identities } = identify(items, { isTaken: rounds.isTaken, notes: [], rows: [] });
	const ids = identities.flatMap(({ id }) => id ?? []);
	rounds.keep(ids);
	expect(ids.map(({ subject }) => subject)).toEqual(subjects);
	return ids.map(({ nth }) => nth);
}

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
