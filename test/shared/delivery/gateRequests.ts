import type { Gate } from '../../../nodes/shared/delivery/gate';
import type { Lane, LaneOptions, Turn, Verdict } from '../../../nodes/shared/delivery/lane';
import { MaxWait } from '../../../nodes/shared/delivery/maxWait';

/** Each test of the file has a clock of its own. */
export function useFakeClock(): void {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});
}

/** Lets time pass on the clock of the tests. */
export const pass = async (milliseconds: number): Promise<void> => {
	await jest.advanceTimersByTimeAsync(milliseconds);
};

export const TAKEN: Verdict = { kind: 'taken' };
export const refusedFor = (holdFor?: number): Verdict => ({ kind: 'refused', holdFor });

export const open = (gate: Gate, options: Partial<LaneOptions> = {}): Lane =>
	gate.open({ requestsPerSecond: 0, signal: new AbortController().signal, ...options });

/** Requests of a run that wait for their turns, and what became of them, with milliseconds from now. */
export function askMany(lane: Lane, count: number, maxWait = 600_000) {
	const begin = Date.now();
	const turns: { order: number; turn: Turn; after: number }[] = [];
	for (let order = 0; order < count; order++) {
		void lane.turn(order, new MaxWait(maxWait)).then((turn) => {
			turns.push({ order, turn, after: Date.now() - begin });
		});
	}
	return turns;
}

/** A request that started at this time has its answer, and its place is free. */
export function endRequest(lane: Lane, startedAt: number, verdict: Verdict): void {
	lane.answered(startedAt, verdict);
	lane.end();
}

/** One request from its turn to its end. */
export async function exchange(lane: Lane, verdict: Verdict): Promise<void> {
	const turn = lane.turn(0, new MaxWait(600_000));
	await pass(0);
	expect(await turn).toBe('start');
	endRequest(lane, Date.now(), verdict);
}

export const orders = (turns: { order: number }[]): number[] => turns.map(({ order }) => order);
export const times = (turns: { after: number }[]): number[] => turns.map(({ after }) => after);
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
