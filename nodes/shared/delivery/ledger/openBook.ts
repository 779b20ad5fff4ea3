import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { bookOf } from '../../book/book';
import { createBookSend } from '../../book/bookTransport';
import type { RowValues } from '../../book/columns';
import type { BookProblem } from '../../book/problem';
import type { BookAnswer, BookQuestion } from '../../book/question';
import type { BookCredential } from '../../request/credential';

/** The book as a run uses it; see {@link Book}. */
export interface BookAccess {
	ask(question: BookQuestion): Promise<BookAnswer>;
	settle(row: number, values: RowValues): Promise<BookProblem | undefined>;
}

/** The contact book of a credential, for a run of the node. */
export function openBook(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	of: BookCredential,
): BookAccess {
	const book = bookOf(of);
	const send = createBookSend(context, credential, of);
	return {
		ask: async (question) => await book.ask(send, question),
		settle: async (row, values) => await book.settle(send, row, values),
	};
}
