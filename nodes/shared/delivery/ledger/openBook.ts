import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { BOOK_CREDENTIAL, readBookCredential } from '../../book/bookCredential';
import { bookOf } from '../../book/book';
import { createBookSend } from '../../book/bookTransport';
import type { RowValues } from '../../book/columns';
import { BookProblem, toBookProblem } from '../../book/problem';
import type { BookAnswer, BookQuestion } from '../../book/question';
import { digest } from '../../values';

/** The book as a run uses it; see {@link Book}. */
export interface BookAccess {
	/** Names the book in this process. */
	readonly id: string;
	ask(question: BookQuestion): Promise<BookAnswer>;
	settle(row: number, values: RowValues): Promise<BookProblem | undefined>;
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

const NOT_CHOSEN = new BookProblem(
	'No credential is chosen for the contact book',
	'Choose an Assistant Service Contact Book API credential at the top of the panel. If you turn off Use Contact Book instead, whom only it knows is not held back.',
);

const savedTableOf = (context: IExecuteFunctions): z.output<typeof savedTable> | undefined =>
	savedTable.safeParse(context.getWorkflowStaticData('node').contactBook).data;

/** The contact book of the node. If its credential cannot be used, whatever is asked of it fails with that problem. */
export async function openBook(context: IExecuteFunctions): Promise<BookAccess> {
	try {
		if (context.getNode().credentials?.[BOOK_CREDENTIAL] === undefined) throw NOT_CHOSEN;
		const credential = readBookCredential(await context.getCredentials(BOOK_CREDENTIAL));
		const book = bookOf(credential);
		const send = createBookSend(context, credential);
		const { table } = credential;
		let last = savedTableOf(context);
		if (last?.table === table) book.expect(last.id);
		const remember = (id: string | undefined): void => {
			if (id === undefined) return;
			if (id === last?.id && table === last.table) return;
			last = { table, id };
			context.getWorkflowStaticData('node').contactBook = last;
		};
		return {
			id: digest(`${credential.api} ${table}`),
			ask: async (question) => {
				const answer = await book.ask(send, question);
				remember(book.tableId);
				return answer;
			},
			settle: async (row, values) => await book.settle(send, row, values),
			namesItems: () => book.namesItems,
		};
	} catch (error) {
		const problem = toBookProblem(error);
		const fail = async (): Promise<never> => await Promise.reject(problem);
		return { id: '', ask: fail, settle: fail, namesItems: () => false };
	}
}
