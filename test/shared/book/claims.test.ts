import { BookProblem } from '../../../nodes/shared/book/bookProblem';
import { atMost, attempt, BOB, put, type World } from './claimWorld';

/** n8n refuses it, and will again. */
const fail = (): never => {
	throw new BookProblem('failed', '', 400);
};
const breakDown = (): never => {
	throw new Error('broken');
};

const accepted = { outcome: 'accepted', claim: 'another.1' };
const notMade = { ...accepted, outcome: 'notMade' };
const optOut = { outcome: null, doNotContact: true };

const among = (...rows: object[]): World => ({ rows });
const failing = (...moments: string[]): World => ({
	meanwhile: Object.fromEntries(moments.map((moment) => [moment, fail])),
});
const afterInsert = (happens: NonNullable<World['meanwhile']>[string]): World => ({
	meanwhile: { 'after insert 1': happens },
});

/** What comes of claims; the requests, and the rows at the end. */
const CLAIMS: Record<string, [World, told: string]> = {
	'is made if nobody else is there': [
		among({ ...accepted, phone: BOB }, notMade),
		'claimed | insert read | accepted, notMade, claimed',
	],
	'is made at once if others do not matter': [
		{ rows: [{}], asks: [{ isExclusive: false, mayClaim: atMost(9) }] },
		'claimed | insert | claimed, claimed',
	],
	'is not made while others have one': [among({}), 'none | claimed'],
	'is not made against the rules': [among(accepted), 'none | accepted'],
	'is not made against the list': [among({ ...optOut, phone: '001 555 0001000' }), 'none | null'],
	'is not made against a row that the list lacks': [
		{ rows: [optOut], meanwhile: { 'before list 1': put(1, { ...notMade, doNotContact: null }) } },
		'none | notMade',
	],
	'is not made if the list cannot be read': [
		{ rows: [{ ...optOut, phone: 'nobody' }], asks: [{ mayClaim: () => 'item' }] },
		'none | null',
	],
	'is given up beside another': [
		afterInsert(put(2, {})),
		'lost | insert read update | notMade, claimed',
	],
	'is given up after a contact that came meanwhile': [
		afterInsert(put(2, accepted)),
		'lost | insert read update | notMade, accepted',
	],
	'is given up if the person has opted out meanwhile': [
		afterInsert(put(1, { doNotContact: true })),
		'lost | insert read update | notMade',
	],
	'is given up if it would be another contact of the item': [
		{
			...afterInsert(put(2, {})),
			asks: [{ mayClaim: ({ contacts }) => `item ${contacts.length}` }],
		},
		'lost | insert read update | notMade, claimed',
	],
	'is kept beside as many as the rules allow': [
		{ ...afterInsert(put(2, {})), asks: [{ mayClaim: atMost(1) }] },
		'claimed | insert read | claimed, claimed',
	],
	'is lost if its row is taken away': [
		afterInsert((table) => {
			table.delete(1);
		}),
		'lost | insert read update',
	],
	'counts for the next one of the same moment': [
		{ asks: [{}, {}, { mode: 'redirect' }, { phone: BOB }] },
		'claimed, none, claimed, claimed | insert read | claimed, claimed, claimed',
	],
	'counts for the next ones, as many as there may be': [
		{ asks: Array(4).fill({ mayClaim: atMost(1) }) },
		'claimed, claimed, none, none | insert read | claimed, claimed',
	],
	'is given up alone': [
		{ asks: [{}, { phone: BOB }], ...afterInsert(put(3, {})) },
		'lost, claimed | insert read update | notMade, claimed, claimed',
	],
	'is exclusive alone': [
		{ asks: [{ isExclusive: false }, { phone: BOB }], ...afterInsert(put(3, {})) },
		'claimed, claimed | insert read | claimed, claimed, claimed',
	],
	'fails with the first question': [failing('before read 1'), 'failed'],
	'fails with its insert': [failing('before insert 1'), 'failed | insert update'],
	'fails with a broken insert': [
		{ meanwhile: { 'before insert 1': breakDown } },
		'The contact book cannot be used: broken | insert update',
	],
	'fails with all others of its moment, and those of others stand': [
		{ ...failing('after insert 1'), rows: [{ phone: BOB }], asks: [{}, { isExclusive: false }] },
		'failed | insert update | claimed, notMade',
	],
	'fails with the second look': [failing('before read 2'), 'failed | insert read update | notMade'],
	'fails with what gives it up': [
		{ meanwhile: { 'after insert 1': put(2, accepted), 'before update 1': fail } },
		'failed | insert read update update | notMade, accepted',
	],
	'fails, and stands if n8n fails again': [
		failing('after insert 1', 'before update 1'),
		'failed | insert update | claimed',
	],
};

test.each(Object.entries(CLAIMS))('a claim %s', async (_, [world, told]) => {
	expect(await attempt(world)).toBe(told);
});
