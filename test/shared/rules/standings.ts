import type { INodeParameters } from 'n8n-workflow';

/** When these cases are looked at. */
export const NOW = Date.UTC(2026, 10, 20, 12);

const hoursAgo = (hours: number): string => new Date(NOW - hours * 3_600_000).toISOString();

/** A row of the book, as people and the node write it. */
type Row = Record<string, string | null>;

export const LIST = { list: 'Spring' };
const TRIES = { ...LIST, notAgainWithin: 1, attempts: 2 };
const THRICE = { ...TRIES, attempts: 3 };
const PATIENT = { ...THRICE, noResultAfter: 24 };
/** In other characters than those of the row. */
const CAFE = { list: 'Caf\u00e9 a\u1e9e' };
const AT_12_06 = '2026-11-20T12:06:00+00:00';
const AT_13 = '2026-11-20T13:00:00+00:00';
const AT_15 = '2026-11-20T15:00:00+00:00';

const call = (hours: number, more: Row = {}, claim = ''): Row => ({
	...{ contactedAt: hoursAgo(hours), outcome: 'accepted', operation: 'call.place' },
	// By any workflow, in any execution.
	...{ workflow: 'w-2', execution: '17', list: 'Spring', mode: 'live', claim, ...more },
});
export const YES = { reached: 'yes' };
export const NO = { reached: 'no' };
const LATER = { callBackAt: hoursAgo(-3) };
const DUE = { callBackAt: hoursAgo(0.5) };
const BY_SMS = { operation: 'sms.start' };
const CLAIMED = { outcome: 'claimed' };
const UNKNOWN = { outcome: 'unknown' };

/** Of the same call as another row. */
const CLAIM_YES = call(9, { ...CLAIMED, ...YES }, 'a.1');

type Standing = [name: string, rows: Row[], rules: INodeParameters, expected: string, by?: string];

