import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { pick } from '../AssistantService/answerParts';
import { tellFault, tellFaults } from '../shared/answer/valueFault';
import { openBook } from '../shared/book/book';
import { createBookAccess, newest, warnLater, type AnyContext } from '../shared/book/bookTransport';
import type { CallEnd, Warn } from '../shared/book/callEnds';
import type { BookRow } from '../shared/book/columns';
import { BookProblem, toBookProblem } from '../shared/book/bookProblem';
import { isRedirected } from '../shared/book/view';
import { readListed } from '../shared/declaration/phoneNumber';
import { readResumeUrl } from '../shared/host';
import { checkCredential, type CredentialSettings } from '../shared/service/credential';
import { doneOrAborted, firstResult } from '../shared/time/wait';
import { isBlank, shorten, toPlainText } from '../shared/values';
import { isGoingOn } from '../shared/waiting/calls';
import { resumeIfOver } from '../shared/waiting/resume';
import type { readCallEvent } from './event';
import { ADD_BY_HAND, type readResult } from './namedProperties';
import { ANSWER_LOOKS } from './repeats';
import { state } from './state';

/** How long an event waits for its contact at most, in milliseconds: its sender waits, too. */
const ANSWERED_WITHIN = 30_000;

/** When a contact is looked for once more, in milliseconds: a call's end can outrun its answer. */
const LOOK_AGAIN = 2_000;

/** The pauses before it is looked for when n8n has answered: 10, 60 and 300 s after the event. */
const LATE_LOOKS = [8_000, 50_000, 240_000];

/** For how many calls one process does so at a time. */
export const MOST_LATE = 2_000;

/** Longer IDs, in characters, are those of no call: they would not fit into an address. */
const MAX_ID = 500;

/** How much of a summary is kept, in characters. */
const MAX_SUMMARY = 2_000;

/** How many characters of JSON the variables of an event may take to be kept. */
const MAX_VARIABLES = 4_000;

