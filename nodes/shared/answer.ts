import type { IDataObject } from 'n8n-workflow';

import { createFailure, type Failure, type FailureKind, type Outcome } from './failure';
import type { Operation } from './operation';
import { isObject } from './values';

/** An HTTP response, its body parsed if it is JSON and text if it is not. */
export interface ServiceResponse {
	readonly status: number;
	/** The header Retry-After as it came. */
	readonly retryAfter?: string;
	readonly body: unknown;
}

/** What became of one request. */
export type Answer =
	| { readonly accepted: true; readonly body: IDataObject }
	| { readonly accepted: false; readonly failure: Failure; readonly retryAfter?: string };

type TextKinds = readonly (readonly [RegExp, FailureKind])[];

/** Texts that mean the same whatever the status is (S 5, S 7). */
const TEXT_KINDS_BEFORE_STATUS: TextKinds = [
	[
		/api[- ]?key (?:is )?(?:not valid|invalid)|(?:invalid|not a valid) api[- ]?key/,
		'invalidApiKey',
	],
	[/no api[- ]?key|authori[sz]ation (?:is |was )?denied/, 'missingApiKey'],
	[
		/account upgrade|upgrade (?:is )?(?:needed|required)|upgrade (?:your|the) (?:account|plan)/,
		'upgradeRequired',
	],
	[/more than 24 hours|window is closed/, 'windowClosed'],
	[/has not responded|window is not (?:yet )?open/, 'windowNotOpen'],
];

/** Statuses that mean the same whatever the text is, unless the operation says otherwise (S 7.1). */
const STATUS_KINDS: Readonly<Record<number, FailureKind>> = {
	401: 'invalidApiKey',
	402: 'upgradeRequired',
	403: 'forbidden',
	404: 'notFound',
	429: 'rateLimited',
};

/** Texts of errors whose status the specification does not show (S 7.2). */
const TEXT_KINDS_AFTER_STATUS: TextKinds = [
	[/no msgapp phone number/, 'noSenderNumber'],
	[/does not exist|not found/, 'notFound'],
	[/^forbidden/, 'forbidden'],
	[/server error|failed to retrieve model settings/, 'serviceError'],
	[/bad request|invalid workspace or assistant id/, 'invalidInput'],
];

const ALL_TEXT_KINDS = [...TEXT_KINDS_BEFORE_STATUS, ...TEXT_KINDS_AFTER_STATUS];

/** What may stand before an error text that is the whole of a message. */
const ERROR_PREFIX =
	/^\W*(?:error\W+)?(?:the |your |this |there is )?(?:internal |customer |knowledge base |paragraph |assistant |conversation )?/;

/** The longest text of the service that is passed on, in characters. */
const MAX_SERVICE_MESSAGE = 1_000;

/**
 * Says what a response means for an operation (S 3, S 4, S 7). Never throws.
 *
 * The specification does not show the status of most errors, so their texts count too, even with a
 * status of success.
 */
export function readAnswer(operation: Operation, response: ServiceResponse): Answer {
	const { status, body, retryAfter } = response;
	const serviceMessage = readServiceMessage(body);
	const isSuccess = status >= 200 && status <= 299;
	if (isSuccess && isObject(body)) {
		const kind = successErrorKind(operation, body, serviceMessage);
		if (kind === undefined) return { accepted: true, body };
		return failed(operation, kind, response, serviceMessage);
	}
	const kind =
		isSuccess || status < 400 ? 'badResponse' : errorKind(operation, status, serviceMessage);
	return { ...failed(operation, kind, response, serviceMessage), retryAfter };
}

function failed(
	operation: Operation,
	kind: FailureKind,
	{ status, body, retryAfter }: ServiceResponse,
	serviceMessage: string | null,
): Answer & { accepted: false } {
	const failure = createFailure({
		kind,
		outcome: outcomeOf(operation, kind, status, retryAfter),
		httpStatus: status,
		serviceMessage,
		code: readCode(body),
		moreInfo: isObject(body) && typeof body.moreInfo === 'string' ? body.moreInfo : null,
	});
	return { accepted: false, failure };
}

/** A server that failed may have acted before; one that says when to come back has not. */
function outcomeOf(
	{ repeatable }: Operation,
	kind: FailureKind,
	status: number,
	retryAfter: string | undefined,
): Outcome {
	if (kind === 'badResponse') return 'unknown';
	if (repeatable || (status === 503 && retryAfter !== undefined)) return 'refused';
	const isCertain = TEXT_KINDS_BEFORE_STATUS.some(([, certain]) => certain === kind);
	return kind === 'serviceError' || (status >= 500 && !isCertain) ? 'unknown' : 'refused';
}

function errorKind(
	operation: Operation,
	status: number,
	serviceMessage: string | null,
): FailureKind {
	const text = serviceMessage?.toLowerCase() ?? '';
	return (
		kindOfText(TEXT_KINDS_BEFORE_STATUS, text) ??
		operation.statusKinds?.[status] ??
		STATUS_KINDS[status] ??
		kindOfText(TEXT_KINDS_AFTER_STATUS, text) ??
		(status >= 500 || status === 408 ? 'serviceError' : 'invalidInput')
	);
}

/** The kind of failure behind a status of success; `undefined` for a good answer. */
function successErrorKind(
	operation: Operation,
	body: IDataObject,
	serviceMessage: string | null,
): FailureKind | undefined {
	const kept = Object.entries(operation.promises)
		.filter(([name, schema]) => schema.safeParse(body[name]).success)
		.map(([name]) => name);
	const text = serviceMessage?.toLowerCase() ?? '';
	const saysError = Boolean(body.error);
	if (kept.length === 0 || saysError) {
		return kindOfText(ALL_TEXT_KINDS, text) ?? 'badResponse';
	}
	const isOnlyText = kept.every((name) => name === 'msg' || name === 'message');
	return isOnlyText ? kindOfText(ALL_TEXT_KINDS, text.replace(ERROR_PREFIX, ''), 0) : undefined;
}

/** The first kind whose text occurs, or, with `position`, begins there. */
function kindOfText(kinds: TextKinds, text: string, position?: number): FailureKind | undefined {
	return kinds.find(([pattern]) => {
		const index = pattern.exec(text)?.index;
		return index !== undefined && (position === undefined || index === position);
	})?.[1];
}

/** The text of an error body; the name of its field differs by endpoint (S 7). */
function readServiceMessage(body: unknown): string | null {
	const candidates = isObject(body)
		? [body.error, body.msg, body.message, nestedMessage(body.error)]
		: [];
	const text = candidates.find(
		(candidate) => typeof candidate === 'string' && candidate.trim() !== '',
	);
	return typeof text === 'string' ? text.trim().slice(0, MAX_SERVICE_MESSAGE) : null;
}

const nestedMessage = (error: unknown): unknown => (isObject(error) ? error.message : undefined);

function readCode(body: unknown): string | number | null {
	const code = isObject(body) ? body.code : undefined;
	return typeof code === 'string' || typeof code === 'number' ? code : null;
}
