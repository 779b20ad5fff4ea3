import { shortenForAgent } from '../../../nodes/shared/output/toolResult';

const TEXT = 'x'.repeat(1_000);
const LIMIT = 30_000;

const entries = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ key: String(index), text: TEXT }));

test('a result that an agent can read stays as it is', () => {
	const items = entries(29);

	expect(shortenForAgent(items)).toBe(items);
	expect(shortenForAgent([])).toEqual([]);
});

test('of too many items the first ones stay, and the agent is told', () => {
	const items = entries(100);

	const short = shortenForAgent(items);

	const kept = short.slice(0, -1);
	expect(kept).toEqual(items.slice(0, kept.length));
	expect(kept.length).toBeGreaterThan(25);
	expect(short.at(-1)).toEqual({
		leftOut: `Only the first ${kept.length} of 100 results are here. To get everything, turn off "Simplify" in the options of this tool.`,
	});
	expect(JSON.stringify(kept).length).toBeLessThan(LIMIT);
});

test('of an item that is too long the last entries of its longest list stay', () => {
	const messages = entries(100);
	const item = { _id: '1', messages, tags: ['a', 'b'] };

	const [short, ...more] = shortenForAgent([item]);

	expect(more).toEqual([]);
	const kept = short?.messages as unknown[];
	expect(short).toMatchObject({ _id: '1', tags: ['a', 'b'] });
	expect(kept).toEqual(messages.slice(-kept.length));
	expect(kept.length).toBeGreaterThan(25);
	expect(short?.leftOut).toMatch(/^Only the last \d+ of 100 entries of messages are here\./);
	expect(JSON.stringify({ ...short, leftOut: '' }).length).toBeLessThan(LIMIT + 100);
});

test('a long text is never cut', () => {
	const item = { prompt: 'x'.repeat(2 * LIMIT) };

	expect(shortenForAgent([item])).toEqual([item]);
});
