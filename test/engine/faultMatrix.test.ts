import type { INodeParameters } from 'n8n-workflow';

import type { Fault, RecordedRequest, Simulator } from '../simulator/contract';
import { startSimulator } from '../simulator/simulator';
import { runNode, type NodeRun } from './engine';
import { credentialFor, numbers, placeCall } from './world';

const ITEMS = 6;
/** The item that the fault hits. */
const HIT = 2;
const TRIES = 2;
/** Longer than a busy machine stalls; but short of the item that gets no answer, four times in a row. */
const TIMEOUT_MS = 30_000;
const IF_SILENT = `={{ $itemIndex === ${HIT} ? 1000 : ${TIMEOUT_MS} }}`;
const MAX_WAIT_S = 8;

/** What becomes of the hit item: accepted, or how it failed. */
type Verdict = 'accepted' | `${string} ${'refused' | 'notSent' | 'unknown'}`;

const ACTS_AND_FAILS: Fault = { kind: 'status', status: 500, process: true, times: 1 };
const SAYS_NO: Fault = { kind: 'respond', body: { callId: 'c', prompt: 'p', status: 'Failed' } };
const REDIRECT: Fault = { kind: 'redirect', status: 307, location: '/api/v1/elsewhere' };
const RATE_LIMITED: Fault = { kind: 'rateLimited', retryAfter: '0' };
const BUSY: Fault = { kind: 'status', status: 503, retryAfter: '0', times: 2 };
const REFUSED: Fault = { kind: 'status', status: 400 };
const FIREWALL: Fault = { kind: 'html', status: 403, process: false };
const ONE_503: Fault = { kind: 'status', status: 503, times: 1 };
const LOST_ANSWER: Fault = { kind: 'resetAfter', times: 1 };

/** What the fault, or one fault after the other, means for an operation that reaches people; last, for one that is safe to repeat, if that differs. */
const ROWS: [name: string, fault: Fault | Fault[], once: Verdict, repeatable?: Verdict][] = [
	['a slow answer', { kind: 'delay', delayMs: 30 }, 'accepted'],
	['400', REFUSED, 'invalidInput refused'],
	['401', { kind: 'status', status: 401 }, 'invalidApiKey refused'],
	['407 of a proxy', { kind: 'status', status: 407 }, 'unreachable notSent'],
	['429', RATE_LIMITED, 'rateLimited refused'],
	['429 that passes', { ...RATE_LIMITED, times: 3 }, 'accepted'],
	['429 without Retry-After that passes', { kind: 'status', status: 429, times: 1 }, 'accepted'],
	['500', { kind: 'status', status: 500 }, 'serviceError unknown', 'serviceError refused'],
	['500 after the service acted', ACTS_AND_FAILS, 'serviceError unknown', 'accepted'],
	['503 without Retry-After', ONE_503, 'serviceError unknown', 'accepted'],
	['503 with Retry-After that passes', BUSY, 'accepted'],
	['503 with Retry-After, then 400', [BUSY, REFUSED], 'invalidInput refused'],
	['a reset before the service acted', { kind: 'resetBefore' }, 'unreachable unknown'],
	['a reset after the service acted', LOST_ANSWER, 'unreachable unknown', 'accepted'],
	['an answer that is cut off', { kind: 'truncate' }, 'unreachable unknown'],
	['broken JSON', { kind: 'brokenJson' }, 'badResponse unknown'],
	['a page', { kind: 'html' }, 'badResponse unknown'],
	['a page of a firewall', FIREWALL, 'badResponse refused'],
	['an empty answer', { kind: 'empty' }, 'badResponse unknown'],
	['an answer that says no', SAYS_NO, 'badResponse unknown', 'badResponse refused'],
	['a redirect', REDIRECT, 'badResponse unknown'],
	['silence', { kind: 'hang' }, 'timeout unknown'],
];

interface Kind {
	readonly parameters: (simulator: Simulator) => INodeParameters;
	/** Which item a request is for. */
	readonly itemOf: (request: RecordedRequest) => number;
}

const bodyOf = (request: RecordedRequest) => request.body as Record<string, string>;

const KINDS: Record<'once' | 'repeatable', Kind> = {
	once: {
		parameters: () => placeCall,
		itemOf: (request) => numbers(ITEMS).findIndex(({ to }) => to === bodyOf(request).toNumber),
	},
	repeatable: {
		parameters: ({ assistantId }) => ({
			resource: 'assistant',
			operation: 'updatePrompt',
			assistantId,
			prompt: '={{ "prompt " + $itemIndex }}',
		}),
		itemOf: (request) => Number(bodyOf(request).prompt?.split(' ')[1]),
	},
};

