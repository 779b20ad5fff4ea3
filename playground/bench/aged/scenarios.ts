import { count } from '../markdown';
import { RUNNER_NAMES, type RunnerId } from '../runners';

/** A runner, and how many calls its node has made before. */
export interface Veteran {
	runner: RunnerId;
	age: number;
}

export interface AgedScenario {
	/** How often single calls are measured, and how many in each round. */
	singles: { rounds: number; calls: number };
	/** The same for calls that all start at the same moment. */
	bursts: { rounds: number; calls: number };
}

const AGES = [0, 5000, 50_000];

export const VETERANS: readonly Veteran[] = [
	{ runner: 'httpRequest', age: 0 },
	...AGES.map((age): Veteran => ({ runner: 'node', age })),
	...AGES.map((age): Veteran => ({ runner: 'nodeNotAgain', age })),
];

/** Tells a runner of one age from all others. */
export const nameOf = ({ runner, age }: Veteran): string =>
	age === 0 ? RUNNER_NAMES[runner] : `${RUNNER_NAMES[runner]}, after ${count(age)} calls`;

export const AGED_SCENARIO: AgedScenario = {
	singles: { rounds: 12, calls: 5 },
	bursts: { rounds: 3, calls: 100 },
};

/** Whether everything works, in two minutes. */
export const QUICK_AGED_SCENARIO: AgedScenario = {
	singles: { rounds: 1, calls: 5 },
	bursts: { rounds: 1, calls: 100 },
};
