import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { BOOK_CREDENTIAL, readBookCredential } from '../../book/bookCredential';
import { bookOf } from '../../book/book';
import { createBookSend } from '../../book/bookTransport';
import type { RowValues } from '../../book/columns';
import { BookProblem, toBookProblem } from '../../book/problem';
import type { BookAnswer, BookQuestion } from '../../book/question';
import { digest } from '../../request/itemKeys';

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

/**
 * What the node keeps in n8n's static data: the table that it has used last, and whether it was said that the node does
 * without it. n8n saves it if a trigger has started the execution.
 */
const savedTable = z.object({
	/** Its name or its ID, as the credential has it. */
	table: z.string(),
	/** Its ID. */
	id: z.string(),
	/** True once it was said. */
	isTold: z.boolean().optional(),
});

type SavedTable = z.output<typeof savedTable>;

const savedTableOf = (context: IExecuteFunctions) => {
	const memory = context.getWorkflowStaticData('node');
	return {
		saved: savedTable.safeParse(memory.contactBook).data,
		save: (used: SavedTable): void => {
			memory.contactBook = used;
		},
	};
};

const NOT_CHOSEN = new BookProblem(
	'No credential is chosen for the contact book',
	'Choose an Assistant Service Contact Book API credential at the top of the panel. If you turn off Use Contact Book instead, whom only it knows is not held back.',
);

/** The tables that nodes have used last in this process: name or ID, as the credential has it. */
const lastBooks = new Map<string, string>();

const nameOf = (context: IExecuteFunctions): string =>
	`${context.getWorkflow().id ?? ''} ${context.getNode().id}`;

/** What is said of the first run without the book after one with it, and of those before it that only check or stop. */
export interface FormerBook {
	/** Empty if there is nothing to say. */
	readonly notice: string;
	/** The notice was given: it is not given again, since somebody may have turned the book off on purpose. */
	setTold(): void;
}

/** The book that the node has used before. After a restart of n8n, it is known only in workflows that a trigger has started. */
export function formerBookOf(context: IExecuteFunctions): FormerBook {
	const name = nameOf(context);
	const { saved, save } = savedTableOf(context);
	const table = lastBooks.get(name) ?? (saved?.isTold === true ? undefined : saved?.table);
	return {
		notice:
			table === undefined
				? ''
				: `This node has used the contact book "${table}", and does not any more: whom only that one knows is not held back.`,
		setTold: () => {
			lastBooks.delete(name);
			if (saved && saved.isTold !== true) save({ ...saved, isTold: true });
		},
	};
}

/** The contact book of the node. If its credential cannot be used, whatever is asked of it fails with that problem. */
export async function openBook(context: IExecuteFunctions): Promise<BookAccess> {
	try {
		if (context.getNode().credentials?.[BOOK_CREDENTIAL] === undefined) throw NOT_CHOSEN;
		const credential = readBookCredential(await context.getCredentials(BOOK_CREDENTIAL));
		const book = bookOf(credential);
		const send = createBookSend(context, credential);
		const { table } = credential;
		const { saved, save } = savedTableOf(context);
		let last = saved;
		if (last?.table === table) book.expect(last.id);
		const node = nameOf(context);
		const remember = (id: string | undefined): void => {
			if (id === undefined) return;
			lastBooks.set(node, table);
			if (id === last?.id && table === last.table && last.isTold !== true) return;
			last = { table, id };
			save(last);
		};
		return {
			id: digest(`${credential.api} ${table}`),
			ask: async (question) => {
				const answer = await book.ask(send, question);
				remember(book.tableId);
				return answer;
			},
			settle: async (row, values) => await book.settle(send, row, values),
			isEmpty: async () => await book.isEmpty(send),
			namesItems: () => book.namesItems,
		};
	} catch (error) {
		const problem = toBookProblem(error);
		const fail = async (): Promise<never> => await Promise.reject(problem);
		return { id: '', ask: fail, settle: fail, isEmpty: fail, namesItems: () => false };
	}
}
