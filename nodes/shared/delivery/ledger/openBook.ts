import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { openBook, type Book } from '../../book/book';
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

/** The contact book of a credential, for a run of the node: it is opened once, when the run asks first. */
export function bookOfRun(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	of: BookCredential,
): BookAccess {
	const send = createBookSend(context, credential, of);
	let opening: Promise<Book> | undefined;
	const book = async (): Promise<Book> => await (opening ??= openBook(send, of));
	return {
		ask: async (question) => await (await book()).ask(send, question),
		settle: async (row, values) => await (await book()).settle(send, row, values),
	};
}
