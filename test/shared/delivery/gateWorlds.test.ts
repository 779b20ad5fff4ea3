import fc from 'fast-check';

import { GateRules } from './gateRules';
import { playOut, useVirtualTime, type Reply, type Run } from './virtualRuns';

useVirtualTime();

const seconds = (min: number, max: number) => fc.integer({ min, max });
const times = (max: number) => fc.integer({ min: 0, max }).map((tenths) => tenths * 100);

const says = fc.oneof(
	fc.record({ says: fc.constantFrom('accepted', 429, 503, 'nothing', 'unreachable') }),
	fc.record({ says: fc.constantFrom(429, 503), retryAfter: seconds(0, 20) }),
	fc.record({ says: fc.constantFrom(429, 503), retryAfter: seconds(31, 60) }),
	fc.constant({ says: 'accepted' }),
);

const reply: fc.Arbitrary<Reply> = fc
	.tuple(says, fc.oneof(fc.constant(0), times(20), times(600)))
	.map(([what, after]) => ({ ...what, after }) as Reply);

const run: fc.Arbitrary<Run> = fc
	.record({
		beginAt: fc.oneof(times(50), times(900)),
		lasts: fc.option(times(600), { nil: undefined, freq: 4 }),
		items: fc.integer({ min: 1, max: 4 }),
		maxWait: fc.oneof(fc.constant(0), seconds(1, 10), seconds(11, 90)),
		maxConcurrentRequests: fc.integer({ min: 1, max: 3 }),
		requestsPerSecond: fc.constantFrom(0, 0, 1, 5),
		isSafe: fc.boolean(),
	})
	.map(({ lasts, ...one }) => ({
		...one,
		...(lasts !== undefined && { cancelAt: one.beginAt + lasts }),
	}));

test('whatever the service answers, and whichever runs come and go', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(reply, { minLength: 1, maxLength: 12 }),
			fc.array(run, { minLength: 1, maxLength: 6 }),
			async (replies, runs) => {
				const items = await playOut(replies, runs);

				expect(new GateRules(items).violations()).toEqual([]);
			},
		),
		{ numRuns: 1_000 },
	);
});
