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

/** Items of a run that have their turns, each `after` so many milliseconds. */
type Turns = { readonly turn: Turn; readonly after: number }[];

/** Items of a run ask for their turns. Gives those that have one, also those to come. */
export function ask(lane: Lane, indexes: readonly number[]): Turns {
	const begin = Date.now();
	const turns: Turns = [];
	for (const index of indexes) {
		const turn = new Turn(lane, index, 600_000);
		void turn.take().then((waitResult) => {
			if (waitResult === 'go') turns.push({ turn, after: Date.now() - begin });
		});
	}
	return turns;
}

/** The requests of these items have their answers, and the items leave. */
export function end(turns: Turns, signal: PaceSignal): void {
	for (const { turn } of turns) {
		turn.use(Date.now(), signal);
		turn.leave();
	}
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
