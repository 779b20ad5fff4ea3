import type { IDataObject } from 'n8n-workflow';
import { HOUR } from '../../nodes/shared/time/clock';
import { recipientOf } from '../../test/simulator/recipient';
import { count } from './figures';
import { row, type Report, type Target } from './report';
import type { Contact, End } from './tenDaysPeople';

/** The rules of the example. */
const ATTEMPTS = 3;
const APART_MS = 20 * HOUR;
/** A contact counts from its claim, a moment before the request is at the service. */
const CLAIMED_BEFORE_MS = 60_000;

/** A call that the service has placed, in ms since the epoch by the moved clock. */
export interface PlacedCall {
	id: string;
	phone: string;
	at: number;
	end: End;
	/** When n8n had first taken its event. */
	takenAt?: number;
}

/** What there is to judge at the end. */
interface Facts {
	contacts: readonly Contact[];
	calls: readonly PlacedCall[];
	/** Of the contact book. */
	rows: readonly IDataObject[];
	/** The bodies of the requests for a message. */
	smsTo: readonly unknown[];
	/** The report's item for a sheet. */
	report: IDataObject;
	runs: number;
	/** Whether the list was run for so long that everybody is to be in a final state. */
	isOver: boolean;
	/** How often n8n was killed; of these runs, each second one was retried. */
	kills: number;
}

const STATES = ['reached', 'givenUp', 'open', 'optedOut', 'notYetContacted'] as const;
type State = (typeof STATES)[number];

/** Whether a moment is on a working day between nine and six where somebody is. */
function isWithinHours(at: number, timeZone: string): boolean {
	const format = new Intl.DateTimeFormat('en-US', {
		...{ timeZone, weekday: 'short', hour: 'numeric', hourCycle: 'h23' },
	});
	const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
	const hour = Number(parts.get('hour'));
	return hour >= 9 && hour < 18 && !(parts.get('weekday') ?? 'S').startsWith('S');
}

const timeOf = (value: IDataObject[string]): number =>
	typeof value === 'string' ? Date.parse(value) : NaN;

/** Where somebody stands by the rows of their number. */
function stateOf({ phone }: Contact, rows: readonly IDataObject[]): State {
	const own = rows.filter((found) => found.phone === phone);
	if (own.some(({ doNotContact }) => doNotContact === true)) return 'optedOut';
	const contacts = own.filter(({ outcome }) => outcome !== 'notMade');
	const calls = contacts.filter(({ operation }) => operation === 'call.place');
	// Rows of one claim are one call: n8n may have died between writing one and removing the other.
	const isUsedUp = new Set(calls.map(({ claim }) => claim)).size >= ATTEMPTS;
	if (contacts.some((said) => said.reached === 'yes' && (isUsedUp || said.callBackAt === null)))
		return 'reached';
	if (contacts.length === 0) return 'notYetContacted';
	return isUsedUp ? 'givenUp' : 'open';
}

/** The calls after which somebody was called again although they were not to be. */
function calledAgain(
	calls: readonly PlacedCall[],
	isWrong: (before: PlacedCall, after: PlacedCall) => boolean,
): PlacedCall[] {
	return calls.filter((before) =>
		calls.some(
			(after) => after.phone === before.phone && after.at > before.at && isWrong(before, after),
		),
	);
}

