import type { Answer, Rejected } from '../answer/answer';
import { createFailure, type Failure } from '../answer/failure';
import { readRetryAfter } from '../answer/retryAfter';
import type { ServiceRequest } from '../request/serviceRequest';
import type { Transport } from '../request/transport';
import { steadyNow } from '../time/clock';
import type { ItemTurns } from './itemTurns';
import type { Lane, Turn, Verdict } from './lane';
import { failed } from './result';
import { asksToWait, backoff, MAX_TRIES, retryDelay, verdictOf } from './retry';
import { waitUnlessAborted } from '../time/wait';
import { notTaken, waitedTooLong } from './waitFailures';

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

	/** Sends one request, and again where that is safe. The item keeps its last turn. */
	async request(request: ServiceRequest, turns: ItemTurns): Promise<Answer> {
		const { doneIfGone = false } = request.operation;
		let last: Rejected | undefined;
		let mayHaveWorked = false;
		let tries = 0;
		let refusals = 0;
		for (;;) {
			const turn = await turns.take();
			if (turn !== 'start') {
				if (last) return this.givenUp(last, turn);
				return { ...failed(this.notStarted(turn)), effect: 'none' };
			}
			const answer = await this.sendOnce(request, turns);
			if (answer.accepted) return answer;
			const { kind, serviceMessage } = answer.failure;
			if (doneIfGone && mayHaveWorked && kind === 'notFound') {
				return { accepted: true, body: { msg: serviceMessage } };
			}
			last = mayHaveWorked ? afterDoubt(request, answer) : answer;
			mayHaveWorked ||= answer.effect === 'possible';
			const delay = asksToWait(answer)
				? this.waitFor(answer, turns.waitLeft(), ++refusals)
				: this.retryDelay(request, answer, ++tries);
			if (delay === undefined) return this.givenUp(last, 'expired');
			turns.giveBack();
			await waitUnlessAborted(delay, this.signal);
		}
	}

	private async sendOnce(request: ServiceRequest, turns: ItemTurns): Promise<Answer> {
		const startedAt = steadyNow();
		let verdict: Verdict = { kind: 'unknown' };
		try {
			const answer = await this.transport(request);
			verdict = verdictOf(answer);
			if (answer.accepted || answer.failure.kind !== 'unreachable') this.isServiceDown = false;
			return answer;
		} finally {
			turns.use(startedAt, verdict);
		}
	}

	/**
	 * How long an item waits beside what the gate holds back, in milliseconds; `undefined` if it would take too
	 * long. An item that is refused again waits longer each time, whatever the service says.
	 */
	private waitFor({ retryAfter }: Rejected, left: number, refusals: number): number | undefined {
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
