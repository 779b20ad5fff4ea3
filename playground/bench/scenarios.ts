import { count } from './markdown';
import { LISTED_NUMBERS, type FieldCount, type RunnerId } from './runners';

/** The same work for several runners, in turn, for some rounds. */
export interface Scenario {
	id: string;
	title: string;
	fields: FieldCount;
	latencyMs: number;
	/** What the service allows; `null` for everything. */
	requestsPerSecond: number | null;
	items: number;
	rounds: number;
	/** Rounds of the stock declarative node, which takes minutes for many items. */
	slowRounds: number;
	runners: readonly RunnerId[];
}

const FOUR: readonly RunnerId[] = ['node', 'httpRequest', 'declarative', 'floor'];

const noLatency = (items: number, rounds: number, runners = FOUR): Scenario => ({
	id: `noLatency-${items}`,
	title: '3 expression fields, no latency',
	fields: 3,
	latencyMs: 0,
	requestsPerSecond: null,
	items,
	rounds,
	slowRounds: items >= 1500 ? 1 : rounds,
	runners,
});

const latency = (fields: FieldCount, items: number, rounds: number): Scenario => ({
	...noLatency(items, rounds),
	id: `latency-${fields}`,
	title: `${fields} expression ${fields === 1 ? 'field' : 'fields'}, 100 ms latency`,
	fields,
	latencyMs: 100,
});

const oneField = (items: number, rounds: number): Scenario => ({
	...noLatency(items, rounds),
	id: 'oneField',
	title: '1 expression field, no latency',
	fields: 1,
});

const limited = (items: number, rounds: number): Scenario => ({
	...noLatency(items, rounds),
	id: 'limited',
	title: '3 expression fields, the service allows 50 requests a second',
	requestsPerSecond: 50,
	runners: [...FOUR, 'httpRequestBatched', 'httpRequestRetry'],
});

/** A long list of whom not to contact. */
const listed = (items: number, rounds: number): Scenario => ({
	...noLatency(items, rounds, ['node', 'nodeWithList']),
	id: 'listed',
	title: `3 expression fields, no latency, ${count(LISTED_NUMBERS)} numbers not to contact`,
});

const scenarios = (roundsOfLargest: number): readonly Scenario[] => [
	noLatency(100, 5),
	noLatency(1000, 5, [...FOUR, 'httpRequestJson']),
	noLatency(5000, 3),
	noLatency(20_000, roundsOfLargest),
	{ ...noLatency(1500, 3), id: 'readme', runners: ['node', 'httpRequest', 'declarative'] },
	oneField(1000, 3),
	latency(3, 1000, 3),
	latency(1, 1000, 3),
	listed(5000, 3),
	// The last one: the node keeps the pace that it has learned for a minute.
	limited(500, 3),
];

export const SCENARIOS = scenarios(1);

/** With more rounds of the largest number of items. */
export const FULL_SCENARIOS = scenarios(3);

/** Whether everything works, in two minutes. */
export const QUICK_SCENARIOS: readonly Scenario[] = [
	noLatency(100, 3),
	noLatency(1000, 1, [...FOUR, 'httpRequestJson']),
	latency(3, 200, 1),
	limited(200, 1),
];

/** This node beside itself at an earlier commit. */
export const AGAINST_SCENARIOS: readonly Scenario[] = [
	noLatency(1, 15, ['node', 'earlier']),
	noLatency(1000, 11, ['node', 'earlier']),
	noLatency(5000, 5, ['node', 'earlier']),
];

export const PROFILED = noLatency(5000, 1);
