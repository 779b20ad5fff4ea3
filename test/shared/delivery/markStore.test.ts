import { sleep } from 'n8n-workflow';

import type { MarkStore } from '../../../nodes/shared/delivery/markStore';
import { MAX_MARKED_ITEMS } from '../../../nodes/shared/delivery/markStore';
import { passing as passingAll } from '../../until';
import { inOtherProcess } from '../../otherProcess';
import { hold } from '../../simulator/hold';
import { SeenByNode, type Fate } from './seenByNode';

let names = 0;
let seen = new SeenByNode('');
beforeEach(() => {
	seen = new SeenByNode(`node ${++names}`);
});

const store = () => seen.open();

const marks = (count: number, name = 'mark'): string[] =>
	Array.from({ length: count }, (_, index) => `${name} ${index}`);

/** Lets so many milliseconds pass, and work end meanwhile, by a clock that no busy machine holds up. */
async function passing<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
	jest.useFakeTimers();
	const ended = work();
	await jest.advanceTimersByTimeAsync(milliseconds);
	return await ended;
}
afterEach(() => {
	jest.useRealTimers();
});

test('the last 20,000 are kept', async () => {
	await store().add(marks(MAX_MARKED_ITEMS));
	await store().add(['another']);

	expect(await store().add(['mark 1'])).toEqual(new Set(['mark 1']));
});

test('what many executions want to mark at once is written together', async () => {
	const before = await passing(
		100,
		async () => await Promise.all(marks(200).map(async (mark) => await store().add([mark]))),
	);

	expect(before).toEqual(Array(200).fill(new Set()));
	expect(new Set(seen.row)).toEqual(new Set(marks(200)));
	expect(seen.calls).toBeLessThanOrEqual(3);
});

test('what is added and taken back at once is not mixed up', async () => {
	await store().add(marks(3));
	await Promise.all([store().remove(marks(2)), store().add(['more']), store().remove(['more'])]);

	expect(seen.row).toEqual(['mark 2']);
});

/** Marks for so long, and then once more; another process writes back what it has read just before. */
async function markedFor(milliseconds: number, gap: number): Promise<string[]> {
	seen = new SeenByNode(`node ${++names}`);
	for (let at = 0; at < milliseconds; at += gap) {
		await store().add([`mark ${at}`]);
		await sleep(gap);
	}
	const copy = [...seen.row];
	await store().add(['last']);
	await sleep(200);
	seen.row = [...copy, 'of another process'];
	await sleep(10_000);
	return seen.row;
}

test.each([50, 500])(
	'a mark that another process overwrites is repeated, however long others were marked before, every %i ms',
	async (gap) => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		for (let milliseconds = 2_000; milliseconds < 3_000; milliseconds += gap) {
			const row = await passing(20_000, async () => await markedFor(milliseconds, gap));

			expect([milliseconds, row]).toEqual([milliseconds, expect.arrayContaining(['last'])]);
		}
		jest.restoreAllMocks();
	},
);

test.each<[calls: number, apart: number, least: number, most: number]>([
	[1, 0, 2, 2],
	[20, 300, 21, 23],
	[5, 20_000, 10, 10],
])('%i calls %i ms apart are %i to %i writes', async (calls, apart, least, most) => {
	await passing(200_000, async () => {
		for (const mark of marks(calls)) {
			await store().add([mark]);
			await sleep(apart);
		}
	});

	expect(new Set(seen.row)).toEqual(new Set(marks(calls)));
	expect(seen.calls).toBeGreaterThanOrEqual(least);
	expect(seen.calls).toBeLessThanOrEqual(most);
});

test('while marks come steadily, the next write repeats one that another process overwrites', async () => {
	await passing(5_500, async () => {
		for (const mark of marks(5)) {
			const copy = [...seen.row];
			await store().add([mark]);
			if (mark === 'mark 3') seen.row = copy;
			await sleep(1_000);
		}
	});

	expect(new Set(seen.row)).toEqual(new Set(marks(5)));
});

const EARLIER = marks(2, 'of an earlier try');

test.each<[who: string, isSending: boolean, fate: Fate, found: string[]]>([
	['an answer is lost, a first run finds its own marks new', true, 'isLost', []],
	['an answer is lost, a retry takes none for new', false, 'isLost', [...marks(3), ...EARLIER]],
	['a write fails, a first run finds those of an earlier try', true, 'fails', EARLIER],
	['a write fails, a retry finds those of an earlier try', false, 'fails', EARLIER],
])('if %s', async (_, isSending, fate, found) => {
	seen.row = [...EARLIER];
	seen.fates = [fate];
	const asked = fate === 'isLost' && isSending ? marks(3) : [...marks(3), ...EARLIER];
	expect(await store().add(asked, isSending)).toEqual(new Set(found));

	expect(new Set(seen.row)).toEqual(new Set([...EARLIER, ...marks(3)]));
	expect(await store().add(asked)).toEqual(new Set(asked));
});

