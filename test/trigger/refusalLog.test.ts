import { LINE_EVERY, LogLimit } from '../../nodes/AssistantServiceTrigger/refusalLog';

const NOW = 1_800_000_000_000;
const DAY = 24 * 3_600_000;

test('one line of a name has a place in a minute; the next one says how many had none', () => {
	const limit = new LogLimit();
	const taken = [0, 1, LINE_EVERY - 1, LINE_EVERY, LINE_EVERY + 1, 2 * LINE_EVERY].map((after) =>
		limit.take('a', NOW + after),
	);

	expect(taken).toEqual([0, undefined, undefined, 2, undefined, 1]);
});

test('names that were not used for a day are not kept', () => {
	const limit = new LogLimit();
	const { lines } = limit as unknown as { lines: Map<string, unknown> };
	for (let index = 0; index < 100; index++) limit.take(`${index}`, NOW + index * DAY);

	expect(lines.size).toBe(1);
});