/** What becomes of a person whose rows the book has: the reason and the time, or "sent". */
export const STANDINGS: readonly Standing[] = [
	['nobody was contacted', [], LIST, 'sent'],
	['once', [call(900)], LIST, 'attemptsUsed null'],
	['once, and it did not reach', [call(900, NO)], LIST, 'attemptsUsed null'],
	['another case', [call(9, { list: ' STRASSE ΟΣ' })], { list: 'Straße οσ' }, 'attemptsUsed null'],
	[
		'a name that looks alike',
		[call(9, { list: 'Cafe\u0301\u00a0A\u00df' })],
		CAFE,
		'attemptsUsed null',
	],
	['another list', [call(900, { list: 'Autumn' })], LIST, 'sent'],
	['no list', [call(900, { list: null })], LIST, 'sent'],
	['another mode', [call(900, { mode: 'redirect' })], LIST, 'sent'],
	['the service did nothing', [call(900, { outcome: 'notMade' })], LIST, 'sent'],
	['not made, whatever else', [call(9, { outcome: 'notMade', ...YES, ...LATER })], TRIES, 'sent'],
	['Place and Wait', [call(9, { operation: 'call.placeAndWait' })], LIST, 'attemptsUsed null'],
	['a call, before Place and Wait', [call(9)], LIST, 'attemptsUsed null', 'call.placeAndWait'],
	['nobody knows by what', [call(900, { operation: ' ' })], LIST, 'attemptsUsed null'],
	['also before an SMS', [call(900, { operation: null })], LIST, 'attemptsUsed null', 'sms.start'],
	['an SMS, before a call', [call(900, BY_SMS)], LIST, 'sent'],
	['a call, before an SMS', [call(900)], LIST, 'sent', 'sms.start'],
	['a claim for a call, before an SMS', [call(0, CLAIMED)], LIST, 'sent', 'sms.start'],
	['an SMS, before another', [call(900, BY_SMS)], LIST, 'attemptsUsed null', 'sms.start'],
	['reached by a call, before an SMS', [call(900, YES)], LIST, 'reached null', 'sms.start'],
	['also if to be called back', [call(9, { ...YES, ...LATER })], LIST, 'reached null', 'sms.start'],
	['reached, in any case', [call(900, { reached: ' YES' })], TRIES, 'reached null'],
	['reached, and still claimed', [call(9, { ...CLAIMED, ...YES })], TRIES, 'reached null'],
	['reached by another operation', [call(9, { ...YES, ...BY_SMS })], TRIES, 'reached null'],
	['reached by an earlier call', [call(9, YES), call(8, NO)], TRIES, 'reached null'],
	['reached for another list', [call(9, { ...YES, list: 'Autumn' })], TRIES, 'sent'],
	['not reached', [call(9, NO)], TRIES, 'sent'],
	['neither yes nor no', [call(9, { reached: 'perhaps' })], TRIES, 'resultOpen null'],
	['no result', [call(900)], TRIES, 'resultOpen null'],
	['no result for long', [call(25)], PATIENT, 'sent'],
	['no result for just so long', [call(24)], PATIENT, 'sent'],
	['unknown for so long', [call(24, UNKNOWN)], PATIENT, 'sent'],
	['no result yet', [call(23)], PATIENT, `resultOpen ${AT_13}`],
	['claimed', [call(23, CLAIMED)], PATIENT, `resultOpen ${AT_13}`],
	['claimed, and said not to reach', [call(2, { ...CLAIMED, ...NO })], TRIES, 'resultOpen null'],
	['unknown', [call(2, { ...UNKNOWN, ...NO })], TRIES, 'resultOpen null'],
	['claimed before the latest', [call(9, CLAIMED), call(8, NO)], TRIES, 'resultOpen null'],
	['unknown before the latest', [call(9, UNKNOWN), call(8, NO)], TRIES, 'attemptsUsed null'],
	['the latest, whatever their order', [call(8, NO), call(9)], THRICE, 'sent'],
	['a result open, and reached', [call(9, YES), call(2)], TRIES, 'reached null'],
	['as often as allowed', [call(9, NO), call(8, NO)], TRIES, 'attemptsUsed null'],
	['as often, the last open', [call(9, NO), call(8)], TRIES, 'resultOpen null'],
	['used up, the last unheard', [call(99), call(90, NO), call(80)], PATIENT, 'attemptsUsed null'],
	['to be called back', [call(9, LATER)], TRIES, `callBack ${AT_15}`],
	['reached, to be called back', [call(9, { ...YES, ...LATER })], TRIES, `callBack ${AT_15}`],
	['of whom one call was allowed', [call(9, { ...YES, ...LATER })], LIST, 'reached null'],
	['not, said before the latest', [call(9, LATER), call(8, NO)], THRICE, 'sent'],
	['but used up', [call(9, NO), call(8, LATER)], TRIES, 'attemptsUsed null'],
	['though called recently', [call(0.5, LATER)], TRIES, `callBack ${AT_15}`],
	['an old claim aside', [call(30, CLAIMED), call(9, LATER)], PATIENT, `callBack ${AT_15}`],
	['to be called back by now', [call(0.9, { ...YES, ...DUE })], TRIES, 'sent'],
	['to be called back just now', [call(0.9, { callBackAt: hoursAgo(0) })], TRIES, 'sent'],
	['due before the latest', [call(9, DUE), call(0.9, NO)], THRICE, `contactedRecently ${AT_12_06}`],
	['by now, called by others since', [call(0.9, DUE), call(0.1, { list: '' })], TRIES, 'sent'],
	[
		'by now, others call',
		[call(0.9, DUE), call(0, { ...CLAIMED, list: '' })],
		TRIES,
		`contactedRecently ${AT_13}`,
	],
	[
		'by now, and too often',
		[call(0.9, DUE)],
		{ ...TRIES, atMostContacts: 1 },
		'contactedOften 2026-11-27T11:06:00+00:00',
	],
	['by now, attempts used up', [call(9, NO), call(0.9, { ...YES, ...DUE })], TRIES, 'reached null'],
	['by now, not reached, used up', [call(9, NO), call(0.9, DUE)], TRIES, 'attemptsUsed null'],
	['recently', [call(0.5, NO)], TRIES, 'contactedRecently 2026-11-20T12:30:00+00:00'],
	['two rows of one claim', [call(9, CLAIMED, 'a.1'), call(9, NO, 'a.1')], TRIES, 'sent'],
	['no outcome', [call(9, { outcome: ' ' })], LIST, 'sent'],
	['reached, by the first', [call(9, YES, 'a.1'), call(9, {}, 'a.1')], TRIES, 'reached null'],
	['also by a claim left over', [call(9, {}, 'a.1'), CLAIM_YES], TRIES, 'reached null'],
	[
		'a call back, by the first',
		[call(9, LATER, 'a.1'), call(9, {}, 'a.1')],
		TRIES,
		`callBack ${AT_15}`,
	],
	['reached, by the second', [call(9, NO, 'a.1'), call(9, YES, 'a.1')], TRIES, 'reached null'],
	['the second of two rows', [call(9, NO, 'a.1'), call(9, {}, 'a.1')], TRIES, 'resultOpen null'],
	['two tries of one item', [call(9, NO, 'a.1'), call(8, NO, 'a.2')], TRIES, 'attemptsUsed null'],
];
