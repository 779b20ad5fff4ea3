import { bookRow } from '../../../nodes/shared/book/columns';
import { contactsIn, isOfMessage, isRedirected } from '../../../nodes/shared/book/view';

const NOW = Date.UTC(2026, 0, 2, 12);
const before = (milliseconds: number): string => new Date(NOW - milliseconds).toISOString();

const see = (rows: object[], mode = 'live') =>
	contactsIn(
		rows.map((row, place) =>
			bookRow.parse({ id: place + 1, contactedAt: before(place), updatedAt: '', ...row }),
		),
		mode,
		NOW,
	);

test.each([
	['accepted', ['accepted']],
	['unknown', ['unknown']],
	['claimed', ['unknown']],
	['Claimed ', ['unknown']],
	['UNKNOWN', ['unknown']],
	['whatever people write', ['accepted']],
	['notMade', ['notMade']],
	[' Not Made', ['notMade']],
	['  ', []],
	['', []],
	[null, []],
	[7, []],
])('a row with the outcome %j is a contact: %j', (outcome, contacts) => {
	expect(see([{ outcome }]).map((contact) => contact.outcome)).toEqual(contacts);
});

test.each([
	['live', null, 1],
	['live', 'something', 1],
	['live', ' Redirect', 0],
	['redirect', 'redirect', 1],
	['redirect', 'live', 0],
	['redirect', '', 0],
])('in the mode %s is a row of the mode %j a contact: %d', (mode, written, contacts) => {
	expect(see([{ outcome: 'accepted', mode: written }], mode)).toHaveLength(contacts);
});

test('a contact was when its row says, or else when n8n made the row, or else now; newest first', () => {
	const accepted = { outcome: 'accepted', contactedAt: null };
	const rows = [
		{ ...accepted, contactedAt: before(5), createdAt: before(1) },
		{ ...accepted, createdAt: before(3) },
		{ ...accepted, contactedAt: 'soon' },
		{ ...accepted, contactedAt: before(7) },
	];

	expect(see(rows).map(({ at }) => at)).toEqual([NOW, NOW - 3, NOW - 5, NOW - 7]);
	expect(see(rows)[0]).not.toHaveProperty('reached');
});

test.each([
	['Item.a.Try1', 'Item.a'],
	['item', ''],
	['.try', ''],
	[' ', ''],
	[null, ''],
])('the item of the claim %j is %j', (claim, item) => {
	expect(see([{ claim, outcome: 'accepted' }])).toMatchObject([{ item, contactId: null }]);
});

test.each([
	[['claimed', 'claimed'], 'unknown'],
	[['claimed', 'notMade'], 'notMade'],
	[['notMade', 'claimed'], 'notMade'],
	[['accepted', 'claimed'], 'accepted'],
	[['unknown', 'notMade'], 'unknown'],
	[['unknown', 'accepted', 'unknown'], 'accepted'],
	[['claimed', ''], 'unknown'],
])('rows %j with the same claim are one contact: %s', (outcomes, outcome) => {
	const rows = outcomes.map((one) => ({ claim: 'item.1', outcome: one, contactId: one }));

	expect(see(rows).map((contact) => contact.outcome)).toEqual([outcome]);
});

test('rows without a claim, with another, and of another mode are contacts of their own', () => {
	const claims = ['', null, 'item.1', 'item.2', undefined];
	const rows = claims.map((claim) => ({ claim, outcome: 'accepted' }));
	const redirected = { claim: 'item.1', outcome: 'notMade', mode: 'redirect' };

	expect(see([...rows, redirected])).toHaveLength(claims.length);
});

test('of the rows of a contact, the one that counts says when it was and its ID', () => {
	const rows = [
		{
			...{ claim: 'item.1', outcome: 'accepted', contactId: 'call 1', contactedAt: before(1) },
			...{ execution: ' 7 ', operation: 'Call.Place', list: ' A', reached: 'Yes ' },
			callBackAt: before(2),
		},
		{ claim: 'item.1', outcome: 'claimed', contactedAt: before(9) },
	];

	const contact = {
		...{ item: 'item', at: NOW - 1, outcome: 'accepted', contactId: 'call 1' },
		...{ execution: '7', operation: 'call.place', list: 'a', reached: true },
		...{ callBackAt: NOW - 2, isClaimed: false },
	};
	expect(see(rows)).toEqual([contact]);
	expect(see(rows.reverse())).toEqual([contact]);
});

test.each([
	['sms.start', true],
	['msgapp.sendTemplate', true],
	['call.place', false],
	['My sms.start', false],
	[null, false],
	[undefined, false],
])('a row of the operation %j is of a message: %s', (operation, isMessage) => {
	expect(isOfMessage(bookRow.parse({ id: 1, updatedAt: '', operation }))).toBe(isMessage);
	expect([isRedirected(' Redirect'), isRedirected(operation)]).toEqual([true, false]);
});
