import type { IDataObject } from 'n8n-workflow';

import type { AnswerRules } from './answerRules';
import { BY_PROXY } from './connectionError';
import { createFailure, type Failure, type FailureKind } from './failure';
import { AFTER_STATUS, BEFORE_STATUS, refusalIn, wholeRefusal } from './refusalTexts';
import { isBlank, isObject, toPlainText } from '../values';

/** An HTTP response, its body parsed if it is JSON and text if it is not. */
export interface ServiceResponse {
	readonly status: number;
	/** The header Retry-After as it came. */
	readonly retryAfter?: string;
	readonly body: unknown;
}

/**
 * Whether a failed request has done anything: certainly nothing; nothing, and the service asks to
 * try later; or nobody can say. The outcome does not tell: if safe to repeat, a 500 is `refused`.
 */
export type Effect = 'none' | 'noneYet' | 'possible';

/** An answer that did not accept a request. */
export interface Rejected extends Pick<ServiceResponse, 'retryAfter'> {
	readonly kind: 'failed';
	readonly failure: Failure;
	readonly effect: Effect;
}

/** What became of one request. */
export type Answer = { readonly kind: 'accepted'; readonly body: IDataObject } | Rejected;

/** Statuses that mean the same unless the text or the operation says otherwise (S 7.1). */
const STATUS_KINDS: Readonly<Record<number, FailureKind>> = {
	401: 'invalidApiKey',
	402: 'upgradeRequired',
	403: 'forbidden',
	404: 'notFound',
	429: 'rateLimited',
};

/** The status by which a proxy refuses to pass a request on; no service answers it. */
const OF_PROXY = 407;

const BY_SOMETHING_ELSE = {
	message: 'Something other than the service refused the request',
	hint: 'A firewall or a proxy may have answered, or "Base URL" in the credential is wrong.',
	advice: 'Do not repeat this tool call. Report this.',
};

const TOO_LARGE = {
	message: 'The request is too large',
	hint: 'Shorten its texts, or send fewer paragraphs at once.',
	advice: 'Shorten the texts. Do not repeat this tool call with the same values.',
};

/** The longest text of the service that is passed on, in characters. */
const MAX_SERVICE_MESSAGE = 1_000;

/** Says what a response means for an operation (S 3, S 4, S 7). Never throws. */
export function readAnswer(rules: AnswerRules, response: ServiceResponse): Answer {
	const { status, body } = response;
	if (status === OF_PROXY) {
		const failure = createFailure({ ...BY_PROXY, httpStatus: status });
		return { kind: 'failed', failure, effect: 'none' };
	}
	if (status >= 400) return rejection(rules, response, errorKind(rules, response));
	if (status < 200 || status >= 300 || !isObject(body))
		return rejection(rules, response, 'badResponse');
	const isNo = saysNo(rules, body);
	const markers = Object.entries(rules.successMarkers)
		.filter(([name, schema]) => schema.safeParse(body[name]).success)
		.map(([name]) => name);
	// The specification does not show the status of most errors.
	const refusal = wholeRefusal(readServiceMessage(body));
	if (refusal === undefined && !isNo && markers.length > 0) return { kind: 'accepted', body };
	const isProven = markers.some((name) => name !== 'msg' && name !== 'message');
	return rejection(rules, response, refusal ?? 'badResponse', { isNo, isProven });
}

/**
 * @param isNo true if a 2xx says no by itself
 * @param isProven true if a refusal holds what only a good answer has, too
 */
