import type { IDataObject } from 'n8n-workflow';

import { BY_PROXY } from './connectionError';
import { createFailure, FAILURE_TEXTS, type Failure, type FailureKind } from './failure';
import type { AnswerRules, RequestProperties } from './answerRules';
import { explainNames } from './namedFields';
import { readRetryAfter } from './retryAfter';
import { saysNo } from './saysNo';
import { ServiceText, TEXTS_AFTER_STATUS, TEXTS_BEFORE_STATUS } from './serviceText';
import { isObject } from '../values';

/** An HTTP response, its body parsed if it is JSON and text if it is not. */
export interface ServiceResponse {
	readonly status: number;
	/** The header Retry-After as it came. */
	readonly retryAfter?: string;
	readonly body: unknown;
}

/**
 * Whether a request that failed has done anything: certainly nothing; nothing, and the service wants to be asked later; or
 * nobody can say. The outcome does not tell: of an operation that is safe to repeat, a 500 is `refused`.
 */
export type Effect = 'none' | 'noneYet' | 'possible';

/** An answer that did not accept a request. `retryAfter` is the header as it came. */
export interface Rejected {
	readonly kind: 'failed';
	readonly failure: Failure;
	readonly effect: Effect;
	readonly retryAfter?: string;
}

/** What became of one request. */
export type Answer = { readonly kind: 'accepted'; readonly body: IDataObject } | Rejected;

/** Statuses that mean the same whatever the text is, unless the operation says otherwise (S 7.1). */
const STATUS_KINDS: Readonly<Record<number, FailureKind>> = {
	401: 'invalidApiKey',
	402: 'upgradeRequired',
	403: 'forbidden',
	404: 'notFound',
	429: 'rateLimited',
};

/** The status by which a proxy refuses to pass a request on; no service answers it. */
const OF_PROXY = 407;

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
	const { status, body } = response;
	if (status === OF_PROXY) {
		return {
			kind: 'failed',
			failure: createFailure({ ...BY_PROXY, httpStatus: status }),
			effect: 'none',
		};
	}
	const serviceMessage = readServiceMessage(body);
	const text = new ServiceText(serviceMessage ?? '', properties);
	const isSuccess = status >= 200 && status <= 299;
	if (isSuccess && isObject(body)) {
		const isNo = saysNo(rules, body);
		const kind = successErrorKind(rules, body, text, isNo);
		if (kind === undefined) return { kind: 'accepted', body };
		return rejection(rules, response, { kind, isNo, serviceMessage });
	}
	const kind = isSuccess || status < 400 ? 'badResponse' : errorKind(rules, status, text);
	return rejection(rules, response, { kind, isNo: false, serviceMessage });
}

interface Finding {
	readonly kind: FailureKind;
	/** True if the body says no by itself. */
	readonly isNo: boolean;
	readonly serviceMessage: string | null;
}

function rejection(
	rules: AnswerRules,
	response: ServiceResponse,
	{ kind, isNo, serviceMessage: said }: Finding,
): Rejected {
	const { status, body, retryAfter } = response;
	const serviceMessage = said?.slice(0, MAX_SERVICE_MESSAGE) ?? null;
	const effect = effectOf(kind, response);
	const isHarmless = rules.repeatable && (isNo || kind !== 'badResponse');
	const failure = createFailure({
		kind,
		outcome: effect === 'possible' && !isHarmless ? 'unknown' : 'refused',
		httpStatus: status,
		hint: kind === 'invalidInput' ? inputHint(rules, serviceMessage ?? '') : undefined,
		serviceMessage,
		code: readCode(body),
		moreInfo: isObject(body) && typeof body.moreInfo === 'string' ? body.moreInfo : null,
	});
	return { kind: 'failed', failure, effect, retryAfter };
}

/** A server that failed may already have acted. A 429, and a 503 with a Retry-After that can be read, say that it did not. */
function effectOf(kind: FailureKind, { status, retryAfter }: ServiceResponse): Effect {
	if (kind === 'rateLimited') return 'noneYet';
	if (status === 503 && readRetryAfter(retryAfter) !== undefined) return 'noneYet';
	if (TEXTS_BEFORE_STATUS.some(([, certain]) => certain === kind)) return 'none';
	const isOpen = kind === 'badResponse' || kind === 'serviceError' || status >= 500;
	return isOpen ? 'possible' : 'none';
}

/** Names the fields of the form that the service means, or those that are usually meant. */
function inputHint({ fieldNames = {}, usualMistake }: AnswerRules, said: string): string {
	const explained = explainNames(said, fieldNames);
	const { hint } = FAILURE_TEXTS.invalidInput;
	return explained === undefined ? (usualMistake ?? hint) : `${explained} ${hint}`.trim();
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
 * The kind of failure of a 2xx; `undefined` for a good answer. A text of S 7 within a longer one counts only where it
 * cannot make a request that took effect go out again: beside a no without a proof of success, or if it is safe to repeat.
 */
function successErrorKind(
	{ successMarkers, repeatable }: AnswerRules,
	body: IDataObject,
	text: ServiceText,
	isNo: boolean,
): FailureKind | undefined {
	const kept = Object.entries(successMarkers)
		.filter(([name, schema]) => schema.safeParse(body[name]).success)
		.map(([name]) => name);
	const isOnlyText = kept.every((name) => name === 'msg' || name === 'message');
	if (!isNo && kept.length > 0) return isOnlyText ? text.kindOfWhole() : undefined;
	const isLooseTextEnough = repeatable || (isNo && isOnlyText);
	return (isLooseTextEnough ? text.kindIn() : text.kindOfWhole()) ?? 'badResponse';
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
