import { answerAll } from '../../../nodes/shared/book/claims';
import { OptOuts } from '../../../nodes/shared/book/optOuts';
import { BookProblem } from '../../../nodes/shared/book/problem';
import type { BookClaim, BookQuestion } from '../../../nodes/shared/book/question';
import { TableApi, type ApiRequest } from '../../../nodes/shared/book/tableApi';
import { CLAIM_AGES } from '../../../nodes/shared/book/view';
import { startTable, type MemoryTable } from './memoryTable';

const NOW = Date.UTC(2026, 0, 2, 12);
const before = (milliseconds: number): string => new Date(NOW - milliseconds).toISOString();

const ADA = '+15550001000';
const BOB = '+15550001001';

/** A row: a claim of another execution. */
const RIVAL = { phone: ADA, mode: 'live', outcome: 'claimed', contactedAt: before(9) };

type Asking = Partial<BookQuestion & BookClaim>;

/** By default, the item wants nobody else to contact or claim the number. */
const claimOf = ({ values, earlier, isExclusive = true, ...rest }: Asking = {}): BookQuestion => {
	const { isAllowed = (look) => look.contacts.length === 0 && !look.isOptedOut, ...more } = rest;
	const question = { phone: ADA, mode: 'live', isOfEarlierTry: false, isPatient: true, ...more };
	const row = { phone: question.phone, execution: '7', ...values };
	return { ...question, claim: { values: row, earlier, isExclusive, isAllowed } };
};

/** What the book has said before of a row. */
const earlier = (claim: 'granted' | 'standing' | 'none', age = 9, row = 1): Asking => ({
	earlier: { contacts: [], rivals: [], isOptedOut: false, claim, row, claimedAt: NOW - age },
});

const kindOf = ({ method, path }: ApiRequest): string => {
	if (method === 'GET') return path.includes('doNotContact') ? 'list' : 'read';
	return method === 'POST' ? 'insert' : 'update';
};

interface Case {
	readonly rows?: object[];
	/** What happens before n8n acts on a request or after it, e.g. `after insert 1`. */
	readonly meanwhile?: Record<string, (table: MemoryTable) => void>;
	readonly isAgain?: boolean;
}

/** Asks the book. Gives the answers, and in one text the requests, and the IDs and the outcomes of the rows. */
async function ask(questions: BookQuestion[], { rows = [], meanwhile = {}, isAgain }: Case) {
	const table = startTable();
	for (const row of rows) table.add({ ...RIVAL, ...row });
	const asked: string[] = [];
	const send = async (request: ApiRequest) => {
		const kind = kindOf(request);
		asked.push(kind);
		const name = `${kind} ${asked.filter((one) => one === kind).length}`;
		meanwhile[`before ${name}`]?.(table);
		const body = table.begin(request)();
		meanwhile[`after ${name}`]?.(table);
		return await Promise.resolve({ status: 200, body });
	};
	const api = new TableApi(send, { id: 'T', isWhole: true });
	const answering = answerAll(api, new OptOuts(), questions, NOW, isAgain);
	const answers = await answering.catch((error: unknown) => error);
	const outcomes = [...table.rows].map(([id, { outcome }]) => `${id} ${String(outcome)}`);
	return { answers, told: `${asked.join(' ')}: ${outcomes.join(', ')}`, rows: table.rows };
}

/** By default, nobody else is there, and the row was claimed now. */
const whole = (answer: object) => ({
	...{ contacts: [], rivals: [], isOptedOut: false },
	...('row' in answer && { claimedAt: NOW }),
	...answer,
});

const fail = (): never => {
	throw new BookProblem('n8n did not answer', '', 0);
};
const put = (id: number, values: object) => (table: MemoryTable) => {
	table.edit(id, { ...RIVAL, ...values });
};

const accepted = { outcome: 'accepted' };
const notMade = { outcome: 'notMade' };
const optOut = { outcome: null, doNotContact: true };
/** Of an earlier claim of the execution; and one of which n8n's answer may have been lost. */
const own = { execution: '7' };
const unanswered = { ...own, contactedAt: before(0) };
const aged = CLAIM_AGES + 1;

