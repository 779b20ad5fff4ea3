import { sleep } from 'n8n-workflow';

/** How often a waiting delivery checks whether the earlier one has ended, in milliseconds. */
const LOOK_EVERY = 20;

/** The longest wait, in milliseconds: n8n may queue the earlier execution, and a user may cancel it there. */
const WAIT_AT_MOST = 30_000;

/**
 * The deliveries that n8n is handling in this process, one for each event. Another delivery of the same event waits
 * until the first has ended: until then n8n may still fail to start the execution, even if the sender has disconnected.
 */
export class InProgress {
	private readonly deliveries = new Map<string, () => boolean>();

	/**
	 * Waits until no other delivery of the event is in progress, then enters this one. Returns the function that ends
	 * it, or `undefined` if the other took longer than `waitAtMost` milliseconds.
	 *
	 * @param isOver whether n8n has answered this delivery; it then counts as ended
	 */
	async enter(
		event: string,
		isOver: () => boolean,
		waitAtMost = WAIT_AT_MOST,
	): Promise<(() => void) | undefined> {
		const since = Date.now();
		while (this.deliveries.get(event)?.() === false) {
			if (Date.now() - since > waitAtMost) return undefined;
			await sleep(LOOK_EVERY);
		}
		for (const [other, isOtherOver] of this.deliveries) {
			if (isOtherOver()) this.deliveries.delete(other);
		}
		this.deliveries.set(event, isOver);
		return () => {
			if (this.deliveries.get(event) === isOver) this.deliveries.delete(event);
		};
	}
}
