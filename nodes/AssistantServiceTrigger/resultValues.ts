import { z } from 'zod';

import { instantAt } from '../shared/rules/localTime';
import { isBlank, toPlainText } from '../shared/values';

const YES: readonly string[] = ['true', 'yes', '1'];
const NO: readonly string[] = ['false', 'no', '0'];

/** Reads yes as true and no as false; null for nothing, `undefined` for anything else. */
export function readYesOrNo(value: unknown): boolean | null | undefined {
	if (isBlank(value)) return null;
	const text = typeof value === 'boolean' ? String(value) : toPlainText(value).toLowerCase();
	if (YES.includes(text)) return true;
	return NO.includes(text) ? false : undefined;
}

const dateTimeSchema = z.string().trim().datetime({ offset: true, local: true });

/**
 * Reads a time in the year that follows `receivedAt`, in milliseconds since the epoch.
 *
 * @param timezone whose clock a time without a zone goes by
 * @returns ISO 8601; null for nothing, `undefined` for anything else
 */
export function readCallBackTime(value: unknown, timezone: string, receivedAt: number) {
	if (isBlank(value)) return null;
	const { data: text } = dateTimeSchema.safeParse(value);
	if (text === undefined) return undefined;
	const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
	const time = hasZone ? Date.parse(text) : instantAt(Date.parse(`${text}Z`), timezone);
	const yearLater = new Date(receivedAt);
	yearLater.setUTCFullYear(yearLater.getUTCFullYear() + 1);
	return time >= receivedAt && time <= +yearLater ? new Date(time).toISOString() : undefined;
}
