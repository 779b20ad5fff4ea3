import fc from 'fast-check';

import { failureOf, type Outcome } from '../../../nodes/shared/delivery/outcome';
import { ASSISTANT_ID, OTHER_ID } from '../samples';
import { passing, useFakeTime } from '../../until';
import {
	execute,
	Process,
	type Ended,
	type Fate,
	type Outside,
	type Point,
	type Stage,
} from './execution';

const PEOPLE = ['+15550001000', '+15550001001', '+15550001002', '+15550001003'];

/** A process that is dead is not started again in the same scenario. Loading one takes a second. */
const processes = Array.from({ length: 8 }, () => new Process());

const aRound = fc.array(fc.nat(PEOPLE.length - 1), { minLength: 1, maxLength: 6 });

const aTry = fc.record({
	/** n8n dies when it has sent so many requests in this try; or, beyond them, in a later node. */
	dies: fc.option(fc.nat(14), { freq: 2, nil: undefined }),
	isElsewhere: fc.boolean(),
	/** Which of the executions so far it retries. */
	retries: fc.nat(3),
	/** Two retries of the same execution run at the same moment. */
	isTwice: fc.boolean(),
	/** n8n's database is away. Not in the first try, which sends all the same. */
	isBroken: fc.constantFrom(false, false, false, true),
	edit: fc.constantFrom('none', 'none', 'reversed', 'otherAssistant', 'firstDeleted'),
	stopOnFailure: fc.constantFrom(true, true, false),
	maxConcurrentRequests: fc.integer({ min: 1, max: 3 }),
});

const anyScenario = fc.record({
	rounds: fc.array(aRound, { minLength: 1, maxLength: 3 }),
	/** A second node reaches the people of the first round, too. */
	hasSecondNode: fc.boolean(),
	/** A round of the loop gets back what the round before has not sent. */
	givesBack: fc.boolean(),
	tries: fc.array(aTry, { minLength: 1, maxLength: 5 }),
	fates: fc.array(
		fc.constantFrom<Fate>(
			...(['accepted', 'accepted', 'refused', 'refused', 'lost', 'busy', 'unreachable'] as const),
		),
		{ minLength: 1, maxLength: 12 },
	),
	/** The calls of n8n's database whose answer is lost. */
	losses: fc.array(fc.constantFrom(false, false, false, true), { minLength: 1, maxLength: 12 }),
	latencies: fc.array(fc.constantFrom(0, 1, 10, 60), { minLength: 1, maxLength: 5 }),
	serviceTimes: fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 5 }),
});

const CHAIN = {
	dies: undefined,
	isElsewhere: false,
	isTwice: false,
	retries: 0,
	stopOnFailure: true,
};

/**
 * After which nobody can be in doubt: n8n does not die, all answers of the service come, and those of the database to a
 * retry, each retry is one of the last, and no row goes.
 */
const plainScenario = anyScenario.map(({ tries, fates, ...more }) => ({
	...more,
	tries: tries.map(({ edit, ...one }) => ({
		...one,
		...CHAIN,
		edit: edit === 'firstDeleted' ? 'none' : edit,
	})),
	fates: fates.map((fate) => (fate === 'lost' ? 'refused' : fate)),
}));

const scenario = fc.oneof(
	fc.record({ isPlain: fc.constant(false), chosen: anyScenario }),
	fc.record({ isPlain: fc.constant(true), chosen: plainScenario }),
);

type Scenario = typeof anyScenario extends fc.Arbitrary<infer T> ? T : never;
type Try = Scenario['tries'][number];

/** At last the service and the database are well. */
const LAST: Try = {
	...CHAIN,
	isBroken: false,
	edit: 'none',
	stopOnFailure: false,
	maxConcurrentRequests: 2,
};

useFakeTime();
beforeEach(() => {
	jest.setSystemTime(Date.parse('2026-03-02T10:10:00Z'));
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});

function cycle<T>(values: readonly T[]): () => T {
	let place = 0;
	return () => values[place++ % values.length] as T;
}

let worlds = 0;

/** An execution with its retries, and the people they reach. */
class World {
	/** How often each person may have been reached, by node and number. */
	readonly reached = new Map<string, number>();

	/** Where the executions that failed or were killed are retried, the last one first. */
	readonly points: Point[] = [];

	isCalm = false;

	private readonly id = `world ${++worlds}`;

	private process = 0;

	private executions = 0;

	private requests = 0;

	private dies: number | undefined;

	private kill: () => void = () => undefined;

	private readonly outside: Outside;

