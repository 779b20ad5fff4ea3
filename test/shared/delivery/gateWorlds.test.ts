import fc from 'fast-check';

import { failureOf } from '../../../nodes/shared/delivery/outcome';
import {
	playOut,
	useVirtualTime,
	type Item,
	type Reply,
	type Request,
	type Run,
} from './virtualRuns';

/**
 * How late an item whose Max Wait is over may end, in milliseconds: the gate looks once in a second, and the back-offs after
 * requests without a connection, of up to 3 seconds, go on.
 */
const LATE = 4_000;

/** The longest hold that counts for runs that begin later, in milliseconds. */
const SHARED = 30_000;

/** The longest wait between two tries, and between two starts at the lowest pace; in milliseconds. */
const LONGEST_BACKOFF = 30_000;
const LONGEST_PACE = 2_000;

/** Nothing starts between two times, because the service said so. */
interface Hold {
	readonly since: number;
	readonly until: number;
}

const asksToWait = ({ says, retryAfter }: Reply): boolean =>
	says === 429 || (says === 503 && retryAfter !== undefined);

const isCancelled = ({ cancelAt = Infinity }: Run, time: number) => cancelAt <= time;
const endOf = ({ ends }: Item): number => ends[0]?.at ?? Infinity;
const isUnderWay = ({ at, answeredAt }: Request, time: number) => at <= time && time < answeredAt;
const isShared = ({ since, until }: Hold) => until - since <= SHARED;
const inOrder = (times: readonly number[]) => [...new Set(times)].sort((a, b) => a - b);
const latest = (times: readonly number[]): number => Math.max(-Infinity, ...times);

/** What the gate promises of items, told from what was seen outside: where in doubt, nothing is demanded. */
class GateRules {
	private readonly requests: readonly Request[];
	private readonly accepted: readonly Request[];
	private readonly holds: readonly Hold[];

	/** When something happens: a run begins or is cancelled, a request starts or is answered, an item ends. */
	private readonly events: readonly number[];

	/** These, and when holds end. */
	private readonly times: readonly number[];

	constructor(private readonly items: readonly Item[]) {
		this.requests = items.flatMap(({ requests }) => requests);
		this.holds = this.requests.flatMap(({ answeredAt: since, reply: { retryAfter = 0 } }) =>
			retryAfter > 0 ? { since, until: since + retryAfter * 1_000 } : [],
		);
		this.accepted = this.requests.filter(({ reply }) => reply.says === 'accepted');
		this.events = inOrder([
			...this.requests.flatMap(({ at, answeredAt }) => [at, answeredAt]),
			...items.flatMap(({ run, ends }) => [
				run.beginAt,
				run.cancelAt ?? 0,
				...ends.map(({ at }) => at),
			]),
		]);
		this.times = inOrder([...this.events, ...this.holds.map(({ until }) => until)]);
	}

	*violations(): Generator<string> {
		for (const item of this.items)
			for (const problem of this.violationsBy(item))
				yield `${problem}: item ${item.index} of the run that begins at ${item.run.beginAt}`;
		yield* this.keepsHolds();
		yield* this.keepsSeats();
		yield* this.goesOn();
	}

	private *violationsBy(item: Item): Generator<string> {
		yield* endsOnce(item);
		yield* saysWhy(item);
		yield* this.endsInTime(item);
		yield* this.waitsAsLongAsItMay(item);
	}

	/** No item waits longer than Max Wait, in wall time, nor for a hold that is longer than what is left of it. */
	private *endsInTime(item: Item): Generator<string> {
		const most = item.run.maxWait * 1_000;
		const first = item.requests.find(({ reply }) => asksToWait(reply));
		let over = (first?.answeredAt ?? Infinity) + most;
		let waited = 0;
		for (const [place, time] of this.times.entries()) {
			if (time >= endOf(item)) return;
			const isInLine = this.isInLine(item, time);
			const holds = this.holdsAt(time);
			const counting = holds.filter((hold) => isShared(hold) || item.run.beginAt < hold.since);
			const isMeeting = counting.length > 0 || this.isAskedAbout(holds, time);
			if (isInLine && isMeeting) over = Math.min(over, time + most);
			if (isInLine && latest(counting.map(({ until }) => until)) > over)
				yield `waits at ${time} for a hold that is too long`;
			const isIdle = !item.requests.some((request) => isUnderWay(request, time));
			const next = Math.min(this.times[place + 1] ?? Infinity, endOf(item));
			if (isIdle) waited += Math.max(0, next - Math.max(time, over));
			if (waited > LATE) {
				yield `waits longer than Max Wait, which is over at ${over}`;
				return;
			}
		}
	}

