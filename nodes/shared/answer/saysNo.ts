import type { IDataObject } from 'n8n-workflow';

import type { AnswerRules } from './answerRules';
import { isBlank, toPlainText } from '../values';

/** Values of `success` that mean false. */
const FALSE = new Set(['false', 'no', '0']);

/** Values of `status` that mean a failure, whatever the operation is. */
const FAILED = new Set(['error', 'failed', 'failure']);

/** The least number of a status that is an error's. */
const LEAST_ERROR_STATUS = 400;

/**
 * True if the body of a 2xx says by itself that the request failed: `success` is false, `error` or the list `errors` is
 * not empty, `status` is a word of failure, `status` or `statusCode` is a number of 400 or more, `code` and `moreInfo`
 * make it an error body (S 7), or `status` is none that the operation has (S 2.6).
 */
export function saysNo({ successMarkers }: AnswerRules, body: IDataObject): boolean {
	const { success, error, errors, status, statusCode, code, moreInfo } = body;
	return (
		success === false ||
		FALSE.has(toWord(success)) ||
		(!isBlank(error) && Boolean(error)) ||
		(Array.isArray(errors) && errors.length > 0) ||
		FAILED.has(toWord(status)) ||
		[status, statusCode].some((value) => Number(toPlainText(value)) >= LEAST_ERROR_STATUS) ||
		!(isBlank(code) || isBlank(moreInfo)) ||
		(!isBlank(status) && successMarkers.status?.safeParse(status).success === false)
	);
}

const toWord = (value: unknown): string => toPlainText(value).toLowerCase();
