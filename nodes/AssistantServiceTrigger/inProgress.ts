import { sleep } from 'n8n-workflow';

/** How often a delivery looks whether the one before it is done, in milliseconds. */
const LOOK_EVERY = 20;

/**
 * The deliveries that n8n is at, one for each event. Another delivery of the same event waits for what becomes of
 * the first: n8n may yet fail to start its execution, even long after the sender has given up.
 */
export class InProgress {
	private readonly deliveries = new Map<string, () => boolean>();

	/**
	 * Waits until no other delivery of the event is in progress; then this one is. Gives what ends that.
	 *
	 * @param isOver says whether n8n is done with this delivery, if nothing else tells
	 */
	async enter(event: string, isOver: () => boolean): Promise<() => void> {
		while (this.deliveries.get(event)?.() === false) await sleep(LOOK_EVERY);
		for (const [other, isOtherOver] of this.deliveries) {
			if (isOtherOver()) this.deliveries.delete(other);
		}
		this.deliveries.set(event, isOver);
		return () => {
			if (this.deliveries.get(event) === isOver) this.deliveries.delete(event);
		};
	}
}
