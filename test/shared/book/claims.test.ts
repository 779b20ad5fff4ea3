import { BookProblem } from '../../../nodes/shared/book/problem';
import { CLAIM_AGES } from '../../../nodes/shared/book/view';
import { ADA, ask, before, BOB, earlier, EVE, NOW, put, type World } from './claimWorld';

const fail = (): never => {
	throw new BookProblem('failed', '', 0);
};
const breakDown = (): never => {
	throw new Error('broken');
};

const accepted = { outcome: 'accepted' };
const notMade = { outcome: 'notMade' };
const optOut = { outcome: null, doNotContact: true };
/** Of an earlier claim of the execution; and one of which n8n's answer may have been lost. */
const own = { execution: '7' };
const given = { ...own, ...notMade };
const lost = { ...own, contactedAt: before(0) };
const aged = CLAIM_AGES + 1;

const among = (...rows: object[]): World => ({ rows });
/** An item whose claim stood before. */
const standing = (...rows: object[]): World => ({ rows, asks: [earlier('standing')] });
const afterFailure = (...rows: object[]): World => ({ rows, isAgain: true });
const failing = (...moments: string[]): World => ({
	meanwhile: Object.fromEntries(moments.map((moment) => [moment, fail])),
});

/** What happens to claims; the answers, the requests and the rows at the end. */
const CLAIMS: Record<string, [World, told: string]> = {
	'is granted if nobody else is there': [
		among({ ...accepted, phone: BOB }),
		'granted 2 | insert read | accepted, claimed',
	],
	'is granted at once if others do not matter': [
		{ rows: [{}], asks: [{ isExclusive: false }] },
		'granted 2 | insert | claimed, claimed',
	],
	'is not made while others have one': [among({}), 'none | claimed'],
	'is not made against the rules': [among(accepted), 'none | accepted'],
	'is not made against the list': [among({ ...optOut, phone: '001 555 0001000' }), 'none | null'],
	'is not made against a row that the list lacks': [
		{ rows: [optOut], meanwhile: { 'before list 1': put(1, { ...notMade, doNotContact: null }) } },
		'none | notMade',
	],
	'is not made if the list cannot be read': [
		{ rows: [{ ...optOut, phone: 'nobody' }], asks: [{ isAllowed: () => true }] },
		'none | null',
	],
	'gives way to a contact that came meanwhile': [
		{ meanwhile: { 'after insert 1': put(2, accepted) } },
		'none 1 | insert read update | notMade, accepted',
	],
	'is gone if its row is taken away': [
		{ meanwhile: { 'after insert 1': ({ rows }) => rows.delete(1) } },
		'none gone | insert read update',
	],
	'goes on waiting if it is old': [
		{ rows: [own, {}], asks: [earlier('standing', aged)] },
		'standing 1 480001 | claimed, claimed',
	],
	'waits for a new one of its execution': [standing(own, lost), 'standing 1 9 | claimed, claimed'],
	'is granted when the others have ended': [
		{ rows: [own, notMade], asks: [earlier('standing', CLAIM_AGES)] },
		'granted 1 480000 | claimed, notMade',
	],
	'is made again when it is old': [
		{ rows: [own], asks: [earlier('granted', aged)] },
		'granted 1 | update read | claimed',
	],
	'is made again if it was given up': [standing(given), 'granted 1 | update read | claimed'],
	'is made anew if its row is gone': [
		standing({ ...own, phone: BOB }),
		'granted 2 | insert read | claimed, claimed',
	],
	'gives way to a lower one made again': [
		{ rows: [{}, own], asks: [earlier('standing', 9, 2)] },
		'none 2 9 | update | claimed, notMade',
	],
	'is given up if the rules forbid it': [
		standing(own, accepted),
		'none 1 9 | update | notMade, accepted',
	],
	'is made anew beside a late one of no execution': [
		{ ...afterFailure({ ...lost, execution: null }), asks: [{ values: { execution: undefined } }] },
		'granted 2 | update insert read | notMade, claimed',
	],
	'is made anew if the one of before comes late': [
		{ ...afterFailure(lost), meanwhile: { 'after update 1': put(1, {}) } },
		'granted 2 | update insert read | claimed, claimed',
	],
	'is made anew if it was standing': [
		{ ...standing(own), isAgain: true },
		'granted 2 | update insert read | notMade, claimed',
	],
	'is made anew, and an end of before is kept': [
		{ ...afterFailure({ ...own, ...accepted }, lost), asks: [earlier('none')] },
		'granted 3 | update insert read | accepted, notMade, claimed',
	],
	'knows late ones by the execution': [afterFailure({ ...lost, execution: '8' }), 'none | claimed'],
	'knows late ones by their time': [afterFailure(own), 'none | claimed'],
	'knows late ones by their outcome': [afterFailure({ ...lost, ...accepted }), 'none | accepted'],
	'waits for one of the same moment': [
		{ asks: [{}, {}] },
		'standing 1, none 2 | insert read update | claimed, notMade',
	],
	'takes no row of another item': [
		{ rows: [lost], asks: [{}, earlier('standing', 0)] },
		'none, granted 1 | claimed',
	],
	'is gone alone': [
		{ asks: [{}, { phone: BOB }], meanwhile: { 'after insert 1': put(1, { phone: null }) } },
		'none gone, granted 2 | insert read update | notMade, claimed',
	],
	'is exclusive alone': [
		{ asks: [{ isExclusive: false }, { phone: BOB }], meanwhile: { 'after insert 1': put(3, {}) } },
		'granted 1, granted 2 | insert read | claimed, claimed, claimed',
	],
	'fails with the first question': [failing('before read 1'), 'failed'],
	'fails with its insert': [failing('before insert 1'), 'failed | insert read'],
	'fails with a broken insert': [
		{ meanwhile: { 'before insert 1': breakDown } },
		'The contact book cannot be used: broken | insert read',
	],
	'fails with all others of its number': [
		{ ...failing('after insert 1'), asks: [{}, {}] },
		'failed | insert read update | notMade, notMade',
	],
	'fails, and those of others stand': [
		{
			...failing('after insert 1'),
			rows: [{ ...lost, execution: '8' }],
			asks: [{ isExclusive: false }],
		},
		'failed | insert read update | claimed, notMade',
	],
	'fails twice, and another one stands': [
		{
			...failing('after insert 1', 'before update 2'),
			rows: [{ ...given, phone: BOB }],
			asks: [{}, { ...earlier('none'), phone: BOB }],
		},
		'failed | update insert update read update | claimed, notMade',
	],
	'fails with the question for others': [
		failing('before read 2'),
		'failed | insert read update | notMade',
	],
	'fails with what gives it up': [
		{ meanwhile: { 'after insert 1': put(2, accepted), 'before update 1': fail } },
		'failed | insert read update update | notMade, accepted',
	],
	'fails, and stands if n8n fails again': [
		failing('after insert 1', 'before read 2'),
		'failed | insert read | claimed',
	],
};

