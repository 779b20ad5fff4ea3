import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { pick } from '../AssistantService/answerParts';
import { tellFault, tellFaults } from '../shared/answer/valueFault';
import { openBook, type Book } from '../shared/book/book';
import { createBookAccess } from '../shared/book/bookTransport';
import type { CallEnd } from '../shared/book/callEnds';
import type { BookRow } from '../shared/book/columns';
import { BookProblem, toBookProblem } from '../shared/book/bookProblem';
import type { ApiSend } from '../shared/book/tableApi';
import { readListed } from '../shared/declaration/phoneNumber';
import { checkCredential, type CredentialSettings } from '../shared/service/credential';
import { doneOrAborted } from '../shared/time/wait';
import { isBlank, shorten, toPlainText } from '../shared/values';
import { isOpen } from '../shared/waiting/calls';
import { resumeIfOver } from '../shared/waiting/resume';
import type { readCallEvent } from './event';
import { ADD_BY_HAND } from './optOut';

/** How long an event waits for its contact at most, in milliseconds: its sender waits, too. */
const LONGEST_WAIT = 30_000;

/** When a contact is looked for once more, in milliseconds: a call's end can outrun its answer. */
const LOOK_AGAIN = 2_000;

/** Longer IDs, in characters, are those of no call: they would not fit into an address. */
const MAX_ID = 500;

/** How much of a summary is kept, in characters. */
const MAX_SUMMARY = 2_000;

/** How many characters of JSON the variables of an event may take to be kept. */
const MAX_VARIABLES = 4_000;

/** What an event says of the call that has ended. */
export type EndedCall = ReturnType<typeof readCallEvent> & {
	/** True if the event came before. */
	readonly isRepeat: boolean;
	readonly saysOptOut: boolean;
};

/** What the contact book knows of it. */
export interface EndedContact {
	/** Whose call it was; null if nobody knows, `undefined` without a contact book. */
	row: BookRow | null | undefined;
	/** True if a row of the book opts the person out. */
	isOptedOut: boolean;
}

/** The row of a call, and how to reach its book. */
interface RowInBook {
	readonly row: BookRow;
	readonly book: Book;
	readonly send: ApiSend;
}

/**
 * Finds whose call it was, by the call's ID, writes its end into that row, and opts the person out
 * if the call says so. Ends after 30 seconds at most; n8n's log has what went wrong. Never rejects.
 */
export async function endContact(
	context: IWebhookFunctions,
	credential: ICredentialDataDecryptedObject,
	call: EndedCall,
): Promise<EndedContact> {
	const warn = (what: string, reason: string): void => {
		const named = `${what} of call ${shorten(JSON.stringify(call.callId))}`;
		context.logger.warn(`The ${named} is not in the contact book. ${reason}`);
	};
	const warnOf = (what: string) => (error: unknown) => {
		const { message, hint } = toBookProblem(error);
		warn(what, `${message}. ${hint}`);
		return undefined;
	};
	const settings = checkCredential(credential);
	const hasBook = settings.book !== undefined || settings.bookFaults.length > 0;
	const ended: EndedContact = { row: hasBook ? null : undefined, isOptedOut: false };
	const work = async (): Promise<true> => {
		const completing = complete(context, credential, settings, call, warnOf('end'));
		const bookOfRow = await completing.catch(warnOf('end'));
		if (bookOfRow) {
			ended.row = bookOfRow.row;
			resumeAfterAnswer(context, bookOfRow);
		}
		const optOut = call.saysOptOut && optOutContact(bookOfRow).catch(warnOf('opt-out'));
		ended.isOptedOut = (await optOut) === true;
		return true;
	};
	const isDone = await doneOrAborted(work(), AbortSignal.timeout(LONGEST_WAIT));
	const late = `Not within ${LONGEST_WAIT / 1_000} seconds: it is written when n8n's API answers.`;
	if (isDone !== true) warn('end', late);
	return { ...ended };
}

const columns = pick('phone', 'reference', 'operation', 'contactedAt', 'workflow', 'execution');

/** Says whose call it was, as a workflow gets it. */
export const contactOutput = (row: BookRow): IDataObject =>
	columns({ ...row, contactedAt: toIso(row.contactedAt) });

/** Finds the row of a call and completes it; the end that came first stays. @throws BookProblem */
async function complete(
	context: IWebhookFunctions,
	credential: ICredentialDataDecryptedObject,
	{ book: bookCredential, bookFaults }: CredentialSettings,
	call: EndedCall,
	notCompleted: (error: unknown) => void,
): Promise<RowInBook | undefined> {
	const { callId, isRepeat } = call;
	if (bookFaults.length > 0)
		throw new BookProblem(tellFaults(bookFaults), 'Correct the credential.');
	if (!bookCredential || callId === null || callId.length > MAX_ID) return undefined;
	const access = createBookAccess(context, credential, bookCredential);
	const { send } = access;
	const book = await openBook(access);
	const completeRow = async () =>
		await book.callEnds.complete(send, callId, endOf(call), isRepeat, notCompleted);
	const untilSettled = async () => await Promise.all([sleep(LOOK_AGAIN), book.settled]);
	const row = (await completeRow()) ?? (await untilSettled().then(completeRow));
	return row && { row, book, send };
}

function endOf({ receivedAt, summary, callStartTime, ...end }: EndedCall): CallEnd {
	const variables = JSON.stringify(end.variables);
	return {
		endedAt: receivedAt,
		summary: textOf(summary),
		callStartTime: textOf(callStartTime),
		variables: variables.length > MAX_VARIABLES ? null : variables,
	};
}

/** Gives a text as it is, anything else as JSON, both cut; null for nothing. */
function textOf(value: unknown): string | null {
	if (isBlank(value)) return null;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	// A sign that takes two units is kept whole or left out.
	return text.slice(0, MAX_SUMMARY).replace(/[\ud800-\udbff]$/, '');
}

/** Resumes the execution that waits for the call, if any, once n8n has answered the service. */
function resumeAfterAnswer(context: IWebhookFunctions, { row, book, send }: RowInBook): void {
	const { wait, resumeUrl } = row;
	if (!wait || !resumeUrl) return;
	void resumeIfOver(context, { wait, resumeUrl }, async () => {
		const open = await book.callEnds.findOpen(send, wait);
		return open === undefined || !isOpen(open);
	});
}

/** @throws BookProblem also if nobody knows whose call it was */
async function optOutContact(bookOfRow: RowInBook | undefined): Promise<true> {
	if (!bookOfRow) throw new BookProblem('The contact of this call was not found', ADD_BY_HAND);
	const { row, book, send } = bookOfRow;
	if (toPlainText(row.mode).toLowerCase() === 'redirect')
		throw new BookProblem('The test number was called, in the mode "Redirect"', ADD_BY_HAND);
	const read = readListed(row.phone);
	if (read.kind !== 'read') throw new BookProblem(tellFault(read), ADD_BY_HAND);
	const { reference = null } = row;
	const contactedAt = toIso(row.contactedAt);
	await book.callEnds.optOut(send, { phone: read.value, reference, contactedAt });
	return true;
}

const toIso = (time: number): string | null =>
	Number.isNaN(time) ? null : new Date(time).toISOString();
