import fc from 'fast-check';

import { bookRow } from '../../../nodes/shared/book/columns';
import { contactsIn } from '../../../nodes/shared/book/view';
import { rulesOf } from '../../../nodes/shared/rules/contactRules';
import { Rules } from '../../../nodes/shared/rules/rules';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const hoursAgo = (hours: number): string => new Date(NOW - hours * HOUR).toISOString();

/** What people and the node write into the book. */
type Row = Record<string, unknown>;

const LIST = { list: 'Spring' };
const TRIES = { ...LIST, notAgainWithin: 1, attempts: 2 };
const PATIENT = { ...TRIES, noResultAfter: 24 };

/** Says what becomes of a person whose rows the book has, oldest first. */
function standing(rows: readonly Row[], rules: object, operation = 'call.place', now = NOW) {
	const parsed = rows.map((row, place) => bookRow.parse({ id: place + 1, updatedAt: '', ...row }));
	const contacts = contactsIn(parsed, 'live', now).filter(({ outcome }) => outcome !== 'notMade');
	const person = { toNumber: '+15550001000', rules: rulesOf({ ...rules }) };
	const hold = new Rules('UTC', operation, []).holdBack(
		{ index: 0, person },
		{ at: now, contacts, isOptedOut: false },
	);
	return hold;
}

const call = (hours: number, more: Row = {}): Row => ({
	...{ contactedAt: hoursAgo(hours), outcome: 'accepted', operation: 'call.place' },
	...{ list: 'Spring', mode: 'live', ...more },
});
const YES = { reached: 'yes' };
const NO = { reached: 'no' };
const LATER = { callBackAt: hoursAgo(-3) };
const DUE = { callBackAt: hoursAgo(0.5) };
const BY_SMS = { operation: 'sms.start' };

