import { readRetryAfter } from '../../../nodes/shared/answer/answer';

const now = Date.parse('2026-01-01T00:00:00Z');
const HUNDRED_YEARS = 100 * 365 * 24 * 3_600_000;

test.each<[header: string | undefined, delay: number | undefined]>([
	[undefined, undefined],
	['', undefined],
	['-1', undefined],
	['1e3', undefined],
	['1,5', undefined],
	['0', 0],
	['7', 7_000],
	[' 7 ', 7_000],
	['1.25', 1_250],
	['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
	['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
	['Wed, 31 Dec 2025 23:59:59 GMT', 0],
	['Thu, 99 Jan 2026 00:00:30 GMT', undefined],
	['99999999999', HUNDRED_YEARS],
	['Fri, 31 Dec 9999 23:59:59 GMT', HUNDRED_YEARS],
])('Retry-After %j is %s ms', (header, delay) => {
	expect(readRetryAfter(header, now)).toBe(delay);
});
