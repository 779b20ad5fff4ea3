import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { bookOf } from '../../book/book';
import { createBookSend } from '../../book/bookTransport';
import type { RowValues } from '../../book/columns';
import type { BookProblem } from '../../book/problem';
import type { BookAnswer, BookQuestion } from '../../book/question';
import type { BookCredential } from '../../request/credential';
import { digest } from '../../request/itemKeys';

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

const savedTableOf = (context: IExecuteFunctions): z.output<typeof savedTable> | undefined =>
	savedTable.safeParse(context.getWorkflowStaticData('node').contactBook).data;

/** The contact book of a credential, for a run of the node. */
export function openBook(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	of: BookCredential,
): BookAccess {
	const book = bookOf(of);
	const send = createBookSend(context, credential, of);
	const { table } = of;
	let last = savedTableOf(context);
	if (last?.table === table) book.expect(last.id);
	const remember = (id: string | undefined): void => {
		if (id === undefined) return;
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
		namesItems: () => book.namesItems,
	};
}