	/** No item fails because of the wait before Max Wait is over, unless a hold that counts for its run goes beyond it. */
	private *waitsAsLongAsItMay({ run, requests, ends }: Item): Generator<string> {
		const [end] = ends;
		const failure = end && failureOf(end.result);
		if (!end || failure?.kind !== 'rateLimited' || isCancelled(run, end.at)) return;
		const known = this.holds.filter(({ since }) => since <= end.at);
		const isToldAgain = ({ since }: Hold): boolean =>
			known.some((hold) => !isShared(hold) && hold.since >= run.beginAt && hold.since >= since) ||
			this.requests.some(
				({ at, answeredAt, reply: { says } }) =>
					at >= since && answeredAt >= run.beginAt && answeredAt <= end.at && says !== 'accepted',
			);
		const counting = known.filter(
			(hold) => hold.since >= run.beginAt || isShared(hold) || isToldAgain(hold),
		);
		const longest = Math.max(end.at, latest(counting.map(({ until }) => until)));
		if (longest < run.beginAt + run.maxWait * 1_000) yield `fails too early, at ${end.at}`;
		const isMet = known.some(({ until }) => until > run.beginAt);
		if (requests.length === 0 && !isMet) yield `fails at ${end.at} although it met no hold`;
	}

	/** Nothing starts in a hold, but for one request of a run that has begun later, if the hold is long. */
	private *keepsHolds(): Generator<string> {
		for (const request of this.requests) {
			const { run, at } = request;
			for (const hold of this.holdsAt(at).filter(({ since }) => since < at)) {
				const isLater = run.beginAt >= hold.since && !isShared(hold);
				if (!isLater) yield `a request starts at ${at}, in the hold since ${hold.since}`;
				const isSecond = this.requests.some(
					(rival) => rival !== request && isUnderWay(rival, at) && rival.at > hold.since,
				);
				if (isSecond) yield `a second request asks at ${at} about the hold since ${hold.since}`;
			}
		}
	}

	/** An item has its seat from its first request until it ends, and a run has no more of them than it may. */
	private *keepsSeats(): Generator<string> {
		for (const { run, at } of this.requests) {
			const isSeated = ({ requests: [first] }: Item) => first !== undefined && first.at <= at;
			const ofRun = this.items.filter((item) => item.run === run && endOf(item) > at);
			if (ofRun.filter(isSeated).length > run.maxConcurrentRequests)
				yield `too many items of a run are under way at ${at}`;
		}
	}

	/** While something waits, a request is under way, or a known time is waited for. */
	private *goesOn(): Generator<string> {
		for (const [place, time] of this.events.entries()) {
			const next = this.events[place + 1] ?? Infinity;
			const isWaited = this.items.some((item) => item.run.beginAt <= time && endOf(item) > time);
			if (!isWaited || this.requests.some((request) => isUnderWay(request, time))) continue;
			const held = this.holds.filter(({ since }) => since <= time).map(({ until }) => until);
			const known = Math.max(time + LONGEST_BACKOFF, latest(held)) + LONGEST_PACE;
			if (next > known) yield `nothing happens from ${time} to ${next}`;
		}
	}

	/** The holds that certainly last: the service has accepted nothing that started in them. */
	private holdsAt(time: number): Hold[] {
		return this.holds.filter(
			({ since, until }) =>
				since <= time &&
				time < until &&
				!this.accepted.some(({ at, answeredAt }) => at > since && answeredAt <= time),
		);
	}

	private isAskedAbout(holds: readonly Hold[], time: number): boolean {
		return holds.some(({ since }) =>
			this.requests.some(
				(request) => isUnderWay(request, time) && request.at > since && request.run.beginAt > since,
			),
		);
	}

