import type { Answer, Rejected } from '../answer/answer';
import type { Failure } from '../answer/failure';
import type { Sendable } from '../items/item';
import type { ServiceRequest } from '../service/serviceRequest';
import type { Transport } from '../service/transport';
import { steadyNow } from '../time/clock';
import { waitUnlessAborted } from '../time/wait';
import { asksToWait, countRequests, decide, isFallbackDue, MAX_REQUESTS, paceOf } from './decide';
import { brokenOff, limitReached, STOPPED, waitedTooLong } from './deliveryFailures';
import type { Lane, Turn, WaitResult } from '../gate/lane';
import { failed, type Outcome } from './outcome';
import type { PaceSignal } from '../gate/pace';

/** What becomes of an item that may not be sent at this moment. */
interface Barred {
	readonly kind: 'barred';
	readonly outcome: Outcome;
}

/** Sends the items of one run: each request when it has its turn, and again where that is safe. */
export class Sender {
	/** True while nothing answers: from the last request of an item on, until something does. */
	private isServiceDown = false;

	/** @param signal aborted when nothing more is to start */
	constructor(
		private readonly transport: Transport,
		private readonly lane: Lane,
		private readonly signal: AbortSignal,
	) {}

	/** Gives the failure of an item that was never sent. */
	notStarted(waitResult: Exclude<WaitResult, 'go'>): Failure {
		return waitResult === 'expired' ? limitReached(this.lane.askAgainAt) : STOPPED;
	}

	/**
	 * Sends an item that has its first turn, then its fallback if that is refused. Never rejects.
	 *
	 * @param bar what becomes of an item not to be sent; asked right before each request, noting it
	 */
	async send(item: Sendable, turn: Turn, bar: () => Outcome | undefined): Promise<Outcome> {
		try {
			const answer = await this.request(item.request, turn, bar);
			const { fallback, operation } = item;
			const isDue = answer.kind === 'failed' && isFallbackDue(operation, answer);
			if (!fallback || !isDue || this.signal.aborted) return toOutcome(answer, 'main');
			return toOutcome(await this.request(fallback, turn, bar), 'fallback');
		} catch {
			return failed(brokenOff());
		}
	}

	/** Sends one request, and again where that is safe. The item keeps its last turn. */
	private async request(
		request: ServiceRequest,
		turn: Turn,
		bar: () => Outcome | undefined,
	): Promise<Answer | Barred> {
		const earlier: Rejected[] = [];
		for (;;) {
			const waitResult = await turn.take();
			if (waitResult !== 'go') return this.notSentAgain(waitResult, earlier.at(-1));
			const outcome = bar();
			if (outcome) return { kind: 'barred', outcome };
			const received = await this.sendOnce(request, turn);
			this.noteSilence(received, countRequests(earlier) + 1);
			const waitLeft =
				received.kind === 'failed' && asksToWait(received) ? turn.beginWaiting() : Infinity;
			const [now, chance] = [Date.now(), Math.random()];
			const soFar = { earlier, waitLeft, isServiceDown: this.isServiceDown, now, chance };
			const decision = decide(request.operation, received, soFar);
			if (decision.next === 'done') return decision.answer;
			if (decision.next === 'giveUp') return this.notSentAgain('expired', decision.answer);
			earlier.push(decision.answer);
			turn.giveBack();
			await waitUnlessAborted(decision.after, this.signal);
		}
	}

	private async sendOnce(request: ServiceRequest, turn: Turn): Promise<Answer> {
		const startedAt = steadyNow();
		let said: PaceSignal = { kind: 'unknown' };
		try {
			const answer = await this.transport(request);
			said = paceOf(answer);
			return answer;
		} finally {
			turn.use(startedAt, said);
		}
	}

	/** @param requests of the item, with this one */
	private noteSilence(answer: Answer, requests: number): void {
		const isSilent = answer.kind === 'failed' && answer.failure.kind === 'unreachable';
		this.isServiceDown = isSilent && (this.isServiceDown || requests >= MAX_REQUESTS);
	}

	/** Gives the answer of an item that is not sent (again): the last, or that it was never sent. */
	private notSentAgain(waitResult: Exclude<WaitResult, 'go'>, last?: Rejected): Rejected {
		if (last === undefined) return { ...failed(this.notStarted(waitResult)), effect: 'none' };
		const isInVain = waitResult === 'expired' && asksToWait(last);
		return isInVain
			? { ...last, failure: waitedTooLong(last.failure, this.lane.askAgainAt) }
			: last;
	}
}

function toOutcome(answer: Answer | Barred, via: 'main' | 'fallback'): Outcome {
	if (answer.kind === 'barred') return answer.outcome;
	return answer.kind === 'accepted' ? { ...answer, via } : failed(answer.failure);
}
