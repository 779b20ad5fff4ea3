import type { IDataObject } from 'n8n-workflow';

import {
	createFailure,
	FAILURE_TEXTS,
	type Failure,
	type FailureKind,
	type Outcome,
} from './failure';
import type { AnswerRules, RequestProperties } from './answerRules';
import { explainNames } from './namedFields';
import { ERROR_STATUS, ServiceText, TEXTS_AFTER_STATUS, TEXTS_BEFORE_STATUS } from './serviceText';
import { isBlank, isObject, toPlainText } from '../values';

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

/** Statuses that mean the same whatever the text is, unless the operation says otherwise (S 7.1). */
const STATUS_KINDS: Readonly<Record<number, FailureKind>> = {
	401: 'invalidApiKey',
	402: 'upgradeRequired',
	403: 'forbidden',
	404: 'notFound',
	429: 'rateLimited',
};

/** The longest text of the service that is passed on, in characters. */
const MAX_SERVICE_MESSAGE = 1_000;

/**
 * Says what a response means for an operation (S 3, S 4, S 7). Never throws.
 *
 * The specification does not show the status of most errors, so their texts count too, even in a 2xx.
 * Values of the request that the service repeats are ignored.
 *
 * @param properties the request's properties, as they were sent
 */
export function readAnswer(
	rules: AnswerRules,
	response: ServiceResponse,
	properties: RequestProperties = {},
): Answer {
	const { status, body, retryAfter } = response;
	const serviceMessage = readServiceMessage(body);
	const text = new ServiceText(serviceMessage ?? '', properties);
	const isSuccess = status >= 200 && status <= 299;
	if (isSuccess && isObject(body)) {
		const isNo = saysNo(rules, body);
		const kind = isNo ? (text.kindIn() ?? 'badResponse') : successErrorKind(rules, body, text);
		if (kind === undefined) return { accepted: true, body };
		const isHarmless = isNo && rules.repeatable;
		const outcome = isHarmless ? 'refused' : outcomeOf(rules, kind, status);
		return refusal(rules, kind, outcome, response, serviceMessage);
	}
	const kind = isSuccess || status < 400 ? 'badResponse' : errorKind(rules, status, text);
	const outcome = outcomeOf(rules, kind, status, retryAfter);
	return { ...refusal(rules, kind, outcome, response, serviceMessage), retryAfter };
}

function refusal(
	rules: AnswerRules,
	kind: FailureKind,
	outcome: Outcome,
	{ status, body }: ServiceResponse,
	said: string | null,
): Answer & { accepted: false } {
	const serviceMessage = said?.slice(0, MAX_SERVICE_MESSAGE) ?? null;
	const failure = createFailure({
		kind,
		outcome,
		httpStatus: status,
		hint: kind === 'invalidInput' ? inputHint(rules, serviceMessage ?? '') : undefined,
		serviceMessage,
		code: readCode(body),
		moreInfo: isObject(body) && typeof body.moreInfo === 'string' ? body.moreInfo : null,
	});
	return { accepted: false, failure };
}

/** Names the fields of the form that the service means, or those that are usually meant. */
function inputHint({ fieldNames = {}, usualMistake }: AnswerRules, said: string): string {
	const explained = explainNames(said, fieldNames);
	const { hint } = FAILURE_TEXTS.invalidInput;
	return explained === undefined ? (usualMistake ?? hint) : `${explained} ${hint}`.trim();
}

/** A server that failed may already have acted. A 503 with Retry-After says that it did not. */
function outcomeOf(
	{ repeatable }: AnswerRules,
	kind: FailureKind,
	status: number,
	retryAfter?: string,
): Outcome {
	if (kind === 'badResponse') return 'unknown';
	if (repeatable || (status === 503 && retryAfter !== undefined)) return 'refused';
	const isCertain = TEXTS_BEFORE_STATUS.some(([, certain]) => certain === kind);
	return kind === 'serviceError' || (status >= 500 && !isCertain) ? 'unknown' : 'refused';
}

function errorKind(rules: AnswerRules, status: number, text: ServiceText): FailureKind {
	return (
		text.kindIn(TEXTS_BEFORE_STATUS) ??
		rules.statusKinds?.[status] ??
		STATUS_KINDS[status] ??
		text.kindIn(TEXTS_AFTER_STATUS) ??
		(status >= 500 || status === 408 ? 'serviceError' : 'invalidInput')
	);
}

/**
 * True if a body alone says that the request failed: `success` is false, `error` is not empty, `status` is a success
 * marker and not one of S 2.6, or it is an error body of S 7 (with `code` and `moreInfo`, or with the status of an error).
 */
function saysNo({ successMarkers }: AnswerRules, body: IDataObject): boolean {
	const { success, error, status, code, moreInfo } = body;
	const isUnknownStatus =
		!isBlank(status) && successMarkers.status?.safeParse(status).success === false;
	const isFailure = success === false || NO.has(toPlainText(success).toLowerCase());
	const isErrorBody =
		ERROR_STATUS.test(toPlainText(status)) || !(isBlank(code) || isBlank(moreInfo));
	return isFailure || isUnknownStatus || isErrorBody || (!isBlank(error) && Boolean(error));
}

/** Values of `success` that mean false. */
const NO = new Set(['false', 'no', '0']);

/** The kind of failure of a 2xx whose body does not say no by itself; `undefined` for a good answer. */
function successErrorKind(
	{ successMarkers }: AnswerRules,
	body: IDataObject,
	text: ServiceText,
): FailureKind | undefined {
	const kept = Object.entries(successMarkers)
		.filter(([name, schema]) => schema.safeParse(body[name]).success)
		.map(([name]) => name);
	if (kept.length === 0) return text.kindIn() ?? 'badResponse';
	const isOnlyText = kept.every((name) => name === 'msg' || name === 'message');
	return isOnlyText ? text.kindOfWhole() : undefined;
}

/** The text of an error body; the name of its field differs by endpoint (S 7). */
function readServiceMessage(body: unknown): string | null {
	const candidates = isObject(body)
		? [body.error, body.msg, body.message, nestedMessage(body.error)]
		: [];
	const text = candidates.find(
		(candidate) => typeof candidate === 'string' && candidate.trim() !== '',
	);
	return typeof text === 'string' ? text.trim() : null;
}

const nestedMessage = (error: unknown): unknown => (isObject(error) ? error.message : undefined);

function readCode(body: unknown): string | number | null {
	const code = isObject(body) ? body.code : undefined;
	return typeof code === 'string' || typeof code === 'number' ? code : null;
}