function rejection(
	rules: AnswerRules,
	response: ServiceResponse,
	kind: FailureKind,
	{ isNo = false, isProven = false } = {},
): Rejected {
	const { status, body, retryAfter } = response;
	const { code, moreInfo } = isObject(body) ? body : {};
	const said = readServiceMessage(body) || titleOf(toPlainText(body));
	const effect = isProven ? 'possible' : effectOf(kind, response);
	const isHarmless = rules.repeatable && (isNo || kind !== 'badResponse');
	const isWithoutReason = said === '' || wholeRefusal(said) !== undefined;
	const failure = createFailure({
		kind,
		outcome: effect === 'possible' && !isHarmless ? 'unknown' : 'refused',
		httpStatus: status,
		hint: kind === 'invalidInput' && isWithoutReason ? rules.usualMistake : undefined,
		serviceMessage: said.slice(0, MAX_SERVICE_MESSAGE) || null,
		code: typeof code === 'string' || typeof code === 'number' ? code : null,
		moreInfo: typeof moreInfo === 'string' ? moreInfo : null,
		...(kind === 'badResponse' && status >= 400 && BY_SOMETHING_ELSE),
		...(status === 413 && TOO_LARGE),
	});
	return { kind: 'failed', failure, effect, retryAfter };
}

/** A failed server may have acted. A 429, and a 503 with a readable Retry-After, say it did not. */
function effectOf(kind: FailureKind, { status, retryAfter }: ServiceResponse): Effect {
	if (kind === 'rateLimited') return 'noneYet';
	if (status === 503 && readRetryAfter(retryAfter) !== undefined) return 'noneYet';
	if (BEFORE_STATUS.some(([, certain]) => certain === kind)) return 'none';
	const isNoAnswer = kind === 'badResponse' && status < 400;
	return isNoAnswer || kind === 'serviceError' || status >= 500 ? 'possible' : 'none';
}

/** A failed server refuses only by its whole message: parts may repeat values of the request. */
function errorKind(rules: AnswerRules, { status, body }: ServiceResponse): FailureKind {
	const said = readServiceMessage(body);
	const find = status >= 500 ? wholeRefusal : refusalIn;
	const kind =
		find(said, BEFORE_STATUS) ??
		rules.statusKinds?.[status] ??
		STATUS_KINDS[status] ??
		find(said, AFTER_STATUS) ??
		(status >= 500 || status === 408 ? 'serviceError' : 'invalidInput');
	// Errors of the service are JSON objects (S 7), or say nothing; a limit may be that of a proxy.
	const isOfAnything = kind === 'rateLimited' || kind === 'serviceError';
	return isOfAnything || isObject(body) || isBlank(body) ? kind : 'badResponse';
}

/** Values of `status` that mean a failure, whatever the operation is. */
const FAILED = new Set(['error', 'failed', 'failure']);

/** True if the body of a 2xx says by itself that the request failed. */
function saysNo({ successMarkers }: AnswerRules, body: IDataObject): boolean {
	const { success, error, errors, status, statusCode } = body;
	return (
		success === false ||
		Boolean(error) ||
		(Array.isArray(errors) && errors.length > 0) ||
		FAILED.has(toPlainText(status).toLowerCase()) ||
		[status, statusCode].some((value) => Number(toPlainText(value)) >= 400) ||
		(!isBlank(status) && successMarkers.status?.safeParse(status).success === false)
	);
}

/** The text of an error body, whose field differs by endpoint (S 7); empty if there is none. */
function readServiceMessage(body: unknown): string {
	const { error, msg, message } = isObject(body) ? body : {};
	const texts = [error, msg, message].filter((text) => typeof text === 'string');
	return texts.map((text) => text.trim()).find((text) => text !== '') ?? '';
}

/** Gives the title of a page; without one, its text, as of what is no page. */
function titleOf(page: string): string {
	const title = /<title[^<>]*>([^<]+)/i.exec(page)?.[1] ?? page.replace(/<[^<>]*>/g, ' ');
	return title.replace(/\s+/g, ' ').trim();
}

/** What a service may ask for at most, in milliseconds: a hundred years, so it stays a date. */
const MAX_RETRY_AFTER = 100 * 365 * 24 * 3_600_000;

/** Reads Retry-After (seconds or HTTP date) as milliseconds from now, at most a hundred years. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER);
	const date = /\d:\d\d/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), MAX_RETRY_AFTER);
}
