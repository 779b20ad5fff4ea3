import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { bookOf } from '../../book/book';
import { createBookSend } from '../../book/bookTransport';
import type { RowValues } from '../../book/columns';
import type { BookProblem } from '../../book/problem';
import type { BookAnswer, BookQuestion } from '../../book/question';
import { nameOfNode } from '../../nameOfNode';
import type { BookCredential } from '../../request/credential';
import { digest } from '../../request/itemKeys';
import { describeFormerBook } from './contactNotices';
import type { MarkStore } from './markStore';

/** The book as a run uses it; see {@link Book}. */
export interface BookAccess {
	/** Names the book in this process. */
	readonly id: string;
	ask(question: BookQuestion): Promise<BookAnswer>;
	settle(row: number, values: RowValues): Promise<BookProblem | undefined>;
	isEmpty(): Promise<boolean>;
	/** True if a retry finds the rows of its items; false also before the book was asked. */
	namesItems(): boolean;
}

/** What the node keeps in n8n's static data: the table that it has used last. n8n saves it if a trigger has started the execution. */
const savedTable = z.object({
	/** Its name or its ID, as the credential has it. */
	table: z.string(),
	/** Its ID. */
	id: z.string(),
});

/** The tables that nodes have used last in this process: name or ID, as the credential has it. */
const lastTables = new Map<string, string>();

const savedTableOf = (context: IExecuteFunctions): z.output<typeof savedTable> | undefined =>
	savedTable.safeParse(context.getWorkflowStaticData('node').contactBook).data;

/**
 * The mark of a node that uses the contact book: n8n keeps it also if the workflow was started by hand, until it is cut off
 * with other marks of its age ({@link MarkStore}).
 */
export const USES_BOOK = digest('uses the contact book');

/** Whether nodes have that mark, as far as this process knows: `undefined` if n8n could not say it. */
const marked = new Map<string, Promise<boolean | undefined>>();

/** Says of a node without the contact book that it has had one; empty if that is not known. */
export async function formerBookOf(context: IExecuteFunctions, store: MarkStore): Promise<string> {
	const node = nameOfNode(context);
	const table = lastTables.get(node) ?? savedTableOf(context)?.table;
	if (table !== undefined) return describeFormerBook(`the contact book "${table}"`);
	// One of several runs asks, since asking adds the mark for a moment.
	const asked = marked.get(node) ?? isMarked(store);
	marked.set(node, asked);
	const wasUsed = await asked;
	if (wasUsed === undefined) marked.delete(node);
	return wasUsed === true ? describeFormerBook('a contact book') : '';
}

async function isMarked(store: MarkStore): Promise<boolean | undefined> {
	const found = await store.add([USES_BOOK]);
	if (found?.length === 0) await store.remove([USES_BOOK]);
	return found && found.length > 0;
}

/** The contact book of a credential, for a run of the node. */
export function openBook(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	of: BookCredential,
): BookAccess {
	const book = bookOf(of);
	const send = createBookSend(context, credential, of);
	const { table } = of;
	// Not for each item: n8n copies the whole node.
	const node = nameOfNode(context);
	let last = savedTableOf(context);
	if (last?.table === table) book.expect(last.id);
	const remember = (id: string | undefined): void => {
		if (id === undefined) return;
		lastTables.set(node, table);
		if (id === last?.id && table === last.table) return;
		last = { table, id };
		context.getWorkflowStaticData('node').contactBook = last;
	};
	return {
		id: digest(`${of.api} ${table}`),
		ask: async (question) => {
			const answer = await book.ask(send, question);
			remember(book.tableId);
			return answer;
		},
		settle: async (row, values) => await book.settle(send, row, values),
		isEmpty: async () => await book.isEmpty(send),
		namesItems: () => book.namesItems,
	};
}