	/** True if it is certainly the item's turn: it was not sent yet, and the ones before it were. */
	private isInLine({ run, index, requests }: Item, time: number): boolean {
		const isSent = ({ at }: Request) => at <= time;
		if (run.beginAt > time || isCancelled(run, time) || requests.some(isSent)) return false;
		const before = this.items.filter((other) => other.run === run && other.index < index);
		const isPast = (other: Item) => endOf(other) <= time || other.requests.some(isSent);
		const onTheirWay = before.filter((other) => endOf(other) > time).length;
		return before.every(isPast) && onTheirWay < run.maxConcurrentRequests;
	}
}

/** Every item ends once, and is not sent again after that, nor after an answer that may mean that it was accepted. */
function* endsOnce({ run, ends, requests }: Item): Generator<string> {
	if (ends.length !== 1) yield `ends ${ends.length} times`;
	const end = ends[0]?.at ?? Infinity;
	for (const [place, { at, answeredAt, reply }] of requests.entries()) {
		if (answeredAt > end) yield `ends before its request of ${at} does`;
		if ((requests[place + 1]?.at ?? Infinity) < answeredAt) yield `is sent twice at ${at}`;
		const isCertain = asksToWait(reply) || reply.says === 'unreachable';
		const mayGoAgain = isCertain || (run.isSafe && reply.says === 503);
		if (place < requests.length - 1 && !mayGoAgain) yield `is sent again after ${at}`;
	}
}

/** Why an item was not accepted is what the service said last. */
function* saysWhy({ run, ends, requests }: Item): Generator<string> {
	const [end] = ends;
	if (end === undefined) return;
	const last = requests.at(-1)?.reply;
	if ((end.result.kind === 'accepted') !== (last?.says === 'accepted')) yield 'has a wrong result';
	const { kind, outcome, httpStatus } = failureOf(end.result) ?? {};
	const why = [kind, outcome, httpStatus].join(' ');
	const refused = last?.says === 429 ? 'rateLimited refused 429' : 'serviceError refused 503';
	const isRight =
		last === undefined
			? why === 'rateLimited notSent ' || (isCancelled(run, end.at) && why === 'stopped notSent ')
			: !asksToWait(last) || why === refused;
	if (!isRight) yield `says ${why} after ${last?.says ?? 'no request'}`;
}

useVirtualTime();

const seconds = (min: number, max: number) => fc.integer({ min, max });
const times = (max: number) => fc.integer({ min: 0, max }).map((tenths) => tenths * 100);

const says = fc.oneof(
	fc.record({ says: fc.constantFrom('accepted', 429, 503, 'nothing', 'unreachable') }),
	fc.record({ says: fc.constantFrom(429, 503), retryAfter: seconds(0, 20) }),
	fc.record({ says: fc.constantFrom(429, 503), retryAfter: seconds(31, 60) }),
	fc.constant({ says: 'accepted' }),
);

const reply: fc.Arbitrary<Reply> = fc
	.tuple(says, fc.oneof(fc.constant(0), times(20), times(600)))
	.map(([what, after]) => ({ ...what, after }) as Reply);

const run: fc.Arbitrary<Run> = fc
	.record({
		beginAt: fc.oneof(times(50), times(900)),
		lasts: fc.option(times(600), { nil: undefined, freq: 4 }),
		items: fc.integer({ min: 1, max: 4 }),
		maxWait: fc.oneof(fc.constant(0), seconds(1, 10), seconds(11, 90)),
		maxConcurrentRequests: fc.integer({ min: 1, max: 3 }),
		requestsPerSecond: fc.constantFrom(0, 0, 1, 5),
		isSafe: fc.boolean(),
	})
	.map(({ lasts, ...rest }) => ({
		...rest,
		...(lasts !== undefined && { cancelAt: rest.beginAt + lasts }),
	}));

const replies = fc.array(reply, { minLength: 1, maxLength: 12 });
const runs = fc.array(run, { minLength: 1, maxLength: 6 });

test('whatever the service answers, and whichever runs come and go', async () => {
	const property = fc.asyncProperty(replies, runs, async (...world) => {
		const items = await playOut(...world);

		expect([...new GateRules(items).violations()]).toEqual([]);
	});
	await fc.assert(property, { numRuns: 1_000 });
});