test('a mark of a write whose answer was lost is repeated until it is found', async () => {
	seen.fates = ['isLost'];
	await passing(10_000, async () => {
		await store().add(['mark 0']);
		seen.row = [];
	});

	expect(seen.row).toEqual(['mark 0']);
});

/** Lets a call of n8n begin that it does only when it is told to. */
function late(): () => void {
	const { until, release } = hold();
	seen.fates.push(until);
	return release;
}

describe('a call of n8n that does not settle', () => {
	const wishes: [wish: string, ask: () => Promise<unknown>, answer: unknown][] = [
		['a first run', async () => await store().add(['late']), undefined],
		['a retry', async () => await store().add(['late'], false), undefined],
		['who acquires', async () => await store().acquire(['late']), 'unreadable'],
		['who removes', async () => await Promise.all([store().remove(['late'])]), [undefined]],
	];

	test.each(wishes)(
		'counts as failed after a while for %s, and others go on',
		async (_, ask, answer) => {
			late();
			const others = async () => {
				await sleep(1_000);
				return [
					await store().add(['mark 0']),
					await store().acquire(['a']),
					await store().add(['mark 0']),
				];
			};

			const given = await passing(50_000, async () => await Promise.all([ask(), others()]));

			expect(given).toEqual([answer, [new Set(), 'held', new Set(['mark 0'])]]);
			expect(seen.warnings).toEqual([expect.stringContaining('no answer for 30 seconds')]);
		},
	);

	test.each(wishes)('overwrites nothing for long that was marked since, of %s', async (_, ask) => {
		const go = late();
		await passing(120_000, async () => {
			await ask();
			for (const mark of marks(5)) {
				await store().add([mark]);
				await sleep(10_000);
			}
			await store().acquire(['a']);
			await store().remove(['mark 1']);
			go();
		});

		expect(seen.row).toEqual(expect.arrayContaining(['mark 0', 'mark 2', 'mark 3', 'mark 4', 'a']));
	});
});

test('a database that is away says so, and is in the log; what it missed is written later', async () => {
	await passing(20_000, async () => {
		seen.isBroken = true;
		expect(await store().add(['mark 0'])).toBeUndefined();
		expect(await store().add(['no mark'])).toBeUndefined();
		expect(seen.warnings).toHaveLength(2);
		await store().remove(['no mark']);

		seen.isBroken = false;
		expect(await store().add(['mark 1'])).toEqual(new Set());
		expect(await store().add(['mark 0'])).toEqual(new Set(['mark 0']));
	});
	expect(new Set(seen.row)).toEqual(new Set(marks(2)));
});

const otherProcess = (): typeof MarkStore =>
	inOtherProcess(
		() =>
			jest.requireActual<{ MarkStore: typeof MarkStore }>(
				'../../../nodes/shared/delivery/markStore',
			).MarkStore,
	);

test('what was taken back is not written again', async () => {
	await passing(20_000, async () => {
		await store().add(marks(3));
		await store().remove(['mark 1']);
		seen.row = [];
	});

	expect(new Set(seen.row)).toEqual(new Set(['mark 0', 'mark 2']));
});

test.each([
	[2, 'come', 0],
	[3, 'come', 0],
	[4, 'come', 0],
	[2, 'are lost now and then', 0.2],
])(
	'of %i busy processes that claim a mark while answers %s, at most one gets it',
	async (count, _, lost) => {
		jest.useFakeTimers();
		const processes = Array.from({ length: count }, otherProcess);
		const held: number[] = [];
		for (let round = 0; round < 60; round++) {
			seen = new SeenByNode(`node ${++names}`);
			const record = seen.record.bind(seen);
			seen.record = async (...call) => {
				seen.latency = 100 * Math.random();
				seen.fates = Math.random() < lost ? ['isLost'] : [];
				return await record(...call);
			};
			let isOver = false;
			const others = processes.map(async (Store, index) => {
				for (let mark = 0; !isOver; mark++) {
					await sleep(100 * Math.random());
					void seen.open(Store).add([`${index} ${mark}`]);
				}
			});
			const claims = processes.map(async (Store) => {
				await sleep(500 + 100 * Math.random());
				return await seen.open(Store).acquire(['a', 'b']);
			});
			const answers = await passingAll(Promise.all(claims));
			held.push(answers.filter((answer) => answer === 'held').length);
			isOver = true;
			await passingAll(Promise.all(others));
		}

		expect(Math.max(...held)).toBe(1);
	},
);