test.each<[what: string, Case & { asks?: Asking }, answer: object, told: string]>([
	[
		'is granted if nobody else is there',
		{ rows: [{ ...accepted, phone: BOB }] },
		{ claim: 'granted', row: 2 },
		'read list insert read: 1 accepted, 2 claimed',
	],
	[
		'is granted at once if others do not matter',
		{ rows: [{}], asks: { isExclusive: false } },
		{ claim: 'granted', row: 2, rivals: [1] },
		'read list insert: 1 claimed, 2 claimed',
	],
	[
		'is not made while others have one',
		{ rows: [{}] },
		{ claim: 'none', rivals: [1] },
		'read list: 1 claimed',
	],
	[
		'is not made against the rules',
		{ rows: [accepted] },
		{ claim: 'none', contacts: [NOW - 9] },
		'read list: 1 accepted',
	],
	[
		'is not made against the list',
		{ rows: [{ ...optOut, phone: '001 555 0001000' }] },
		{ claim: 'none', isOptedOut: true },
		'read list: 1 null',
	],
	[
		'is not made against a row of its number that the list does not have yet',
		{ rows: [optOut], meanwhile: { 'before list 1': put(1, { doNotContact: false }) } },
		{ claim: 'none', isOptedOut: true },
		'read list: 1 claimed',
	],
	[
		'is not made if the list cannot be read, whatever the rules are',
		{ rows: [{ ...optOut, phone: 'nobody' }], asks: { isAllowed: () => true } },
		{ claim: 'none', problem: expect.stringContaining('row 1') as string },
		'read list: 1 null',
	],
	[
		'is given up for a lower one that came meanwhile',
		{ meanwhile: { 'after insert 1': put(0, {}) } },
		{ claim: 'none', row: 1, rivals: [0] },
		'read list insert read update: 1 notMade, 0 claimed',
	],
	[
		'waits for a higher one that came meanwhile',
		{ meanwhile: { 'after insert 1': put(2, {}) } },
		{ claim: 'standing', row: 1, rivals: [2] },
		'read list insert read: 1 claimed, 2 claimed',
	],
	[
		'is given up for a contact that came meanwhile',
		{ meanwhile: { 'after insert 1': put(2, accepted) } },
		{ claim: 'none', row: 1, contacts: [NOW - 9] },
		'read list insert read update: 1 notMade, 2 accepted',
	],
	[
		'is not granted if its row is taken away at once',
		{ meanwhile: { 'after insert 1': ({ rows }) => rows.delete(1) } },
		{ claim: 'none', isGone: true },
		'read list insert read update: ',
	],
	[
		'is not granted if its row is not shown, which holds nobody back then',
		{ meanwhile: { 'after insert 1': put(1, { phone: BOB }) } },
		{ claim: 'none', isGone: true },
		'read list insert read update: 1 notMade',
	],
	[
		'goes on waiting',
		{ rows: [own, {}], asks: earlier('standing') },
		{ claim: 'standing', row: 1, claimedAt: NOW - 9, rivals: [2] },
		'read list: 1 claimed, 2 claimed',
	],
	[
		'goes on waiting if it is old, too',
		{ rows: [own, {}], asks: earlier('standing', aged) },
		{ claim: 'standing', row: 1, claimedAt: NOW - aged, rivals: [2] },
		'read list: 1 claimed, 2 claimed',
	],
	[
		'waits for another one of the execution that is as new',
		{ rows: [own, unanswered], asks: earlier('standing') },
		{ claim: 'standing', row: 1, claimedAt: NOW - 9, rivals: [2] },
		'read list: 1 claimed, 2 claimed',
	],
	[
		'is granted when the others have ended',
		{ rows: [own, notMade], asks: earlier('standing', CLAIM_AGES) },
		{ claim: 'granted', row: 1, claimedAt: NOW - CLAIM_AGES },
		'read list: 1 claimed, 2 notMade',
	],
	[
		'is made again when it is old',
		{ rows: [own], asks: earlier('granted', aged) },
		{ claim: 'granted', row: 1 },
		'read list update read: 1 claimed',
	],
	[
		'is made again after it was given up',
		{ rows: [{ ...own, ...notMade }], asks: earlier('none') },
		{ claim: 'granted', row: 1 },
		'read list update read: 1 claimed',
	],
	[
		'is made again if somebody has given it up by hand',
		{ rows: [{ ...own, ...notMade }], asks: earlier('standing') },
		{ claim: 'granted', row: 1 },
		'read list update read: 1 claimed',
	],
	[
		'is made anew if its row is gone',
		{ rows: [{ ...own, phone: BOB }], asks: earlier('standing') },
		{ claim: 'granted', row: 2 },
		'read list insert read: 1 claimed, 2 claimed',
	],
	[
		'is given up for a lower one that was made again',
		{ rows: [{}, own], asks: earlier('standing', 9, 2) },
		{ claim: 'none', row: 2, claimedAt: NOW - 9, rivals: [1] },
		'read list update: 1 claimed, 2 notMade',
	],
	[
		'is given up when the rules forbid it',
		{ rows: [own, accepted], asks: earlier('standing') },
		{ claim: 'none', row: 1, claimedAt: NOW - 9, contacts: [NOW - 9] },
		'read list update: 1 notMade, 2 accepted',
	],
	[
		'is made anew after a failure, and the row of before is given up',
		{ rows: [unanswered], isAgain: true },
		{ claim: 'granted', row: 2 },
		'read list update insert read: 1 notMade, 2 claimed',
	],
	[
		'is made anew after a failure, also if the row of before names no execution',
		{
			rows: [{ ...unanswered, execution: null }],
			asks: { values: { execution: undefined } },
			isAgain: true,
		},
		{ claim: 'granted', row: 2 },
		'read list update insert read: 1 notMade, 2 claimed',
	],
	[
		'is made anew after a failure, also if what gave up the row of before comes late',
		{
			rows: [unanswered],
			isAgain: true,
			meanwhile: { 'after update 1': put(1, {}) },
		},
		{ claim: 'granted', row: 2 },
		'read list update insert read: 1 claimed, 2 claimed',
	],
	[
		'is made anew after a failure, also if it was standing',
		{ rows: [own], asks: earlier('standing'), isAgain: true },
		{ claim: 'granted', row: 2 },
		'read list update insert read: 1 notMade, 2 claimed',
	],
	[
		'is made anew after a failure, and what the row of before says is left',
		{ rows: [{ ...own, ...accepted }, unanswered], asks: earlier('none'), isAgain: true },
		{ claim: 'granted', row: 3 },
		'read list update insert read: 1 accepted, 2 notMade, 3 claimed',
	],
	[
		'is not made after a failure beside one of another execution',
		{ rows: [{ ...unanswered, execution: '8' }], isAgain: true },
		{ claim: 'none', rivals: [1] },
		'read list: 1 claimed',
	],
	[
		'is not made after a failure beside one of no execution',
		{ rows: [{ ...unanswered, execution: null }], isAgain: true },
		{ claim: 'none', rivals: [1] },
		'read list: 1 claimed',
	],
	[
		'is not made after a failure beside one of another time',
		{ rows: [own], isAgain: true },
		{ claim: 'none', rivals: [1] },
		'read list: 1 claimed',
	],
	[
		'is not made after a failure beside a contact',
		{ rows: [{ ...unanswered, ...accepted }], isAgain: true },
		{ claim: 'none', contacts: [NOW] },
		'read list: 1 accepted',
	],
])('a claim %s', async (_, { asks, ...world }, answer, told) => {
	const said = await ask([claimOf(asks)], world);

	expect(said.answers).toEqual([whole(answer)]);
	expect(said.told).toBe(told);
});

