import { BookProblem } from '../../../nodes/shared/book/bookProblem';
import { claimAll, type Claimed, type Claiming } from '../../../nodes/shared/book/claims';
import { OptOuts } from '../../../nodes/shared/book/optOuts';
import { TableApi, type ApiRequest } from '../../../nodes/shared/book/tableApi';
import { startTable, type BookTable } from './bookTable';
import { ADA, atMost, claimingOf } from './claiming';

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

type Table = BookTable['table'];

interface World {
	readonly rows?: object[];
	/** The contacts that are claimed at the same time; by default one. */
	readonly asks?: Partial<Claiming>[];
	/** What happens before n8n acts on a request or after it, e.g. `after insert 1`. */
	readonly meanwhile?: Record<string, (table: Table) => void>;
}

const among = (...rows: object[]): World => ({ rows });
const failing = (...moments: string[]): World => ({
	meanwhile: Object.fromEntries(moments.map((moment) => [moment, fail])),
});
const afterInsert = (happens: NonNullable<World['meanwhile']>[string]): World => ({
	meanwhile: { 'after insert 1': happens },
});

/** A row: a claim of another execution. */
const RIVAL = { phone: ADA, mode: 'live', outcome: 'claimed', claim: 'rival.1' };

/** A person, or another execution, changes a row or adds one. */
const put = (id: number, values: object) => (table: Table) => {
	if (table.rows.some((row) => row.id === id)) table.edit(id, { ...values });
	else table.insert({ ...RIVAL, ...values });
};

const BOB = '+15550001001';

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

const textOf = ({ claim, isLost }: Claimed): string => {
	expect([claim, isLost]).toContain(undefined);
	if (isLost === true) return 'lost';
	return claim === undefined ? 'none' : 'claimed';
};

const kindOf = ({ method, path }: ApiRequest): string => {
	if (method === 'GET') return path.includes('doNotContact') ? 'list' : 'read';
	return method === 'POST' ? 'insert' : 'update';
};

/**
 * Claims contacts once. Gives in one text what came of them, the requests after the questions for the rows and for the
 * list, and the outcomes of the rows.
 */
async function attempt({ rows = [], asks = [{}], meanwhile = {} }: World): Promise<string> {
	const { table, ask } = startTable();
	for (const row of rows) table.insert({ ...RIVAL, ...row });
	const asked: string[] = [];
	const send = async (request: ApiRequest) => {
		const kind = kindOf(request);
		asked.push(kind);
		const name = `${kind} ${asked.filter((earlier) => earlier === kind).length}`;
		meanwhile[`before ${name}`]?.(table);
		const answer = await ask(request);
		meanwhile[`after ${name}`]?.(table);
		return answer;
	};
	const claiming = claimAll(new TableApi(send, table.id), new OptOuts(), asks.map(claimingOf));
	const attempts = await claiming.catch((error: unknown) => {
		if (error instanceof BookProblem) return error;
		throw error;
	});
	const says = attempts instanceof BookProblem ? attempts.message : attempts.map(textOf).join(', ');
	const outcomes = table.rows.map(({ outcome }) => String(outcome));
	expect(asked.splice(0, 2)).toEqual(['read', 'list']);
	return [says, asked.join(' '), outcomes.join(', ')].filter(Boolean).join(' | ');
}

test.each(Object.entries(CLAIMS))('a claim %s', async (_, [world, told]) => {
	expect(await attempt(world)).toBe(told);
});
