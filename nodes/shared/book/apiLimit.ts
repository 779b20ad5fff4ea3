import { sleep } from 'n8n-workflow';

import { readRetryAfter, type ServiceResponse } from '../answer/answer';
import { steadyNow } from '../time/clock';
import { queueOf } from '../time/queue';
import { MAX_SLEEP } from '../time/wait';

/** How long n8n is left alone at least, in milliseconds. */
const LEAST_PAUSE = 1_000;

/** n8n's limit for an API key (429). After a refusal, requests go one by one until one is taken. */
export class ApiLimit {
	/** When n8n wants to be asked again, in milliseconds since the epoch; 0 unless it has refused. */
	private heldUntil = 0;

	private readonly inTurn = queueOf(1);

	/** Sends a request when n8n takes it; refuses it if n8n wants to be asked after `until`. */
	async pass(send: () => Promise<ServiceResponse>, until: number): Promise<ServiceResponse> {
		/** Gives nothing if n8n refuses, and so does nothing. */
		const ask = async (): Promise<ServiceResponse | undefined> => {
			if (this.heldUntil > steadyNow()) return undefined;
			const answer = await send();
			const isRefused = answer.status === 429;
			const pause = Math.max(readRetryAfter(answer.retryAfter) ?? 0, LEAST_PAUSE);
			this.heldUntil = isRefused ? steadyNow() + pause : 0;
			return isRefused ? undefined : answer;
		};
		let answer = this.heldUntil === 0 ? await ask() : undefined;
		for (; answer === undefined; answer = await this.inTurn(ask)) {
			const left = Math.max(this.heldUntil - steadyNow(), 0);
			if (left > 0 && this.heldUntil > until)
				return { status: 429, retryAfter: String(left / 1_000), body: {} };
			await sleep(Math.min(left, MAX_SLEEP));
		}
		return answer;
	}
}
