import { bookRow } from '../../../nodes/shared/book/columns';
import { CLAIM_LIVES, judge, viewOf, type Viewer } from '../../../nodes/shared/book/view';

const NOW = Date.UTC(2026, 0, 2, 12);
const before = (milliseconds: number): string => new Date(NOW - milliseconds).toISOString();
const AGED = CLAIM_LIVES;
const LIVE = CLAIM_LIVES - 1;

const rowOf = (values: object, index = 0) =>
	bookRow.parse({ id: index + 1, contactedAt: before(AGED), updatedAt: '', ...values });

const VIEWER: Viewer = {
	mode: 'live',
	own: new Set([9]),
	itemName: 'this item',
	isOfEarlierTry: false,
	now: NOW,
	isPatient: true,
};

const see = (rows: object[], viewer: Partial<Viewer> = {}) =>
	viewOf(rows.map(rowOf), { ...VIEWER, ...viewer });

const OF_ITEM = { claim: 'this item' };

describe('a contact', () => {
	test.each([
		['accepted', 1],
		['unknown', 1],
		['claimed', 1],
		['Claimed ', 1],
		['whatever people write', 1],
		['notMade', 0],
		[' Not Made', 0],
		['  ', 0],
		['', 0],
		[null, 0],
		[7, 0],
	])('is a row with the outcome %j: %d', (outcome, contacts) => {
		expect(see([{ outcome }]).contacts).toHaveLength(contacts);
	});

	test.each([
		['live', null, 1],
		['live', 'something', 1],
		['live', ' Redirect', 0],
		['redirect', 'redirect', 1],
		['redirect', 'live', 0],
		['redirect', '', 0],
	])('in the mode %s is a row of the mode %j: %d', (mode, written, contacts) => {
		const row = { outcome: 'accepted', mode: written };

		expect(see([row], { mode }).contacts).toHaveLength(contacts);
	});

	test.each([
		[['accepted', 'unknown'], undefined],
		[['Unknown ', 'accepted'], true],
		[['claimed'], true],
		[['notMade', 'unknown'], true],
		[['reached'], undefined],
		[[], undefined],
	])('with the outcomes %j, newest first: whether the person was reached is open: %s', (...row) => {
		const [outcomes, isUnsettled] = row;
		const rows = outcomes.map((outcome, age) => ({ outcome, contactedAt: before(AGED + age) }));

		expect(see(rows).isUnsettled).toBe(isUnsettled);
	});

	test('that may be under way is an open question to an item that does not wait', () => {
		const seen = see([{ outcome: 'claimed', contactedAt: before(LIVE) }], { isPatient: false });

		expect(seen.contacts).toHaveLength(1);
		expect(seen.isUnsettled).toBe(true);
	});

	test('is no row of this claim', () => {
		expect(see([{ id: 9, outcome: 'claimed' }])).toEqual({ contacts: [], rivals: [] });
	});

	test('was when its row says, or else when n8n made the row, or else now; newest first', () => {
		const accepted = { outcome: 'accepted', contactedAt: null };
		const rows = [
			{ ...accepted, contactedAt: before(5), createdAt: before(1) },
			{ ...accepted, createdAt: before(3) },
			{ ...accepted, contactedAt: 'soon' },
			{ ...accepted, contactedAt: before(7) },
		];

		expect(see(rows).contacts).toEqual([NOW, NOW - 3, NOW - 5, NOW - 7]);
	});
});

describe('a claim of another', () => {
	const claim = { id: 4, outcome: 'claimed', contactedAt: before(LIVE) };

	test.each([
		['of the last ten minutes is waited for', claim, true, [4], 0],
		['counts as a contact after that', { ...claim, contactedAt: before(AGED) }, true, [], 1],
		['counts as a contact for whoever has waited long enough', claim, false, [], 1],
		['that was settled is none', { ...claim, outcome: 'accepted' }, true, [], 1],
	])('%s', (_, row, isPatient, rivals, contacts) => {
		const view = see([row], { isPatient });

		expect(view.rivals).toEqual(rivals);
		expect(view.contacts).toHaveLength(contacts);
	});
});

describe('earlier tries of the item', () => {
	const accepted = { ...OF_ITEM, outcome: 'accepted' };
	const [claimed, notMade] = [
		{ ...OF_ITEM, outcome: 'claimed' },
		{ ...OF_ITEM, outcome: 'not made' },
	];

	test.each([
		['are unknown without a row', [], undefined],
		['are not those of others', [{ ...accepted, claim: 'another' }], undefined],
		['were accepted', [{ ...accepted, contactId: 'call 1' }], { acceptedAs: 'call 1' }],
		['were accepted, as somebody writes', [{ ...OF_ITEM, outcome: 'ok' }], { acceptedAs: null }],
		[
			'were accepted last with this ID, whatever comes before and after',
			[
				notMade,
				{ ...accepted, contactId: 'call 1' },
				{ ...accepted, contactId: 'call 2' },
				claimed,
			],
			{ acceptedAs: 'call 2' },
		],
		['may have sent it: claimed', [notMade, claimed], 'possible'],
		['may have sent it: unknown', [{ ...OF_ITEM, outcome: 'unknown' }, notMade], 'possible'],
		['were not made', [notMade, notMade], 'notMade'],
		['were not made: the outcome is empty', [{ ...OF_ITEM, outcome: '' }], 'notMade'],
		['of another mode say nothing', [{ ...accepted, mode: 'redirect' }], undefined],
	])('%s', (_, rows, earlierTry) => {
		expect(see(rows).earlierTry).toEqual(earlierTry);
		expect(see(rows, { itemName: undefined }).earlierTry).toBeUndefined();
	});

	test.each([
		['that may have sent it are no contact', OF_ITEM, true, AGED, 0],
		['that certainly have not are one, like any other row', OF_ITEM, false, AGED, 1],
		['may be under way', OF_ITEM, true, LIVE, 1],
		['are known by the item', {}, true, AGED, 1],
	])('%s', (_, ofItem, isOfEarlierTry, age, contacts) => {
		const row = { ...ofItem, outcome: 'claimed', contactedAt: before(age) };

		const view = see([row], { isOfEarlierTry, isPatient: false });

		expect(view.contacts).toHaveLength(contacts);
	});
});

test.each([
	[[], 'go'],
	[[6, 8], 'keep'],
	[[8, 4], 'withdraw'],
])('of claims with the IDs %j and 5, the last one is to %s', (rivals, verdict) => {
	expect(judge(5, rivals)).toBe(verdict);
});
