import type { IExecuteFunctions } from 'n8n-workflow';

import { BOOK_CREDENTIAL, readBookCredential } from '../../book/bookCredential';
import { bookOf } from '../../book/book';
import { createBookSend } from '../../book/bookTransport';
import { toBookProblem } from '../../book/problem';
import { digest } from '../../request/itemKeys';
import type { BookAccess } from './bookContacts';

/** The contact book of the node. If its credential cannot be used, whatever is asked of it fails with that problem. */
export async function openBook(context: IExecuteFunctions): Promise<BookAccess> {
	try {
		const credential = readBookCredential(await context.getCredentials(BOOK_CREDENTIAL));
		const book = bookOf(credential);
		const send = createBookSend(context, credential);
		return {
			id: digest(`${credential.api} ${credential.table}`),
			ask: async (question) => await book.ask(send, question),
			settle: async (row, values) => await book.settle(send, row, values),
		};
	} catch (error) {
		const problem = toBookProblem(error);
		const fail = async (): Promise<never> => await Promise.reject(problem);
		return { id: '', ask: fail, settle: fail };
	}
}