const MODES = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

const SCENARIOS = ROWS.flatMap(([name, fault, once, repeatable = once]) =>
	Object.entries({ once, repeatable }).flatMap(([kind, expected]) =>
		MODES.flatMap((mode) =>
			[false, true].map((retryOnFail) => {
				const isOnce = kind === 'once';
				return { name, fault, kind, isOnce, expected, mode, retryOnFail };
			}),
		),
	),
);

type Scenario = (typeof SCENARIOS)[number];

interface Result extends NodeRun {
	/** How often the service acted on each item. */
	readonly deliveries: number[];
	/** How often each item was on the wire. */
	readonly sent: number[];
}

async function runScenario({ fault, isOnce, mode, retryOnFail }: Scenario): Promise<Result> {
	const simulator = await startSimulator();
	const { parameters, itemOf } = isOnce ? KINDS.once : KINDS.repeatable;
	const timeout = 'kind' in fault && fault.kind === 'hang' ? IF_SILENT : TIMEOUT_MS;
	try {
		for (const one of [fault].flat()) {
			simulator.addFault({ ...one, when: (request) => itemOf(request) === HIT });
		}
		const result = await runNode({
			credential: credentialFor(simulator),
			parameters: {
				...parameters(simulator),
				options: { timeout, maxConcurrentRequests: 1, maxWait: MAX_WAIT_S },
			},
			items: numbers(ITEMS),
			settings: { onError: mode, retryOnFail, maxTries: TRIES, waitBetweenTries: 1 },
		});
		const count = (requests: RecordedRequest[]) =>
			Array.from(
				{ length: ITEMS },
				(_, item) => requests.filter((one) => itemOf(one) === item).length,
			);
		return {
			...result,
			deliveries: count(simulator.requests.filter(({ processed }) => processed)),
			sent: count(simulator.requests),
		};
	} finally {
		await simulator.stop();
	}
}

const results = new Map<Scenario, Result>();

/** Longer than a test may take: all of them run here. */
const ALL_MS = 300_000;

/** Several scenarios side by side, each with a service of its own, since many of them only wait. */
beforeAll(async () => {
	const waiting = [...SCENARIOS];
	const work = async () => {
		for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
			results.set(next, await runScenario(next));
		}
	};
	await Promise.all(Array.from({ length: 40 }, work));
}, ALL_MS);

test.each(SCENARIOS)('$name: $kind, $mode, Retry On Fail $retryOnFail', (scenario) => {
	const result = results.get(scenario);
	if (result === undefined) throw new Error('not run');
	const { isOnce, expected, mode, retryOnFail } = scenario;
	const isAccepted = expected === 'accepted';
	const { deliveries, sent, items, outputs, error } = result;

	if (isOnce) expect(Math.max(...deliveries)).toBeLessThanOrEqual(1);
	expect(sent.filter((_, item) => item !== HIT && item < HIT)).toEqual([1, 1]);

	if (isAccepted) {
		expect(error).toBeUndefined();
		expect(items).toHaveLength(ITEMS);
		expect(items.every(({ json }) => json.error === undefined)).toBe(true);
		return;
	}
	const verdictOf = (details: unknown) => {
		const { kind: failure, outcome } = details as { kind: string; outcome: string };
		return `${failure} ${outcome}`;
	};
	const isUnknownOnce = isOnce && expected.endsWith('unknown');
	if (isUnknownOnce) expect(sent[HIT]).toBe(1);
	if (mode === 'stopWorkflow') {
		expect(verdictOf(error?.context.details)).toBe(expected);
		expect(error?.context.itemIndex).toBe(HIT);
		// A retry goes on behind an item that stays failed, since what is known stops nothing.
		const goesOn = isUnknownOnce && retryOnFail;
		expect(sent.slice(HIT + 1)).toEqual(Array(ITEMS - HIT - 1).fill(goesOn ? 1 : 0));
		return;
	}
	expect(error).toBeUndefined();
	expect(sent.slice(HIT + 1)).toEqual(Array(ITEMS - HIT - 1).fill(1));
	const failed =
		mode === 'continueRegularOutput' ? items.filter(({ json }) => json.error) : outputs[1];
	expect(failed?.map(({ json }) => verdictOf(json.details))).toEqual([expected]);
	expect(outputs[0]?.filter(({ json }) => !json.error)).toHaveLength(ITEMS - 1);
});