/** What an event says of the call that has ended. */
export type EndedCall = ReturnType<typeof readCallEvent> &
	ReturnType<typeof readResult> & {
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

/** What is written of a call, and where. It holds nothing of its event: many may wait. */
type CallInBook = NonNullable<Awaited<ReturnType<typeof openFor>>>;

/**
 * Finds whose call it was, by the call's ID, writes its end into that row, and opts the person out
 * if the call says so. Ends after 30 seconds at most; n8n's log has what went wrong. Never rejects.
 */
export async function endContact(
	context: IWebhookFunctions,
	credential: ICredentialDataDecryptedObject,
	call: EndedCall,
): Promise<EndedContact> {
	const warn = warnInto(context.logger, call.callId);
	const settings = checkCredential(credential);
	const hasBook = settings.book !== undefined || settings.bookFaults.length > 0;
	const ended: EndedContact = { row: hasBook ? null : undefined, isOptedOut: false };
	const response = context.getResponseObject();
	// With a limit of concurrent executions, n8n answers late to what resumes one.
	const answered = async () =>
		await firstResult(() => response.writableEnded || undefined, ANSWER_LOOKS);
	const completeContact = async (): Promise<void> => {
		const inBook = await openFor(context, credential, settings, call);
		if (inBook === undefined) return;
		const look = async () => await complete(context, inBook, ended, warn, answered);
		if (await look()) return;
		await Promise.all([sleep(LOOK_AGAIN), inBook.book.settled]);
		if (!(await look().catch(warn('end')))) void completeLate(inBook);
	};
	const work = async (): Promise<true> => {
		await completeContact().catch(warn('end'));
		if (call.saysOptOut && !ended.row) warn('opt-out')(NO_CONTACT);
		return true;
	};
	const isDone = await doneOrAborted(work(), AbortSignal.timeout(ANSWERED_WITHIN));
	if (isDone !== true) warn(ended.row ? 'opt-out' : 'end')(LATE);
	return { ...ended };
}

const warnInto =
	(logger: { warn(text: string): void }, callId: string | null): Warn =>
	(what) =>
	(error) => {
		const { message, hint } = toBookProblem(error);
		const named = `${what} of call ${shorten(JSON.stringify(callId))}`;
		logger.warn(`The ${named} is not in the contact book. ${message}. ${hint}`);
	};

const NO_CONTACT = new BookProblem('The contact of this call was not found', ADD_BY_HAND);
const LATE = new BookProblem('Not within 30 seconds', "It is written when n8n's API answers.");
const NO_ROW = new BookProblem(
	'No row has this ID',
	'If n8n placed the call, enter the ID and endedAt in its row.',
);

const columns = pick('phone', 'reference', 'operation', 'contactedAt', 'workflow', 'execution');

/** Says whose call it was, as a workflow gets it. */
export const contactOutput = (row: BookRow): IDataObject => ({
	...columns({ ...row, contactedAt: toIso(row.contactedAt) }),
	list: toPlainText(row.list) || null,
});

/** Opens the book that may have the row of a call. @throws BookProblem */
async function openFor(
	context: IWebhookFunctions,
	credential: ICredentialDataDecryptedObject,
	{ book: bookCredential, bookFaults }: CredentialSettings,
	call: EndedCall,
) {
	const { callId, isRepeat, saysOptOut } = call;
	if (bookFaults.length > 0)
		throw new BookProblem(tellFaults(bookFaults), 'Correct the credential.');
	if (!bookCredential || callId === null || callId.length > MAX_ID) return undefined;
	const access = createBookAccess(context, credential, bookCredential);
	const book = await openBook(access);
	// Beside it are those of executions that wait.
	const resumeUrl = readResumeUrl(context);
	return { callId, end: endOf(call), isRepeat, saysOptOut, book, send: access.send, resumeUrl };
}

function endOf({ receivedAt, summary, callStartTime, ...end }: EndedCall): CallEnd {
	const variablesJson = JSON.stringify(end.variables);
	const { reached = null, callBackAt = null } = end;
	return {
		endedAt: receivedAt,
		summary: textOf(summary),
		callStartTime: textOf(callStartTime),
		variables: variablesJson.length > MAX_VARIABLES ? null : variablesJson,
		reached: reached === null ? null : reached ? 'yes' : 'no',
		callBackAt,
	};
}

/** Gives a text as it is, anything else as JSON, both cut; null for nothing. */
function textOf(value: unknown): string | null {
	if (isBlank(value)) return null;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	// A sign that takes two units is kept whole or left out.
	return text.slice(0, MAX_SUMMARY).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Completes the row of a call, resumes the execution that waits for it, and opts the person out.
 *
 * @param ended is told what is found, as soon as it is
 * @param answered awaited before an execution is resumed
 * @returns false if there is no row. @throws BookProblem
 */
async function complete(
	context: AnyContext,
	call: CallInBook,
	ended: EndedContact,
	warn: Warn,
	answered?: () => Promise<unknown>,
): Promise<boolean> {
	const { book, send } = call;
	const row = await book.callEnds.complete(send, call.callId, call.end, call.isRepeat, warn);
	if (row === undefined) return false;
	ended.row = row;
	const { wait, resumeUrl } = row;
	if (wait && resumeUrl)
		void resumeIfOver(context, call.resumeUrl, { wait, resumeUrl }, async () => {
			await answered?.();
			const openRow = await book.callEnds.findOpen(send, wait);
			return openRow === undefined || !isGoingOn(openRow);
		});
	const optingOut = call.saysOptOut && optOutContact(call, row).catch(warn('opt-out'));
	ended.isOptedOut = (await optingOut) === true;
	return true;
}

/** Completes the row of a call that is not there when n8n answers. Never rejects. */
async function completeLate(call: CallInBook): Promise<void> {
	const warn = warnInto({ warn: warnLater }, call.callId);
	const isFound = async (): Promise<boolean> => {
		for (const pause of state.lateCalls > MOST_LATE ? [] : LATE_LOOKS) {
			// The timer of a signal keeps no process alive that is to stop.
			await doneOrAborted(new Promise(() => undefined), AbortSignal.timeout(pause));
			const { context } = newest;
			const ended = { row: null, isOptedOut: false };
			if (context && (await complete(context, call, ended, warn).catch(warn('end')))) return true;
		}
		return false;
	};
	state.lateCalls++;
	if (!(await isFound())) warn('end')(NO_ROW);
	state.lateCalls--;
}

/** @throws BookProblem */
async function optOutContact({ book, send }: CallInBook, row: BookRow): Promise<true> {
	if (isRedirected(row.mode))
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