/** Judges by what the service has seen; the book is asked for what it could know. */
export function reportOf(facts: Facts): Report {
	const { contacts, calls, rows, report } = facts;
	const rowOf = new Map(rows.map((found) => [found.contactId, found]));
	const zoneOf = new Map(contacts.map(({ phone, zone }) => [phone, zone]));
	const isNoted = ({ id, takenAt }: PlacedCall) => rowOf.has(id) && takenAt !== undefined;
	const endedFor = (call: PlacedCall, ...endings: End['ending'][]) =>
		isNoted(call) && endings.includes(call.end.ending);

	const perPerson = contacts.map(
		({ phone }) => calls.filter((call) => call.phone === phone).length,
	);
	const outside = calls.filter(({ phone, at }) => !isWithinHours(at, zoneOf.get(phone) ?? 'UTC'));
	const afterEnd = calledAgain(
		calls,
		(before, after) =>
			endedFor(before, 'reached', 'optOut') && after.at > (before.takenAt ?? Infinity),
	);
	const tooSoon = calledAgain(calls, (before, after) => {
		const callBackAt = timeOf(rowOf.get(before.id)?.callBackAt ?? null);
		return after.at - before.at < APART_MS - CLAIMED_BEFORE_MS && !(after.at >= callBackAt);
	});
	const lost = calls.filter((call) => {
		const said = rowOf.get(call.id);
		const isSaid = said?.reached === (call.end.ending === 'notReached' ? 'no' : 'yes');
		return isNoted(call) && !isSaid;
	});
	const states = new Map(contacts.map((contact) => [contact.phone, stateOf(contact, rows)]));
	const inState = (state: State) => contacts.filter(({ phone }) => states.get(phone) === state);
	// Of somebody whom the service refuses, n8n may have died in doubt.
	const notFinal = contacts.filter(({ phone, isRefused }) => {
		const isNotFinal = ['open', 'notYetContacted'].includes(states.get(phone) ?? 'open');
		return isRefused ? calls.some((call) => call.phone === phone) : isNotFinal;
	});
	const sums = STATES.map(
		(state) => [state, inState(state).length, Number(report[state])] as const,
	);
	const smsNumbers = facts.smsTo.map((body) => recipientOf({ body }) ?? '');
	const strayMessages = smsNumbers.filter(
		(phone, index) => smsNumbers.indexOf(phone) !== index || states.get(phone) !== 'givenUp',
	);

	const none = (promise: string, found: readonly unknown[]): Target => ({
		...{ promise, measured: count(found.length), isMet: found.length === 0 },
	});
	const targets = [
		none(
			'Called more than three times',
			perPerson.filter((times) => times > ATTEMPTS),
		),
		none('Called after they were reached or had opted out', afterEnd),
		none('Called outside their hours', outside),
		none('Called within 20 hours without a call back that was due', tooSoon),
		none('Ends of calls that n8n took and the book lost', lost),
		...(facts.isOver ? [none('In no final state', notFinal)] : []),
		none('Messages sent twice, or to somebody who was not given up', strayMessages),
		none(
			'Sums of the report that are wrong',
			sums.filter(([, own, told]) => own !== told),
		),
	];
	const withEnding = (ending: End['ending']) =>
		count(calls.filter(({ end }) => end.ending === ending).length);
	const table: [string, string][] = [
		['people, runs', `${count(contacts.length)}, ${count(facts.runs)}`],
		['n8n killed, of these runs retried', `${facts.kills}, ${Math.floor(facts.kills / 2)}`],
		['calls', count(calls.length)],
		...[0, 1, 2, 3].map((times): [string, string] => [
			`people called ${times} times`,
			count(perPerson.filter((found) => found === times).length),
		]),
		['calls that asked for a call back', withEnding('callBack')],
		['calls that did not reach the person', withEnding('notReached')],
		['calls whose end was never sent', withEnding('lost')],
		[
			'ends that n8n did not take',
			count(
				calls.filter((call) => call.end.afterMs.length > 0 && call.takenAt === undefined).length,
			),
		],
		['calls whose answer died with n8n', count(calls.filter(({ id }) => !rowOf.has(id)).length)],
		['messages', count(smsNumbers.length)],
		...sums.map(([state, own, told]): [string, string] => [
			`${state}: by the rows, by the report`,
			`${count(own)}, ${count(told)}`,
		]),
	];
	const figures = [row(['What', 'How many']), row(['---', '---:']), ...table.map(row)].join('\n');
	return { targets, figures, isWrong: targets.some(({ isMet }) => !isMet) };
}
