import { InProgress } from '../../nodes/AssistantServiceTrigger/inProgress';

/** Each test has a clock of its own. */
beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** Much longer than a waiting delivery takes to look again. */
const someTime = async () => {
	await jest.advanceTimersByTimeAsync(1_000);
};

/** A delivery that notes when it begins. It ends by leaving, or by being over. */
function delivery(inProgress: InProgress, event: string, log: string[], name: string) {
	let isOver = false;
	let leave: (() => void) | undefined;
	const begin = async () => {
		leave = await inProgress.enter(event, () => isOver);
		log.push(name);
	};
	return {
		entered: begin(),
		leaves: () => {
			leave?.();
		},
		isOver: () => {
			isOver = true;
		},
	};
}

test('of many that wait, one at a time goes on', async () => {
	const inProgress = new InProgress();
	const log: string[] = [];
	const all = Array.from({ length: 5 }, (_, index) =>
		delivery(inProgress, 'call-1', log, String(index)),
	);
	const inTheLog: number[] = [];
	while (inTheLog.length < all.length) {
		// One more would come, too.
		await someTime();
		inTheLog.push(log.length);
		for (const name of log) all[Number(name)]?.isOver();
	}

	expect(inTheLog).toEqual([1, 2, 3, 4, 5]);
	expect(new Set(log).size).toBe(all.length);
});

test('a delivery that was over and then leaves does not end the next one', async () => {
	const inProgress = new InProgress();
	const log: string[] = [];
	const first = delivery(inProgress, 'call-1', log, 'first');
	await first.entered;
	first.isOver();
	const second = delivery(inProgress, 'call-1', log, 'second');
	await second.entered;
	first.leaves();
	const third = delivery(inProgress, 'call-1', log, 'third');
	await someTime();
	log.push('second ends');
	second.leaves();
	await someTime();
	await third.entered;

	expect(log).toEqual(['first', 'second', 'second ends', 'third']);
});

test('deliveries that are over are not kept', async () => {
	const inProgress = new InProgress();
	const { deliveries } = inProgress as unknown as { deliveries: Map<string, unknown> };
	for (let index = 0; index < 100; index++) await inProgress.enter(`call-${index}`, () => true);

	expect(deliveries.size).toBe(1);
});
