import type { Answer } from '../answer/answer';
import { createFailure, type Failure } from '../answer/failure';
import { readRetryAfter } from '../answer/retryAfter';
import type { ServiceRequest } from '../request/request';
import type { Transport } from '../request/transport';
import { steadyNow } from './clock';
import type { Lane, Turn, Verdict } from './lane';
import type { MaxWait } from './maxWait';
import { asksToWait, backoff, MAX_TRIES, retryDelay, verdictOf, type Rejected } from './retry';
import { waitUnlessAborted } from './wait';
import { notTaken, waitedTooLong } from './waitFailures';

/** Whose request it is. */
export interface Sender {
	/** The place of the item in the run. */
	readonly index: number;
	readonly maxWait: MaxWait;
}

/** Sends the requests of one run: each when it has its turn, and again where that is safe. */
export class Exchange {
	/** True while the service does not answer: each item then gets one try. */
	private isServiceDown = false;

	/** @param signal aborted when nothing more is to start */
	constructor(
		private readonly transport: Transport,
		private readonly lane: Lane,
		private readonly signal: AbortSignal,
	) {}

	/** The failure of an item that was never sent. */
	notStarted(turn: Exclude<Turn, 'start'>): Failure {
		return turn === 'expired'
			? notTaken(this.lane.askAgainAt)
			: createFailure({ kind: 'stopped', outcome: 'notSent' });
	}

	/**
	 * Sends one request, and again where that is safe.
	 *
	 * @param hasTurn true if the turn for the first try has been waited for
	 */
	async request(
		request: ServiceRequest,
		{ index, maxWait }: Sender,
		hasTurn: boolean,
	): Promise<Answer> {
		const { doneIfGone = false } = request.operation;
		let last: Rejected | undefined;
		let mayHaveWorked = false;
		let tries = 0;
		let refusals = 0;
		for (;;) {
			const turn = hasTurn && last === undefined ? 'start' : await this.lane.turn(index, maxWait);
			if (turn !== 'start') {
				return last
					? this.givenUp(last, turn)
					: { accepted: false, failure: this.notStarted(turn) };
			}
			const answer = await this.sendOnce(request);
			if (answer.accepted) return answer;
			const { kind, outcome, serviceMessage } = answer.failure;
			if (doneIfGone && mayHaveWorked && kind === 'notFound') {
				return { accepted: true, body: { msg: serviceMessage } };
			}
			last = mayHaveWorked ? afterDoubt(request, answer) : answer;
			mayHaveWorked ||= kind === 'serviceError' || outcome === 'unknown';
			const delay = asksToWait(answer)
				? this.waitFor(answer, maxWait, ++refusals)
				: this.retryDelay(request, answer, ++tries);
			if (delay === undefined) return this.givenUp(last, 'expired');
			await waitUnlessAborted(delay, this.signal);
		}
	}

	private async sendOnce(request: ServiceRequest): Promise<Answer> {
		const startedAt = steadyNow();
		let verdict: Verdict = { kind: 'unknown' };
		try {
			const answer = await this.transport(request);
			verdict = verdictOf(answer);
			if (answer.accepted || answer.failure.kind !== 'unreachable') this.isServiceDown = false;
			return answer;
		} finally {
			this.lane.end(startedAt, verdict);
		}
	}

	/**
	 * How long an item waits beside what the gate holds back, in milliseconds; `undefined` if it would take too
	 * long. An item that is refused again waits longer each time, whatever the service says.
	 */
	private waitFor(
		{ retryAfter }: Rejected,
		maxWait: MaxWait,
		refusals: number,
	): number | undefined {
		const left = this.lane.waitLeft(maxWait);
		const asked = readRetryAfter(retryAfter);
		if (left <= 0 || (asked ?? 0) > left) return undefined;
		const waits = asked === undefined ? refusals : refusals - 1;
		return waits === 0 ? 0 : Math.min(backoff(waits), left);
	}

	private retryDelay(
		{ operation }: ServiceRequest,
		answer: Rejected,
		tries: number,
	): number | undefined {
		const delay = retryDelay(operation, answer, tries);
		if (answer.failure.kind === 'unreachable' && tries >= MAX_TRIES) this.isServiceDown = true;
		return this.isServiceDown ? undefined : delay;
	}

	/** The answer of an item that is not sent again. */
	private givenUp(last: Rejected, turn: Turn): Answer {
		const waitedInVain = turn === 'expired' && asksToWait(last);
		return waitedInVain
			? { ...last, failure: waitedTooLong(last.failure, this.lane.askAgainAt) }
			: last;
	}
}

/** A failure after a try that may have worked: its outcome is unknown, unless it was a read. */
function afterDoubt({ method }: ServiceRequest, answer: Rejected): Rejected {
	const { kind, outcome, hint, ...failure } = answer.failure;
	const isOpen = outcome === 'unknown' || kind === 'serviceError' || method === 'GET';
	return isOpen
		? answer
		: { ...answer, failure: createFailure({ ...failure, kind, outcome: 'unknown' }) };
}
