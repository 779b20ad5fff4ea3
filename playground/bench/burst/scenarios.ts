import type { RunnerId } from '../runners';
import type { Limit } from './figures';

/** So many executions of one call each, all started at the same moment. */
export interface BurstScenario {
	executions: number;
	limit: Limit;
	rounds: number;
	runners: readonly RunnerId[];
}

/** Single calls, one after the other, while an execution of the same runner works on a list. */
export interface BesideListScenario {
	/** How many items the list has. */
	list: number;
	singles: number;
	/** `null` if the service allows everything. */
	limit: Limit | null;
	rounds: number;
	/** Rounds of the stock declarative node, which stands still for half a minute. */
	slowRounds: number;
	runners: readonly RunnerId[];
}

export interface BurstScenarios {
	bursts: readonly BurstScenario[];
	besideLists: readonly BesideListScenario[];
}

const THREE: readonly RunnerId[] = ['node', 'httpRequest', 'declarative'];

/** A service that saves up nothing while nobody calls. */
const STRICT: Limit = { requestsPerSecond: 20 };

const burst = (executions: number, rounds: number): BurstScenario => ({
	executions,
	limit: { requestsPerSecond: 20, bucket: 20 },
	rounds,
	runners: ['node', 'httpRequest', 'httpRequestRetry', 'declarative'],
});

const strictBurst = (executions: number, rounds: number): BurstScenario => ({
	executions,
	limit: STRICT,
	rounds,
	runners: ['node', 'httpRequestRetry'],
});

const besideList = (
	list: number,
	limit: Limit | null,
	rounds: number,
	runners = THREE,
): BesideListScenario => ({
	list,
	singles: 5,
	limit,
	rounds,
	slowRounds: 1,
	runners,
});

/** What this node learns of a limit it knows for a minute: without a limit is measured before with one. */
export const BURST_SCENARIOS: BurstScenarios = {
	bursts: [burst(200, 3), strictBurst(200, 3)],
	besideLists: [besideList(5000, null, 3), besideList(5000, STRICT, 3)],
};

/** Whether everything works, in a minute. */
export const QUICK_BURST_SCENARIOS: BurstScenarios = {
	bursts: [burst(40, 1)],
	besideLists: [besideList(500, STRICT, 1, ['node'])],
};
