import crypto from 'crypto';

import type { Gate } from '../../../nodes/shared/gate/gate';
import { Turn, type Lane, type LaneRules } from '../../../nodes/shared/gate/lane';
import type { PaceSignal } from '../../../nodes/shared/gate/pace';
import { useFakeTime } from '../../until';

const tenTicks = async (): Promise<void> => {
	for (let tick = 0; tick < 10; tick++) await Promise.resolve();
};

export function useFakeClock(): void {
	useFakeTime();
	beforeEach(() => {
		// What is made beside the event loop does not go by this clock; see `giveWay`.
		jest.spyOn(crypto, 'randomBytes').mockImplementation((size, done) => {
			void tenTicks().then(() => {
				done(null, Buffer.alloc(size));
			});
		});
	});
}

export const pass = async (milliseconds: number): Promise<void> => {
	await jest.advanceTimersByTimeAsync(milliseconds);
};

export const SERVED: PaceSignal = { kind: 'served' };
export const refusedFor = (holdFor?: number): PaceSignal => ({ kind: 'refused', holdFor });

export const open = (gate: Gate, rules: Partial<LaneRules> = {}): Lane =>
	gate.open({
		maxConcurrentRequests: Infinity,
		requestsPerSecond: 0,
		signal: new AbortController().signal,
		...rules,
	});

/** Items of a run that wait for their turns no more, each `after` so many milliseconds. */
type Ends = { readonly turn: Turn; readonly after: number }[];

/** Items of a run wait for their turns. Gives the ends of the waits, also those to come. */
export function ask(lane: Lane, indexes: readonly number[]): Ends {
	const begin = Date.now();
	const ends: Ends = [];
	for (const index of indexes) {
		const turn = new Turn(lane, index, 600_000);
		void turn.take().then(() => {
			ends.push({ turn, after: Date.now() - begin });
		});
	}
	return ends;
}

/** The requests of these items have their answers, and the items leave. */
export function end(ends: Ends, signal: PaceSignal): void {
	for (const { turn } of ends) {
		turn.use(Date.now(), signal);
		turn.leave();
	}
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
