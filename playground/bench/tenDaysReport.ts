import type { IDataObject } from 'n8n-workflow';
import { HOUR } from '../../nodes/shared/time/clock';
import { recipientOf } from '../../test/simulator/recipient';
import { show } from './figures';
import { tableOf, type Report, type Target } from './report';
import type { Contact, End, Ending } from './tenDaysPeople';

/** The rules of the example. */
const ATTEMPTS = 3;
const APART_MS = 20 * HOUR;
/** A contact counts from its claim, a moment before the request is at the service. */
const CLAIMED_BEFORE_MS = 60_000;

/** A call that the service has placed, in ms since the epoch by the moved clock. */
export interface PlacedCall extends End {
	id: string;
	phone: string;
	at: number;
	/** When n8n had first taken its event. */
	takenAt?: number;
}

/** What there is to judge at the end. */
interface Facts {
	contacts: readonly Contact[];
	calls: readonly PlacedCall[];
	/** Of the contact book. */
	rows: readonly IDataObject[];
	/** The requests for a message. */
	messages: readonly { body: unknown }[];
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

/** Whether a moment is on a working day between nine and six there: it reads like "Mon, 09". */
const isWithinHours = (at: number, timeZone: string): boolean =>
	/^[MTWF]\w+, (?:09|1[0-7])$/.test(
		new Date(at).toLocaleString('en-US', {
			...{ timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' },
		}),
	);

/** Where somebody stands by the rows of their number. */
function stateOf(rows: readonly IDataObject[]): State {
	if (rows.some(({ doNotContact }) => doNotContact === true)) return 'optedOut';
	const contacts = rows.filter(({ outcome }) => outcome !== 'notMade');
	const calls = contacts.filter(({ operation }) => operation === 'call.place');
	// Rows of one claim are one call: n8n may have died between writing one and removing the other.
	const isUsedUp = new Set(calls.map(({ claim }) => claim)).size >= ATTEMPTS;
	const isFinal = ({ reached, callBackAt }: IDataObject) =>
		reached === 'yes' && (isUsedUp || callBackAt === null);
	if (contacts.some(isFinal)) return 'reached';
	if (contacts.length === 0) return 'notYetContacted';
	return isUsedUp ? 'givenUp' : 'open';
}

/** Judges by what the service has seen; the book is asked for what it could know. */
export function reportOf(facts: Facts): Report {
	const { contacts, calls, rows, report } = facts;
	const rowOf = new Map(rows.map((row) => [row.contactId, row]));
	const zoneOf = new Map(contacts.map(({ phone, zone }) => [phone, zone]));
	const callsTo = (phone: string) => calls.filter((call) => call.phone === phone);
	const states = new Map(
		contacts.map(({ phone }) => [phone, stateOf(rows.filter((row) => row.phone === phone))]),
	);
	const isNoted = ({ id, takenAt }: PlacedCall) => rowOf.has(id) && takenAt !== undefined;
	// The calls after which somebody was called again although they were not to be.
	const calledAfter = (isWrong: (before: PlacedCall, after: PlacedCall) => boolean) =>
		calls.filter((before) =>
			callsTo(before.phone).some((after) => after.at > before.at && isWrong(before, after)),
		);

	const tooOften = contacts.filter(({ phone }) => callsTo(phone).length > ATTEMPTS);
	const afterEnd = calledAfter(
		(before, after) =>
			isNoted(before) &&
			['reached', 'optOut'].includes(before.ending) &&
			after.at > (before.takenAt ?? Infinity),
	);
	const outside = calls.filter(({ phone, at }) => !isWithinHours(at, zoneOf.get(phone) ?? 'UTC'));
	const tooSoon = calledAfter((before, after) => {
		const callBackAt = rowOf.get(before.id)?.callBackAt;
		const isDue = typeof callBackAt === 'string' && after.at >= Date.parse(callBackAt);
		return after.at - before.at < APART_MS - CLAIMED_BEFORE_MS && !isDue;
	});
	const lost = calls.filter((call) => {
		const reached = call.ending === 'notReached' ? 'no' : 'yes';
		return isNoted(call) && rowOf.get(call.id)?.reached !== reached;
	});
	// Of somebody whom the service refuses, n8n may have died in doubt.
	const notFinal = contacts.filter(({ phone, isRefused }) =>
		isRefused
			? callsTo(phone).length > 0
			: ['open', 'notYetContacted'].includes(states.get(phone) ?? 'open'),
	);
	const messaged = facts.messages.map((message) => recipientOf(message) ?? '');
	const strayMessages = messaged.filter(
		(phone, index) => messaged.indexOf(phone) !== index || states.get(phone) !== 'givenUp',
	);
	const sums = STATES.map((state) => ({
		state,
		byRows: [...states.values()].filter((value) => value === state).length,
		byReport: Number(report[state]),
	}));

	const none = (promise: string, wrong: readonly unknown[]): Target => ({
		...{ promise, measured: show(wrong.length), isMet: wrong.length === 0 },
	});
	const targets = [
		none('Called more than three times', tooOften),
		none('Called after they were reached or had opted out', afterEnd),
		none('Called outside their hours', outside),
		none('Called within 20 hours without a call back that was due', tooSoon),
		none('Ends of calls that n8n took and the book lost', lost),
		...(facts.isOver ? [none('In no final state', notFinal)] : []),
		none('Messages sent twice, or to somebody who was not given up', strayMessages),
		none(
			'Sums of the report that are wrong',
			sums.filter(({ byRows, byReport }) => byRows !== byReport),
		),
	];
	const endingIn = (ending: Ending) => calls.filter((call) => call.ending === ending).length;
	const notTaken = calls.filter(({ ending, takenAt }) => ending !== 'lost' && !takenAt);
	const figures: Record<string, number> = {
		people: contacts.length,
		runs: facts.runs,
		'n8n killed': facts.kills,
		calls: calls.length,
		'calls that asked for a call back': endingIn('callBack'),
		'calls that did not reach the person': endingIn('notReached'),
		'calls whose end was never sent': endingIn('lost'),
		'ends that n8n did not take': notTaken.length,
		'calls whose answer died with n8n': calls.filter(({ id }) => !rowOf.has(id)).length,
		messages: messaged.length,
	};
	for (const times of [0, 1, 2, 3])
		figures[`people called ${times} times`] = contacts.filter(
			({ phone }) => callsTo(phone).length === times,
		).length;
	for (const { state, byRows } of sums) figures[state] = byRows;
	const table = Object.entries(figures).map(([what, howMany]) => [what, show(howMany)]);
	return {
		targets,
		figures: tableOf(['What', 'How many'], table),
		isWrong: targets.some(({ isMet }) => !isMet),
	};
}
