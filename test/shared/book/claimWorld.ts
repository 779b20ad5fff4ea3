import { claimAll, type Claimed, type Claiming } from '../../../nodes/shared/book/claims';
import { OptOuts } from '../../../nodes/shared/book/optOuts';
import { BookProblem } from '../../../nodes/shared/book/bookProblem';
import { TableApi, type ApiRequest } from '../../../nodes/shared/book/tableApi';
import type { Seen } from '../../../nodes/shared/book/view';
import { startTable, type BookTable } from './bookTable';

export const ADA = '+15550001000';
export const BOB = '+15550001001';

/** A row: a claim of another execution. */
const RIVAL = { phone: ADA, mode: 'live', outcome: 'claimed', claim: 'rival.1' };

/** Whether the rules allow a contact to somebody who was contacted so often. */
export const atMost =
	(most: number) =>
	({ contacts, isOptedOut }: Seen): string | undefined =>
		contacts.filter(({ outcome }) => outcome !== 'notMade').length > most || isOptedOut
			? undefined
			: 'item';

/** By default, nobody else may contact or claim the number. */
export const claimingOf = (of: Partial<Claiming> = {}): Claiming => ({
	phone: ADA,
	mode: 'live',
	maxWait: 60_000,
	values: {},
	isExclusive: true,
	mayClaim: atMost(0),
	...of,
});

const kindOf = ({ method, path }: ApiRequest): string => {
	if (method === 'GET') return path.includes('doNotContact') ? 'list' : 'read';
	return method === 'POST' ? 'insert' : 'update';
};

export interface World {
	readonly rows?: object[];
	/** The contacts that are claimed at the same time; by default one. */
	readonly asks?: Partial<Claiming>[];
	/** What happens before n8n acts on a request or after it, e.g. `after insert 1`. */
	readonly meanwhile?: Record<string, (table: Table) => void>;
}

type Table = BookTable['table'];

const textOf = ({ claim, isLost }: Claimed): string => {
	expect([claim, isLost]).toContain(undefined);
	if (isLost === true) return 'lost';
	return claim === undefined ? 'none' : 'claimed';
};

/**
 * Claims contacts once. Gives in one text what came of them, the requests after the questions for the rows and for the
 * list, and the outcomes of the rows.
 */
export async function attempt({ rows = [], asks = [{}], meanwhile = {} }: World): Promise<string> {
	const { table, ask } = startTable();
	for (const row of rows) table.insert({ ...RIVAL, ...row });
	const asked: string[] = [];
	const send = async (request: ApiRequest) => {
		const kind = kindOf(request);
		asked.push(kind);
		const name = `${kind} ${asked.filter((one) => one === kind).length}`;
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

/** A person, or another execution, changes a row or adds one. */
export const put = (id: number, values: object) => (table: Table) => {
	if (table.rows.some((row) => row.id === id)) table.edit(id, { ...values });
	else table.insert({ ...RIVAL, ...values });
};
