import fc from 'fast-check';

import type { Fault } from '../simulator/contract';
import { useContacts } from './contacts';
import { retryRun, runNode, type NodeRun } from './engine';
import { useFastClock } from './fastClock';
import { isFor, numbers } from './world';

useFastClock(50);

const { simulator, calls } = useContacts({ hasStore: false });

/** Faults that can be told apart at once; those that pass by themselves are tried again in between. */
const FAULTS: Record<string, Fault> = {
	refused: { kind: 'status', status: 400 },
	upgrade: { kind: 'status', status: 402, body: { message: 'Account upgrade is needed' } },
	'429 once': { kind: 'rateLimited', retryAfter: '0' },
	'503 once': { kind: 'status', status: 503, retryAfter: '0' },
	'500 unacted': { kind: 'status', status: 500 },
	'500 acted': { kind: 'status', status: 500, process: true },
	'reset before': { kind: 'resetBefore' },
	'reset after': { kind: 'resetAfter' },
	'broken JSON': { kind: 'brokenJson' },
	page: { kind: 'html' },
	empty: { kind: 'empty' },
};

/** Faults after which the service may have acted, for all that the node can know. */
const UNKNOWN = [
	'500 unacted',
	'500 acted',
	'reset before',
	'reset after',
	'broken JSON',
	'page',
	'empty',
];

const faultNames = Object.keys(FAULTS);

const scenario = fc.record({
	/** For each item the faults that it meets, one for each time that it is on the wire. */
	items: fc.array(fc.array(fc.constantFrom(...faultNames), { maxLength: 2 }), {
		minLength: 1,
		maxLength: 12,
	}),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	retryOnFail: fc.boolean(),
	maxConcurrentRequests: fc.integer({ min: 1, max: 5 }),
	/** How often the failed execution is retried by hand. */
	retries: fc.integer({ min: 0, max: 3 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

function prepare({ items }: Scenario): void {
	simulator().reset();
	for (const [index, names] of items.entries()) {
		for (const name of names) {
			const fault = FAULTS[name];
			if (fault === undefined) throw new Error(name);
			simulator().addFault({ ...fault, times: 1, when: isFor(index) });
		}
	}
}

async function run(chosen: Scenario): Promise<NodeRun> {
	const { items, onError, retryOnFail, maxConcurrentRequests, retries } = chosen;
	const settings = { onError, retryOnFail, maxTries: 2, waitBetweenTries: 1 };
	const setup = calls(numbers(items.length), {}, { settings }, { maxConcurrentRequests });
	let result = await runNode(setup);
	for (let retry = 0; retry < retries && result.error; retry++) {
		result = await retryRun(result.run, setup);
	}
	return result;
}

/** The call that the service placed for an item, by what it answered or would have answered. */
const isAccepted = (result: NodeRun, index: number) =>
	result.items.some(
		({ json, pairedItem }) =>
			json.callId !== undefined && (pairedItem as { item: number }).item === index,
	);

/** Longer than a test may take: these are 150 executions with their retries. */
const ALL_SCENARIOS_MS = 300_000;

test(
	'whatever happens, nobody is called twice and no accepted call is lost',
	async () => {
		await fc.assert(
			fc.asyncProperty(scenario, async (chosen) => {
				prepare(chosen);
				const result = await run(chosen);

				for (const index of chosen.items.keys()) {
					const requests = simulator().requests.filter(isFor(index));
					const acted = requests.filter(({ processed }) => processed);
					const trusted = requests.filter(({ status, processed }) => processed && status === 201);
					const met = chosen.items[index]?.slice(0, requests.length) ?? [];
					const where = `item ${index} (${met.join(', ') || 'no fault'})`;

					expect([where, acted.length <= 1]).toEqual([where, true]);
					const firstUnknown = met.findIndex((name) => UNKNOWN.includes(name));
					const isSentAgain = firstUnknown >= 0 && requests.length > firstUnknown + 1;
					expect([where, isSentAgain]).toEqual([where, false]);
					const hasCleanAnswer = trusted.length === 1 && firstUnknown < 0;
					if (!result.error) {
						expect([where, isAccepted(result, index)]).toEqual([where, hasCleanAnswer]);
					}
				}
				if (result.error === undefined) expect(result.items).toHaveLength(chosen.items.length);
			}),
			{ numRuns: 150 },
		);
	},
	ALL_SCENARIOS_MS,
);
