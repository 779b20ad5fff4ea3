import { sleep, type IDataObject, type IWebhookFunctions } from 'n8n-workflow';

import { bookOf } from '../shared/book/book';
import { BOOK_CREDENTIAL, readBookCredential } from '../shared/book/bookCredential';
import { createBookSend } from '../shared/book/bookTransport';
import type { BookRow } from '../shared/book/columns';
import { toBookProblem } from '../shared/book/problem';
import { rowsWith, type TableApi } from '../shared/book/tableApi';

/** How long n8n may take for one request, in milliseconds: the sender of the event waits. */
const TIMEOUT = 10_000;

/** After how long a contact is looked for once more, in milliseconds: the end of a call can be faster than the answer to its request. */
const LOOK_AGAIN = 2_000;

/** How much of a summary is kept, in characters. */
const MAX_SUMMARY = 10_000;

/** True if the trigger uses the contact book. */
export const usesBook = (context: Pick<IWebhookFunctions, 'getNodeParameter'>): boolean =>
	context.getNodeParameter('useContactBook', false) === true;

/**
 * Finds the contact that a call belongs to, by the call's ID, and writes the end of the call into its row.
 *
 * @param callId `null` if the event has none
 * @returns whose call it was, also if only its row could not be completed; `null` if nobody knows, or if the book cannot be
 * reached. n8n's log says what went wrong. Never rejects.
 */
export async function endContactOf(
	context: IWebhookFunctions,
	callId: string | null,
	summary: unknown,
	endedAt: Date,
): Promise<IDataObject | null> {
	if (callId === null) return null;
	const known: { contact: IDataObject | null } = { contact: null };
	try {
		const credential = readBookCredential(await context.getCredentials(BOOK_CREDENTIAL));
		const send = createBookSend(context, credential, TIMEOUT);
		await bookOf(credential).use(
			send,
			async (table) => {
				const row = (await find(table, callId)) ?? (await findLater(table, callId));
				if (row === undefined) return;
				known.contact = toContact(row);
				await table.update(rowsWith('id', [row.id]), {
					endedAt: endedAt.toISOString(),
					...(typeof summary === 'string' && { summary: cut(summary) }),
				});
			},
			false,
		);
	} catch (error) {
		const { message, hint } = toBookProblem(error);
		const missing = known.contact === null ? 'looked up' : 'completed';
		context.logger.warn(`The contact of an ended call was not ${missing}. ${message}. ${hint}`);
	}
	return known.contact;
}

/** A sign that takes two units is kept whole or left out. */
const cut = (summary: string): string =>
	summary.slice(0, MAX_SUMMARY).replace(/[\ud800-\udbff]$/, '');

async function findLater(table: TableApi, callId: string): Promise<BookRow | undefined> {
	await sleep(LOOK_AGAIN);
	return await find(table, callId);
}

/** The newest row with the call's ID. */
async function find(table: TableApi, callId: string): Promise<BookRow | undefined> {
	return (await table.some(rowsWith('contactId', [callId]), 'id:desc', 0, 1))[0];
}

function toContact(row: BookRow): IDataObject {
	const { phone, reference, operation, contactedAt, workflow, execution, resumeUrl } = row;
	const time = Number.isNaN(contactedAt) ? null : new Date(contactedAt).toISOString();
	const contact = {
		phone,
		reference,
		operation,
		contactedAt: time,
		workflow,
		execution,
		resumeUrl,
	};
	return Object.fromEntries(Object.entries(contact).map(([name, value]) => [name, value ?? null]));
}
