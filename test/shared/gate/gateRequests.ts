import crypto from 'crypto';

import type { Gate } from '../../../nodes/shared/gate/gate';
import { Turn, type Lane, type LaneRules, type WaitResult } from '../../../nodes/shared/gate/lane';
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

/** The items of a run that have their turns, the first one first. */
const underWay = new WeakMap<Lane, Turn[]>();

export async function takeTurn(lane: Lane, index: number, maxWait = 600_000): Promise<WaitResult> {
	const turn = new Turn(lane, index, maxWait);
	const waitResult = await turn.take();
	if (waitResult === 'go') underWay.set(lane, [...(underWay.get(lane) ?? []), turn]);
	return waitResult;
}

/** Items of a run that wait for their turns, and what became of them, with milliseconds from now. */
export function askMany(lane: Lane, count: number) {
	const begin = Date.now();
	const ends: { order: number; waitResult: WaitResult; after: number }[] = [];
	for (let order = 0; order < count; order++) {
		void takeTurn(lane, order).then((waitResult) => {
			ends.push({ order, waitResult, after: Date.now() - begin });
		});
	}
	return ends;
}

/** A request of the run that started at this time has its answer, and its item leaves. */
export function endRequest(lane: Lane, startedAt: number, said: PaceSignal): void {
	const [turn, ...others] = underWay.get(lane) ?? [];
	if (turn === undefined) throw new Error('No request of the run is under way');
	underWay.set(lane, others);
	turn.use(startedAt, said);
	turn.leave();
}

export async function exchange(lane: Lane, said: PaceSignal): Promise<void> {
	const waitResult = takeTurn(lane, 0);
	await pass(0);
	expect(await waitResult).toBe('go');
	endRequest(lane, Date.now(), said);
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
