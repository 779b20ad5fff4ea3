import type { Lane, Turn, Verdict } from './lane';
import { MaxWait } from './maxWait';

/**
 * The turns of one item at the gate. A turn is kept until the item waits for something or its result is settled: so
 * a failure halts the run before another item gets the turn.
 */
export class ItemTurns {
	private turn: 'none' | 'unused' | 'used' = 'none';

	private readonly maxWait: MaxWait;

	/**
	 * @param index the place of the item in the run
	 * @param maxWait how long the item may wait until the service takes it, in milliseconds
	 * @param mayStart asked right before each request: whether the item may still be sent
	 */
	constructor(
		private readonly lane: Lane,
		private readonly index: number,
		maxWait: number,
		private readonly mayStart: () => boolean,
	) {
		this.maxWait = new MaxWait(maxWait);
	}

	/** Waits for a turn, unless the item has one that it has not used. `stopped` also if the item may no longer be sent then. */
	async take(): Promise<Turn> {
		if (this.turn === 'unused') return 'start';
		this.giveBack();
		const turn = await this.lane.turn(this.index, this.maxWait);
		if (turn !== 'start') return turn;
		this.turn = 'unused';
		if (this.mayStart()) return 'start';
		this.giveBack();
		return 'stopped';
	}

	/**
	 * The turn was used for a request.
	 *
	 * @param startedAt in milliseconds since the epoch
	 */
	use(startedAt: number, verdict: Verdict): void {
		this.turn = 'used';
		this.lane.answered(startedAt, verdict);
	}

	/** Lets others have the turn, if there is one. */
	giveBack(): void {
		if (this.turn !== 'none') this.lane.end();
		this.turn = 'none';
	}

	/** How long the item still waits for the service, which has just refused it; in milliseconds. */
	waitLeft(): number {
		return this.lane.waitLeft(this.maxWait);
	}
}
