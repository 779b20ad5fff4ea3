import { sleep } from 'n8n-workflow';

import { InProgress } from '../../nodes/AssistantServiceTrigger/inProgress';

/** A delivery that notes when it begins, and is done when it is told to. */
function delivery(inProgress: InProgress, event: string, log: string[], name: string) {
	let isDone = false;
	const entered = inProgress.enter(event, () => isDone).then(() => log.push(name));
	return {
		entered,
		end: () => {
			isDone = true;
		},
	};
}

test('deliveries of one event take turns, those of others do not wait', async () => {
	const inProgress = new InProgress();
	const log: string[] = [];
	const first = delivery(inProgress, 'call-1', log, 'first');
	await first.entered;
	const second = delivery(inProgress, 'call-1', log, 'second');
	const other = delivery(inProgress, 'call-2', log, 'other');
	await other.entered;
	await sleep(100);
	log.push('first ends');
	first.end();
	await second.entered;

	expect(log).toEqual(['first', 'other', 'first ends', 'second']);
});

test('of many that wait, one at a time goes on', async () => {
	const inProgress = new InProgress();
	const log: string[] = [];
	const all = Array.from({ length: 5 }, (_, index) =>
		delivery(inProgress, 'call-1', log, String(index)),
	);
	const inTheLog: number[] = [];
	while (inTheLog.length < all.length) {
		await sleep(100);
		inTheLog.push(log.length);
		for (const name of log) all[Number(name)]?.end();
	}

	expect(inTheLog).toEqual([1, 2, 3, 4, 5]);
	expect(new Set(log).size).toBe(all.length);
});