test('a claim has the values of its item, and the time', async () => {
	const { rows } = await ask([claimOf({ values: { reference: 'crm 1' } })], {});

	const values = { phone: ADA, execution: '7', reference: 'crm 1', outcome: 'claimed' };
	expect(rows.get(1)).toMatchObject({ ...values, contactedAt: before(0) });
});

test('who only looks is told what the rows say, and changes none', async () => {
	const { claim: _, ...look } = claimOf({ itemKey: 'item 1' });
	const ofItem = { itemKey: 'item 1', contactId: 'call 1', ...accepted };
	const rows = [ofItem, { ...unanswered, execution: null }];

	const { answers, told } = await ask([look, { ...look, phone: BOB }], { rows, isAgain: true });

	const seen = { rivals: [2], contacts: [NOW - 9], earlierTry: { acceptedAs: 'call 1' } };
	expect(answers).toStrictEqual([
		{ ...seen, isOptedOut: false, claim: 'none' },
		{ rivals: [], contacts: [], isOptedOut: false, claim: 'none' },
	]);
	expect(told).toBe('read list: 1 accepted, 2 claimed');
});

describe('several items', () => {
	const both = [claimOf(), claimOf({ phone: BOB })];

	test.each<[what: string, questions: BookQuestion[], Case, answers: object[], told: string]>([
		[
			'get a row each',
			both,
			{},
			[
				{ claim: 'granted', row: 1 },
				{ claim: 'granted', row: 2 },
			],
			'read list insert read: 1 claimed, 2 claimed',
		],
		[
			'of one number wait for each other',
			[claimOf(), claimOf()],
			{},
			[
				{ claim: 'standing', row: 1, rivals: [2] },
				{ claim: 'none', row: 2, rivals: [1] },
			],
			'read list insert read update: 1 claimed, 2 notMade',
		],
		[
			'of one number have rows of their own',
			[claimOf(), claimOf(earlier('standing', 0))],
			{ rows: [unanswered] },
			[
				{ claim: 'none', rivals: [1] },
				{ claim: 'granted', row: 1, claimedAt: NOW },
			],
			'read list: 1 claimed',
		],
		[
			'are gone one by one',
			both,
			{ meanwhile: { 'after insert 1': put(1, { phone: null }) } },
			[
				{ claim: 'none', isGone: true },
				{ claim: 'granted', row: 2 },
			],
			'read list insert read update: 1 notMade, 2 claimed',
		],
		[
			'matter to others one by one',
			[claimOf({ isExclusive: false }), claimOf({ phone: BOB })],
			{ meanwhile: { 'after insert 1': put(3, {}) } },
			[
				{ claim: 'granted', row: 1 },
				{ claim: 'granted', row: 2 },
			],
			'read list insert read: 1 claimed, 2 claimed, 3 claimed',
		],
	])('%s', async (_, questions, world, answers, told) => {
		const said = await ask(questions, world);

		expect(said.answers).toEqual(answers.map(whole));
		expect(said.told).toBe(told);
	});
});

