import { sleep } from 'n8n-workflow';

/** How often a delivery looks whether the one before it is done, in milliseconds. */
const LOOK_EVERY = 20;

/** How long it does so, in milliseconds. n8n may let an execution wait for others, and be told to give it up then. */
const WAIT_AT_MOST = 30_000;

/**
 * The deliveries that n8n is working on, one for each event. Another delivery of the same event waits for what
 * becomes of the first: n8n may yet fail to start its execution, even long after the sender has given up.
 */
export class InProgress {
	private readonly deliveries = new Map<string, () => boolean>();

	/**
	 * Waits until no other delivery of the event is in progress; then this one is. Gives what ends that, or nothing
	 * if the other took too long.
	 *
	 * @param isOver says whether n8n is done with this delivery, if it does not end before
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
