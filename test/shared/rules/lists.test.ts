import fc from 'fast-check';

import { bookRow } from '../../../nodes/shared/book/columns';
import { contactsIn } from '../../../nodes/shared/book/view';
import { rulesOf } from '../../../nodes/shared/rules/contactRules';
import { Rules } from '../../../nodes/shared/rules/rules';
import { LIST, NO, NOW, STANDINGS, YES } from './standings';

const HOUR = 3_600_000;

/** What people and the node write into the book. */
type Row = Record<string, unknown>;

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

test.each(STANDINGS)('%s', (...[, rows, rules, expected, operation]) => {
	const hold = standing(rows, rules, operation);

	expect(hold ? `${hold.reason} ${hold.notBefore}` : 'sent').toBe(expected);
});

/** What happens to a person on a list, in hours from one to the next. */
const anyHistory = fc.record({
	attempts: fc.integer({ min: 1, max: 4 }),
	notAgainWithin: fc.constantFrom(1, 24),
	noResultAfter: fc.constantFrom(4, 24, Infinity),
	steps: fc.array(
		fc.record({
			// Of two rows of one moment, nobody can say which is the latest.
			hours: fc.constantFrom(0.001, 0.5, 2, 5, 25),
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