describe('after a failure no claim stands', () => {
	test.each<[what: string, Case & { more?: BookQuestion }, told: string]>([
		['of the first question', { meanwhile: { 'before read 1': fail } }, 'read list: '],
		['of an insert', { meanwhile: { 'before insert 1': fail } }, 'read list insert read: '],
		[
			'of the answer to an insert',
			{ meanwhile: { 'after insert 1': fail } },
			'read list insert read update: 1 notMade',
		],
		[
			'of the answer to an insert for two items of a number',
			{ meanwhile: { 'after insert 1': fail }, more: claimOf() },
			'read list insert read update: 1 notMade, 2 notMade',
		],
		[
			'of the answer to an insert, and others have theirs',
			{
				rows: [{ ...unanswered, execution: '8' }],
				meanwhile: { 'after insert 1': fail },
				more: claimOf({ isExclusive: false }),
			},
			'read list insert read update: 1 claimed, 2 notMade',
		],
		[
			'of the answer to an insert and of what gives up another row',
			{
				rows: [{ ...own, ...notMade, phone: BOB }],
				meanwhile: { 'after insert 1': fail, 'before update 2': fail },
				more: claimOf({ ...earlier('none'), phone: BOB }),
			},
			'read list update insert update read update: 1 claimed, 2 notMade',
		],
		[
			'of the question for others',
			{ meanwhile: { 'before read 2': fail } },
			'read list insert read update: 1 notMade',
		],
		[
			'of the update that gives it up',
			{ meanwhile: { 'after insert 1': put(2, accepted), 'before update 1': fail } },
			'read list insert read update update: 1 notMade, 2 accepted',
		],
		[
			'but if n8n cannot be reached any more',
			{ meanwhile: { 'after insert 1': fail, 'before read 2': fail } },
			'read list insert read: 1 claimed',
		],
	])('%s', async (_, { more, ...world }, told) => {
		const said = await ask([claimOf(), ...(more ? [more] : [])], world);

		expect(said.answers).toMatchObject({ message: 'n8n did not answer', status: 0 });
		expect(said.told).toBe(told);
	});

	test('of whatever kind', async () => {
		const broken = (): never => {
			throw new Error('broken');
		};

		const { answers } = await ask([claimOf()], { meanwhile: { 'before insert 1': broken } });

		expect(answers).toBeInstanceOf(BookProblem);
	});
});