test.each<[name: string, rows: Row[], rules: object, expected: string, operation?: string]>([
	['nobody was contacted', [], LIST, 'sent'],
	['once', [call(900)], LIST, 'attemptsUsed null'],
	['once, and it did not reach', [call(900, NO)], LIST, 'attemptsUsed null'],
	['another case', [call(9, { list: ' STRASSE ΟΣ' })], { list: 'Straße οσ' }, 'attemptsUsed null'],
	['another list', [call(900, { list: 'Autumn' })], LIST, 'sent'],
	['no list', [call(900, { list: null })], LIST, 'sent'],
	['another mode', [call(900, { mode: 'redirect' })], LIST, 'sent'],
	['the service did nothing', [call(900, { outcome: 'notMade' })], LIST, 'sent'],
	['Place and Wait', [call(9, { operation: 'call.placeAndWait' })], LIST, 'attemptsUsed null'],
	['nobody knows by what', [call(900, { operation: ' ' })], LIST, 'attemptsUsed null'],
	['an SMS, before a call', [call(900, BY_SMS)], LIST, 'sent'],
	['a call, before an SMS', [call(900)], LIST, 'sent', 'sms.start'],
	['a claim for a call, before an SMS', [call(0, CLAIMED())], LIST, 'sent', 'sms.start'],
	['an SMS, before another', [call(900, BY_SMS)], LIST, 'attemptsUsed null', 'sms.start'],
	['reached by a call, before an SMS', [call(900, YES)], LIST, 'reached null', 'sms.start'],
	['also if to be called back', [call(9, { ...YES, ...LATER })], LIST, 'reached null', 'sms.start'],
	['reached, in any case', [call(900, { reached: ' YES' })], TRIES, 'reached null'],
	['reached by another operation', [call(9, { ...YES, ...BY_SMS })], TRIES, 'reached null'],
	['reached by an earlier call', [call(9, YES), call(8, NO)], TRIES, 'reached null'],
	['reached for another list', [call(9, { ...YES, list: 'Autumn' })], TRIES, 'sent'],
	['not reached', [call(9, NO)], TRIES, 'sent'],
	['neither yes nor no', [call(9, { reached: 'perhaps' })], TRIES, 'resultOpen null'],
	['no result', [call(900)], TRIES, 'resultOpen null'],
	['no result for long', [call(25)], PATIENT, 'sent'],
	['no result yet', [call(23)], PATIENT, 'resultOpen 2026-11-20T13:00:00+00:00'],
	['claimed', [call(23, CLAIMED())], PATIENT, 'resultOpen 2026-11-20T13:00:00+00:00'],
	['claimed, and said not to reach', [call(2, CLAIMED(NO))], TRIES, 'resultOpen null'],
	['unknown', [call(2, { outcome: 'unknown', ...NO })], TRIES, 'resultOpen null'],
	['claimed before the latest', [call(9, CLAIMED()), call(8, NO)], TRIES, 'resultOpen null'],
	[
		'unknown before the latest',
		[call(9, { outcome: 'unknown' }), call(8, NO)],
		TRIES,
		'attemptsUsed null',
	],
	['a result open, and reached', [call(9, YES), call(2)], TRIES, 'reached null'],
	['as often as allowed', [call(9, NO), call(8, NO)], TRIES, 'attemptsUsed null'],
	['as often, the last open', [call(9, NO), call(8)], TRIES, 'resultOpen null'],
	['as often, the last without a result', [call(90, NO), call(80)], PATIENT, 'attemptsUsed null'],
	['to be called back', [call(9, LATER)], TRIES, 'callBack 2026-11-20T15:00:00+00:00'],
	[
		'reached, to be called back',
		[call(9, { ...YES, ...LATER })],
		TRIES,
		'callBack 2026-11-20T15:00:00+00:00',
	],
	['to be called back by now', [call(0.9, { ...YES, ...DUE })], TRIES, 'sent'],
	[
		'not, by a call before the latest',
		[call(9, DUE), call(0.9, NO)],
		{ ...TRIES, attempts: 3 },
		'contactedRecently 2026-11-20T12:06:00+00:00',
	],
	['by now, called by others since', [call(0.9, DUE), call(0.1, { list: '' })], TRIES, 'sent'],
	[
		'by now, others call',
		[call(0.9, DUE), call(0, CLAIMED({ list: '' }))],
		TRIES,
		'contactedRecently 2026-11-20T13:00:00+00:00',
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
	[
		'two rows of one claim',
		[call(9, { ...CLAIMED(), claim: 'a.1' }), call(9, { ...NO, claim: 'a.1' })],
		TRIES,
		'sent',
	],
	['no outcome', [call(9, { outcome: ' ' })], LIST, 'sent'],
	['reached, by the second', [call(9, TWIN(NO)), call(9, TWIN(YES))], TRIES, 'reached null'],
	['the second of two rows', [call(9, TWIN(NO)), call(9, TWIN())], TRIES, 'resultOpen null'],
	[
		'two tries of one item',
		[call(9, { ...NO, claim: 'a.1' }), call(8, { ...NO, claim: 'a.2' })],
		TRIES,
		'attemptsUsed null',
	],
])('%s', (...[, rows, rules, expected, operation]) => {
	const hold = standing(rows, rules, operation);

	expect(hold ? `${hold.reason} ${hold.notBefore}` : 'sent').toBe(expected);
});

function TWIN(more: Row = {}): Row {
	return { claim: 'a.1', ...more };
}

function CLAIMED(more: Row = {}): Row {
	return { outcome: 'claimed', ...more };
}

/** What happens to a person on a list, in hours from one to the next. */
const anyHistory = fc.record({
	attempts: fc.integer({ min: 1, max: 4 }),
	notAgainWithin: fc.constantFrom(1, 24),
	noResultAfter: fc.constantFrom(4, 24, Infinity),
	steps: fc.array(
		fc.record({
			hours: fc.constantFrom(0, 0.5, 2, 5, 25),
			operation: fc.constantFrom('call.place', 'call.placeAndWait', 'sms.start'),
			/** How a run of the node ends if the person is due. */
			end: fc.constantFrom('accepted', 'unknown', 'claimed', 'notMade'),
			mode: fc.constantFrom('live', 'live', 'live', 'redirect'),
			/** An event, or a person, then says something of one of the rows. */
			row: fc.nat(9),
			said: fc.constantFrom({}, {}, YES, NO, { settled: 'notMade' }, { settled: 'accepted' }),
			callBack: fc.constantFrom(undefined, undefined, 1, 30),
		}),
		{ maxLength: 12 },
	),
});

test('whatever happens, nobody is called too often, too early, or after they were reached', () => {
	fc.assert(
		fc.property(anyHistory, ({ steps, ...limits }) => {
			const rules = { ...LIST, ...limits };
			const rows: Row[] = [];
			let now = NOW;
			const countsAt = (operation: string) =>
				rows.filter(
					(row) =>
						row.mode === 'live' &&
						row.outcome !== 'notMade' &&
						String(row.operation).slice(0, 4) === operation.slice(0, 4),
				);
			for (const { hours, operation, end, mode, row, said, callBack } of steps) {
				now += hours * HOUR;
				const isCall = operation !== 'sms.start';
				const asked = isCall ? rules : LIST;
				const earlier = countsAt(operation);
				const isDue = mode === 'redirect' || standing(rows, asked, operation, now) === undefined;
				if (isDue && mode === 'live') {
					const last = earlier.at(-1);
					const age = last ? (now - Number(last.at)) / HOUR : Infinity;
					const isFinal = ({ reached, callBackAt }: Row) =>
						reached === 'yes' && (!isCall || callBackAt === undefined);
					const hasResult = last?.reached !== undefined || last?.callBackAt !== undefined;
					const isHeard = last?.outcome === 'accepted' && hasResult;
					const isCallBackDue = Date.parse(String(last?.callBackAt)) <= now;
					expect(earlier.length).toBeLessThan(isCall ? limits.attempts : 1);
					expect([...countsAt('call.place'), ...countsAt('sms.start')].some(isFinal)).toBe(false);
					expect(isHeard || age >= limits.noResultAfter).toBe(true);
					expect(age >= limits.notAgainWithin || isCallBackDue).toBe(true);
				}
				if (isDue) {
					const contactedAt = new Date(now).toISOString();
					rows.push({ at: now, contactedAt, operation, list: LIST.list, outcome: end, mode });
				}
				const { settled, ...more } = { settled: undefined, ...said };
				const told = rows[row];
				if (told && settled) told.outcome = settled;
				if (told && told.operation !== 'sms.start') Object.assign(told, more);
				if (told && callBack && told.operation !== 'sms.start')
					told.callBackAt ??= new Date(now + callBack * HOUR).toISOString();
			}
			const isLeft = countsAt('call.place').length < limits.attempts;
			const isReached = rows.some(({ reached }) => reached === 'yes');
			const isHeardOf = countsAt('call.place').every(
				(row) => row.outcome === 'accepted' && row.reached,
			);
			const later = now + 100 * HOUR;
			if (isLeft && !isReached && (isHeardOf || limits.noResultAfter < Infinity))
				expect(standing(rows, rules, 'call.place', later)).toBeUndefined();
		}),
		{ numRuns: 1_000 },
	);
});