test.each(Object.entries(CLAIMS))('a claim %s', async (_, [world, told]) => {
	expect((await ask(world)).told).toBe(told);
});

test('a claim has the values of its item, and the time', async () => {
	const { answers, rows } = await ask({ asks: [{ values: { reference: 'crm 1' } }] });

	const values = { phone: ADA, execution: '7', reference: 'crm 1', outcome: 'claimed' };
	expect(rows.get(1)).toMatchObject({ ...values, contactedAt: before(0) });
	const seen = { contacts: [], rivals: [], isOptedOut: false };
	expect(answers).toStrictEqual([{ ...seen, claim: 'granted', row: 1, claimedAt: NOW }]);
});

test('who only looks is told what the rows say, and changes none', async () => {
	const ofItem = { claim: 'item 1', contactId: 'call 1', ...accepted };
	const unreadable = { ...optOut, phone: 'nobody' };
	const rows = [ofItem, { ...lost, execution: null }, { ...optOut, phone: EVE }];
	const look = { claim: undefined, itemName: 'item 1' };
	const asks = [look, { ...look, phone: BOB }, { ...look, phone: EVE }];

	const { answers, told } = await ask({ rows, asks, isAgain: true });

	const none = { rivals: [], contacts: [], isOptedOut: false, claim: 'none' };
	const seen = { rivals: [2], contacts: [NOW - 9], earlierTry: { acceptedAs: 'call 1' } };
	expect(answers).toStrictEqual([{ ...none, ...seen }, none, { ...none, isOptedOut: true }]);
	expect(told).toBe('none, none, none | accepted, claimed, null');
	const problem = expect.stringContaining('row 1') as string;
	expect((await ask({ rows: [unreadable], asks: [look] })).answers).toEqual([{ ...none, problem }]);
});
