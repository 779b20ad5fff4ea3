import { Gate } from '../../../nodes/shared/delivery/gate';
import type { ItemTurns, Lane, LaneRules, WaitEnd } from '../../../nodes/shared/delivery/lane';
import type { Verdict } from '../../../nodes/shared/delivery/refusals';
import { giveWay } from '../../../nodes/shared/time/wait';

// What is made beside the event loop does not go by the clock of these tests; see wait.test.ts.
jest.mock('../../../nodes/shared/time/wait', () => ({
	...jest.requireActual<object>('../../../nodes/shared/time/wait'),
	giveWay: jest.fn(),
}));

/** The gate, and how it gives way: the tests import them from here, so that the clock of the tests holds for it. */
export { Gate, giveWay };

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

export const open = (gate: Gate, rules: Partial<LaneRules> = {}): Lane =>
	gate.open({
		maxConcurrentRequests: Infinity,
		requestsPerSecond: 0,
		signal: new AbortController().signal,
		...rules,
	});

/** An item that nothing holds back. */
export const enter = (lane: Lane, index: number, maxWait = 600_000): ItemTurns =>
	lane.enter(index, maxWait, () => true);

/** The items of a run that have their turns, the first one first. */
const underWay = new WeakMap<Lane, ItemTurns[]>();

/** Waits for the turn of an item that is sent once. */
export async function takeTurn(lane: Lane, index: number, maxWait?: number): Promise<WaitEnd> {
	const turns = enter(lane, index, maxWait);
	const turn = await turns.take();
	if (turn === 'start') underWay.set(lane, [...(underWay.get(lane) ?? []), turns]);
	return turn;
}

/** Items of a run that wait for their turns, and what became of them, with milliseconds from now. */
export function askMany(lane: Lane, count: number, maxWait?: number) {
	const begin = Date.now();
	const turns: { order: number; turn: WaitEnd; after: number }[] = [];
	for (let order = 0; order < count; order++) {
		void takeTurn(lane, order, maxWait).then((turn) => {
			turns.push({ order, turn, after: Date.now() - begin });
		});
	}
	return turns;
}

/** A request of the run that started at this time has its answer, and its item leaves. */
export function endRequest(lane: Lane, startedAt: number, verdict: Verdict): void {
	const [turns, ...others] = underWay.get(lane) ?? [];
	if (turns === undefined) throw new Error('No request of the run is under way');
	underWay.set(lane, others);
	turns.use(startedAt, verdict);
	turns.leave();
}

/** One request from its turn to its end. */
export async function exchange(lane: Lane, verdict: Verdict): Promise<void> {
	const turn = takeTurn(lane, 0);
	await pass(0);
	expect(await turn).toBe('start');
	endRequest(lane, Date.now(), verdict);
}

export const orders = (turns: { order: number }[]): number[] => turns.map(({ order }) => order);
export const times = (turns: { after: number }[]): number[] => turns.map(({ after }) => after);
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
