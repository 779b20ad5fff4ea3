import { sleep } from 'n8n-workflow';

import { readRetryAfter, type ServiceResponse } from '../answer/answer';
import { steadyNow } from '../time/clock';
import { queueOf } from '../time/queue';
import { MAX_SLEEP } from '../time/wait';

/** How long n8n is left alone at least, and asked one by one afterwards, in milliseconds. */
const LEAST_PAUSE = 1_000;
const CAREFUL_FOR = 60_000;

/** n8n's limit of requests with an API key (429, from 2.47 on), as its refusals tell it. */
export class ApiLimit {
	/** When n8n wants to be asked again, or wanted to, in milliseconds since the epoch. */
	private heldUntil = 0;

	private readonly inTurn = queueOf(1);

	/** Sends a request when n8n takes it; refuses it if n8n wants to be asked after `until`. */
	async pass(send: () => Promise<ServiceResponse>, until: number): Promise<ServiceResponse> {
		const ask = async (): Promise<ServiceResponse | undefined> => {
			if (this.heldUntil > steadyNow()) return undefined;
			const answer = await send();
			if (answer.status !== 429) return answer;
			const pause = Math.max(readRetryAfter(answer.retryAfter) ?? 0, LEAST_PAUSE);
			this.heldUntil = steadyNow() + pause;
			return undefined;
		};
		let answer = this.heldUntil + CAREFUL_FOR < steadyNow() ? await ask() : undefined;
		for (; answer === undefined; answer = await this.inTurn(ask)) {
			const left = Math.max(this.heldUntil - steadyNow(), 0);
			if (left > 0 && this.heldUntil > until)
				return { status: 429, retryAfter: String(left / 1_000), body: {} };
			await sleep(Math.min(left, MAX_SLEEP));
		}
		return answer;
	}
}
