import type { RecordedRequest, Simulator } from './contract';
import { RateLimiter } from './rateLimiter';

/**
 * Refuses calls like a service that takes so many in a second. To be refused again, a call has to come with three times
 * as many others: a rate that is kept to does not send them, and no busy machine brings them together.
 */
export function refuseBursts(simulator: Simulator, perSecond: number): void {
	const [firsts, others] = [new RateLimiter(perSecond), new RateLimiter(3 * perSecond)];
	const asked = new Set<string>();
	const isRefused = ({ at, rawBody }: RecordedRequest) => {
		const limiter = asked.has(rawBody) ? others : firsts;
		asked.add(rawBody);
		return limiter.secondsToWait(at) > 0;
	};
	simulator.addFault({ kind: 'rateLimited', endpoint: 'placeCall', when: isRefused });
}
