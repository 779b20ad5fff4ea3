import { answerAll } from '../../../nodes/shared/book/claims';
import { OptOuts } from '../../../nodes/shared/book/optOuts';
import { BookProblem } from '../../../nodes/shared/book/problem';
import type {
	BookAnswer,
	BookClaim,
	BookQuestion,
	Look,
} from '../../../nodes/shared/book/question';
import { TableApi, type ApiRequest } from '../../../nodes/shared/book/tableApi';
import { startTable, type MemoryTable } from './memoryTable';

export const NOW = Date.UTC(2026, 0, 2, 12);
export const before = (milliseconds: number): string => new Date(NOW - milliseconds).toISOString();

export const ADA = '+15550001000';
export const BOB = '+15550001001';
export const EVE = '+15550001002';

/** A row: a claim of another execution. */
const RIVAL = { phone: ADA, mode: 'live', outcome: 'claimed', contactedAt: before(9) };

type Asking = Partial<BookQuestion & BookClaim>;

const isFree = (look: Look): boolean => look.contacts.length === 0 && !look.isOptedOut;

/** By default, the item wants nobody else to contact or claim the number. */
function questionOf({
	values,
	earlier: said,
	isExclusive = true,
	isAllowed = isFree,
	...more
}: Asking) {
	const question = { phone: ADA, mode: 'live', isOfEarlierTry: false, isPatient: true, ...more };
	const row = { phone: question.phone, execution: '7', ...values };
	return { claim: { values: row, earlier: said, isExclusive, isAllowed }, ...question };
}

/** What the book has said before of a row. */
export const earlier = (claim: 'granted' | 'standing' | 'none', age = 9, row = 1): Asking => ({
	earlier: { contacts: [], rivals: [], isOptedOut: false, claim, row, claimedAt: NOW - age },
});

const kindOf = ({ method, path }: ApiRequest): string => {
	if (method === 'GET') return path.includes('doNotContact') ? 'list' : 'read';
	return method === 'POST' ? 'insert' : 'update';
};

export interface World {
	readonly rows?: object[];
	/** The items that ask at the same time; by default one. */
	readonly asks?: Asking[];
	/** What happens before n8n acts on a request or after it, e.g. `after insert 1`. */
	readonly meanwhile?: Record<string, (table: MemoryTable) => void>;
	readonly isAgain?: boolean;
}

/** The claim, its row, and how old it is. */
const textOf = ({ claim, row, claimedAt = NOW, isGone }: BookAnswer): string =>
	[claim, row, isGone && 'gone', NOW - claimedAt].filter(Boolean).join(' ');

/**
 * Asks the book. Gives the answers and the rows, and in one text the answers, the requests after the questions for the rows
 * and for the list, and the outcomes of the rows.
 */
export async function ask({ rows = [], asks = [{}], meanwhile = {}, isAgain }: World) {
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
	const api = new TableApi(send, 'T');
	const answering = answerAll(api, new OptOuts(), asks.map(questionOf), NOW, isAgain);
	const answers = await answering.catch((error: unknown) => {
		if (error instanceof BookProblem) return error;
		throw error;
	});
	const says = answers instanceof BookProblem ? answers.message : answers.map(textOf).join(', ');
	const outcomes = [...table.rows.values()].map(({ outcome }) => String(outcome));
	expect(asked.splice(0, 2)).toEqual(['read', 'list']);
	return {
		answers,
		rows: table.rows,
		told: [says, asked.join(' '), outcomes.join(', ')].filter(Boolean).join(' | '),
	};
}

/** A person, or another execution, changes a row or adds one. */
export const put = (id: number, values: object) => (table: MemoryTable) => {
	table.edit(id, { ...RIVAL, ...values });
};
