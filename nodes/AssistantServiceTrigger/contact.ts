import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { openBook } from '../shared/book/book';
import { createBookSend } from '../shared/book/bookTransport';
import type { CallEnds } from '../shared/book/callEnds';
import type { BookRow } from '../shared/book/columns';
import { BookProblem, toBookProblem } from '../shared/book/problem';
import type { ApiSend } from '../shared/book/tableApi';
import { checkCredential } from '../shared/request/credential';
import { doneOrAborted } from '../shared/time/wait';

/** How long n8n may take for one request, in milliseconds. */
const TIMEOUT = 10_000;

/** How long an event waits for its contact at most, in milliseconds: its sender waits, too. */
const LONGEST_WAIT = 30_000;

/** After how long a contact is looked for once more, in milliseconds: the end of a call can be faster than the answer to its request. */
const LOOK_AGAIN = 2_000;

/** How much of a summary is kept, in characters. */
const MAX_SUMMARY = 10_000;

/**
 * Finds the contact that a call belongs to, by the call's ID, and writes the end of the call into its row.
 *
 * @param callId `null` if the event has none
 * @returns whose call it was, also if only its row could not be completed; `null` if nobody knows, or if the book cannot be
 * reached; `undefined` if the credential has none. n8n's log says what went wrong. Never rejects.
 */
export async function endContactOf(
	context: IWebhookFunctions,
	credential: ICredentialDataDecryptedObject,
	callId: string | null,
	summary: unknown,
	endedAt: Date,
): Promise<IDataObject | null | undefined> {
	const { book, bookProblems } = checkCredential(credential);
	if (!book && bookProblems.length === 0) return undefined;
	if (callId === null) return null;
	const known: { contact: IDataObject | null } = { contact: null };
	const warn = (message: string): void => {
		const missing = known.contact === null ? 'looked up' : 'completed';
		context.logger.warn(`The contact of an ended call was not ${missing}. ${message}`);
	};
	const work = async (): Promise<true> => {
		try {
			if (!book) throw new BookProblem(bookProblems.join('; '), 'Correct the credential.');
			const send = createBookSend(context, credential, book, TIMEOUT);
			const { callEnds } = await openBook(send, book);
			const row = (await callEnds.find(send, callId)) ?? (await findLater(callEnds, send, callId));
			if (row === undefined) return true;
			known.contact = toContact(row);
			await callEnds.complete(send, row.id, {
				endedAt: endedAt.toISOString(),
				...(typeof summary === 'string' && { summary: cut(summary) }),
			});
		} catch (error) {
			const { message, hint } = toBookProblem(error);
			warn(`${message}. ${hint}`);
		}
		return true;
	};
	const isDone = await doneOrAborted(work(), AbortSignal.timeout(LONGEST_WAIT));
	if (isDone !== true)
		warn(
			`Not within ${LONGEST_WAIT / 1_000} seconds: its row is completed when n8n's API answers.`,
		);
	return known.contact;
}

/** A sign that takes two units is kept whole or left out. */
const cut = (summary: string): string =>
	summary.slice(0, MAX_SUMMARY).replace(/[\ud800-\udbff]$/, '');

async function findLater(
	callEnds: CallEnds,
	send: ApiSend,
	callId: string,
): Promise<BookRow | undefined> {
	await sleep(LOOK_AGAIN);
	return await callEnds.find(send, callId);
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
