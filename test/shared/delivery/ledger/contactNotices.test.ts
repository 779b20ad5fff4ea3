import {
	describeHeldBack,
	describeDoubtful,
} from '../../../../nodes/shared/delivery/ledger/contactNotices';

test.each([
	[[], ''],
	[['notMde'], 'the outcome "notMde" counts as "accepted". If that is not meant'],
	[['a', 'b', 'c'], 'the outcomes "a", "b", "c" count as "accepted".'],
	[['a', 'b', 'c', 'd', 'e'], 'the outcomes "a", "b", "c" and 2 more count as "accepted"'],
	[['x'.repeat(41)], `the outcome "${'x'.repeat(40)}" counts`],
])('of the outcomes %j is said: %s', (outcomes, said) => {
	expect(describeDoubtful(outcomes)).toContain(said);
	expect(describeDoubtful(outcomes) === '').toBe(outcomes.length === 0);
});

test('whom the switch of the book holds back is counted', () => {
	expect(describeHeldBack(0, 'us')).toBe('');
	expect(describeHeldBack(1, 'us')).toBe('1 of these is held back by us.');
	expect(describeHeldBack(2, 'us')).toBe('2 of these are held back by us.');
});
