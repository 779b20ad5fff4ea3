import { z } from 'zod';

import { instantAt } from '../shared/rules/instantAt';
import { isBlank } from '../shared/values';

const dateTime = z.string().trim().datetime({ offset: true, local: true });

/**
 * Reads a time in the year that follows `receivedAt`, in milliseconds since the epoch.
 *
 * @param timezone whose clock a time without a zone goes by
 * @returns ISO 8601; null for nothing, `undefined` for anything else
 */
export function readCallBackTime(
	value: unknown,
	timezone: string,
	receivedAt: number,
): string | null | undefined {
	if (isBlank(value)) return null;
	const { data: text } = dateTime.safeParse(value);
	if (text === undefined) return undefined;
	const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
	const time = hasZone ? Date.parse(text) : instantAt(Date.parse(`${text}Z`), timezone);
	const yearLater = new Date(receivedAt);
	yearLater.setUTCFullYear(yearLater.getUTCFullYear() + 1);
	return time >= receivedAt && time <= +yearLater ? new Date(time).toISOString() : undefined;
}
