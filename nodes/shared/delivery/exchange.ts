import type { Answer, Rejected } from '../answer/answer';
import type { Failure } from '../answer/failure';
import type { ServiceRequest } from '../request/serviceRequest';
import type { Transport } from '../request/transport';
import { steadyNow } from '../time/clock';
import { waitUnlessAborted } from '../time/wait';
import { asksToWait, decide, MAX_TRIES, triesOf, verdictOf } from './decide';
import type { Lane, Turn, WaitEnd } from './lane';
import type { PaceSignal } from './pace';
import { failed } from './result';
import { notTaken, stopped, waitedTooLong } from './waitFailures';

/** What a request of an item waits for. */
export interface Sender {
	readonly turn: Turn;
	/** Takes the turn, and asks each time whether the item may still be sent: `barred` if not. */
	take(): Promise<WaitEnd | 'barred'>;
}

type NotSent = Exclude<WaitEnd, 'go'> | 'barred';

/** Sends the requests of one run: each when it has its turn, and again where that is safe. */
export class Exchange {
	/** True while nothing answers: from the last try of an item on, until something does. */
	private isServiceDown = false;

	/** @param signal aborted when nothing more is to start */
	constructor(
		private readonly transport: Transport,
		private readonly lane: Lane,
		private readonly signal: AbortSignal,
	) {}

	/** The failure of an item that was never sent. */
	notStarted(waitEnd: NotSent): Failure {
		return waitEnd === 'expired' ? notTaken(this.lane.askAgainAt) : stopped();
	}

	/** Sends one request, and again where that is safe. The item keeps the turn of its last try. */
	async request(request: ServiceRequest, sender: Sender): Promise<Answer> {
		const { turn } = sender;
		const earlier: Rejected[] = [];
		for (;;) {
			const waitEnd = await sender.take();
			if (waitEnd !== 'go') return this.notSentAgain(waitEnd, earlier.at(-1));
			const given = await this.sendOnce(request, turn);
			this.noteSilence(given, triesOf(earlier) + 1);
			const { isServiceDown } = this;
			const waitLeft = !given.accepted && asksToWait(given) ? turn.beginWaiting() : Infinity;
			const decision = decide(request.operation, given, { earlier, waitLeft, isServiceDown });
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
			said = verdictOf(answer);
			return answer;
		} finally {
			turn.use(startedAt, said);
		}
	}

	/** @param tries of the item, with this one */
	private noteSilence(answer: Answer, tries: number): void {
		const isSilent = !answer.accepted && answer.failure.kind === 'unreachable';
		this.isServiceDown = isSilent && (this.isServiceDown || tries >= MAX_TRIES);
	}

	/** The answer that an item gets when it is not sent (again): the last one, or else that it was never sent. */
	private notSentAgain(waitEnd: NotSent, last?: Rejected): Rejected {
		if (last === undefined) return { ...failed(this.notStarted(waitEnd)), effect: 'none' };
		const isInVain = waitEnd === 'expired' && asksToWait(last);
		return isInVain
			? { ...last, failure: waitedTooLong(last.failure, this.lane.askAgainAt) }
			: last;
	}
}
