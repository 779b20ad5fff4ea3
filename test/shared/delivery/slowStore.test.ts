import { passing, useFakeTime } from '../../until';
import { failureOf } from '../../../nodes/shared/delivery/outcome';
import { startTable } from '../book/bookTable';
import { execute, Process, type Outside, type Point } from './execution';

const [first, one, other] = [new Process(), new Process(), new Process()];
const DAY = 86_400_000;

let worlds = 0;

useFakeTime();

const numbersOf = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ toNumber: `+1555000${1000 + index}` }));

const worldOf = (more: Partial<Outside>): Outside => ({
	...{ rows: new Map(), isBroken: false },
	...{ latency: () => 5, serviceTime: () => 1_000, send: () => 'accepted' },
	...more,
});

/** A world whose service refuses the first call, and how often it has called one person at most. */
function refusingFirst(latency: () => number) {
	const called: string[] = [];
	let asked = 0;
	const outside = worldOf({
		latency,
		send: (_, to) => {
			if (asked++ === 0) return 'refused';
			called.push(to);
			return 'accepted';
		},
	});
	const mostCalls = () =>
		Math.max(...called.map((to) => called.filter((one) => one === to).length));
	return { outside, mostCalls };
}

const setupOf = (executionId: string, token: string, isRetry: boolean) => ({
	...{ executionId, token, isRetry, stopOnFailure: true, maxConcurrentRequests: 1 },
});

/** A run whose first call is refused, and two retries of it in two processes, the second so much later. */
async function callsOfTwoRetries(latency: number, apart: number): Promise<number> {
	const node = `node ${++worlds}`;
	const { outside, mostCalls } = refusingFirst(() => latency);
	const stages = [{ node, run: 0, rows: numbersOf(6) }];
	const begin = { stage: 0, saved: {} };
	const { failedAt = begin } = await passing(
		execute(first, outside, stages, begin, setupOf('first', node, false)),
	);
	const retries = [one, other].map(async (process, place) => {
		await new Promise((resolve) => setTimeout(resolve, place * apart));
		return await execute(process, outside, stages, failedAt, setupOf(`r ${place}`, node, true));
	});
	await passing(Promise.all(retries));
	return mostCalls();
}

test.each([50, 400, 1_000, 4_000])(
	'however slow the database of n8n is (%i ms), two retries call nobody twice',
	async (latency) => {
		for (let step = 0; step < 20; step++)
			expect([step, await callsOfTwoRetries(latency, latency * step * 0.1)]).toEqual([step, 1]);
	},
);

/** A run and two retries; in one of them, a call of the store hangs so long, counted from its beginning. */
async function callsWhileHanging(hangs: { run: number; call: number; milliseconds: number }) {
	const node = `node ${++worlds}`;
	let calls = 0;
	let isHanging = false;
	const { outside, mostCalls } = refusingFirst(() =>
		isHanging && calls++ === hangs.call ? hangs.milliseconds : 5,
	);
	const stages = [{ node, run: 0, rows: numbersOf(60) }];
	let from: Point = { stage: 0, saved: {} };
	let outcomes: (string | undefined)[] = [];
	for (let run = 0; run < 3; run++) {
		isHanging = run === hangs.run;
		const setup = { ...setupOf(`${node} ${run}`, node, run > 0), stopOnFailure: run < 2 };
		const { results, failedAt } = await passing(execute(first, outside, stages, from, setup));
		from = failedAt ?? from;
		outcomes = results.map((result) => failureOf(result)?.outcome);
		// So long the lease may stand that n8n was to remove.
		await jest.advanceTimersByTimeAsync(600_000);
	}
	return { most: mostCalls(), lost: outcomes.filter((outcome) => outcome === 'notSent').length };
}

test.each([
	[0, 10 * DAY],
	[1, 10 * DAY],
	[1, 45_000],
])(
	'whichever call of the store hangs in run %i, for %i ms, nobody is called twice or lost',
	async (run, milliseconds) => {
		for (let call = 0; call < 6; call++) {
			const seen = await callsWhileHanging({ run, call, milliseconds });
			expect([call, seen]).toEqual([call, { most: 1, lost: 0 }]);
		}
	},
);

test('a person whose 24 hours end while the list is claimed holds back at most that person', async () => {
	const people = numbersOf(120);
	for (let later = 0; later < 600; later += 50) {
		const node = `node ${++worlds}`;
		const { table, ask } = startTable();
		table.insert({
			...{ phone: people[1]?.toNumber ?? '', outcome: 'accepted', mode: 'live' },
			contactedAt: new Date(Date.now() - DAY + later).toISOString(),
		});
		const book = { ask, latency: 50, key: node };
		const outside = worldOf({ book, contactRules: { notAgainWithin: 24 } });
		const setup = { ...setupOf(node, node, false), maxConcurrentRequests: 20 };
		const stages = [{ node, run: 0, rows: people }];

		const { results } = await passing(
			execute(first, outside, stages, { stage: 0, saved: {} }, setup),
		);

		const accepted = results.filter(({ kind }) => kind === 'accepted').length;
		const heldBack = results.filter(({ kind }) => kind === 'heldBack').length;
		expect([later, accepted + heldBack]).toEqual([later, people.length]);
	}
});