	constructor(
		private readonly scenario: Scenario,
		isPlain: boolean,
	) {
		const fate = cycle(scenario.fates);
		const isLost = cycle(scenario.losses);
		this.outside = {
			rows: new Map(),
			isBroken: false,
			losesAnswer: () => !this.isCalm && !(isPlain && this.executions > 1) && isLost(),
			latency: cycle(scenario.latencies),
			serviceTime: cycle(scenario.serviceTimes),
			send: (node, toNumber) => {
				const next = this.isCalm ? 'accepted' : fate();
				const key = `${node} ${toNumber}`;
				if (next === 'accepted' || next === 'lost')
					this.reached.set(key, (this.reached.get(key) ?? 0) + 1);
				if (++this.requests === this.dies) this.kill();
				return next;
			},
		};
	}

	/** The nodes' runs; the second node has the people of the first round. */
	stages(edit: Try['edit'] = 'none'): Stage[] {
		const { rounds, hasSecondNode, givesBack } = this.scenario;
		const assistantId = edit === 'otherAssistant' ? OTHER_ID : ASSISTANT_ID;
		const [one, other] = [`${this.id} A`, `${this.id} B`];
		const runs = rounds.map((people, run) => ({ node: one, run, people, takesBack: givesBack }));
		const second = hasSecondNode ? [{ node: other, run: 0, people: rounds[0] ?? [] }] : [];
		return [...runs, ...second].map(({ people, ...stage }) => {
			const rows = people.map((person) => ({ toNumber: PEOPLE[person] ?? '', assistantId }));
			if (edit === 'reversed') rows.reverse();
			return { ...stage, rows: edit === 'firstDeleted' && rows.length > 1 ? rows.slice(1) : rows };
		});
	}

	/** One try of the execution, or two at the same moment. What became of the rows of each that was not killed. */
	async run(chosen: Try): Promise<Ended[]> {
		const { isElsewhere, retries, isTwice, isBroken, edit, dies } = chosen;
		const isRetry = this.executions > 0;
		if (isElsewhere) this.process++;
		const process = processes[this.process % processes.length];
		const from = this.points[retries % this.points.length] ?? { stage: 0, saved: {} };
		if (process === undefined) return [];
		this.outside.isBroken = isRetry && isBroken;
		[this.requests, this.dies] = [0, dies];
		const killed = new Promise<undefined>((resolve) => {
			this.kill = () => {
				process.die();
				resolve(undefined);
			};
		});
		const start = async () =>
			await execute(process, this.outside, this.stages(edit), from, {
				executionId: `${this.id} ${++this.executions}`,
				isRetry,
				token: `${this.id} token`,
				stopOnFailure: chosen.stopOnFailure,
				maxConcurrentRequests: chosen.maxConcurrentRequests,
			});
		const tries = isTwice && isRetry ? [start(), start()] : [start()];
		const ended = await passing(Promise.race([Promise.all(tries), killed]));
		this.outside.isBroken = false;
		const isOver = ended?.every(({ failedAt }) => failedAt === undefined) === true;
		// If all is sent, n8n dies in a later node.
		if (ended === undefined || (isOver && dies !== undefined)) {
			if (ended) process.die();
			// Until then, the next retry is refused. To clear the timers sets the clock back.
			const later = Date.now() + 600_000;
			jest.clearAllTimers();
			jest.setSystemTime(later);
			this.process++;
			this.points.unshift({ stage: 0, saved: {} });
			return [];
		}
		// A process writes nothing more; nor does a lease stand that was taken when the answer was lost.
		await jest.advanceTimersByTimeAsync(600_000);
		for (const { failedAt } of ended) if (failedAt) this.points.unshift(failedAt);
		return ended;
	}
}

/** Longer than a test may take: these are 300 executions with their retries. */
const ALL_SCENARIOS_MS = 300_000;

const wordFor = (result: Outcome): string => failureOf(result)?.outcome ?? 'accepted';

test(
	'nobody is reached twice and nobody is lost, whatever happens to an execution and its retries',
	async () => {
		await fc.assert(
			fc.asyncProperty(scenario, async ({ isPlain, chosen }) => {
				const world = new World(chosen, isPlain);
				const { tries } = chosen;
				await world.run(tries[0] ?? LAST);
				for (const next of tries.slice(1)) if (world.points.length > 0) await world.run(next);
				world.isCalm = true;
				const last = world.points.length > 0 ? await world.run(LAST) : [];

				const rows = world
					.stages()
					.flatMap(({ node, rows: all }) => all.map(({ toNumber }) => `${node} ${toNumber}`));
				for (const [person, times] of world.reached) {
					const wanted = rows.filter((row) => row === person).length;
					expect([person, times]).toEqual([person, Math.min(times, wanted)]);
				}
				const words = last.flatMap(({ results }) => results.map(wordFor));
				const allowed = ['accepted', isPlain ? '' : 'unknown'];
				expect(words.filter((word) => !allowed.includes(word))).toEqual([]);
				if (isPlain && last.length > 0)
					expect(rows.filter((person) => !world.reached.has(person))).toEqual([]);
			}),
			{ numRuns: 300 },
		);
	},
	ALL_SCENARIOS_MS,
);
