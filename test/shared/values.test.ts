import fc from 'fast-check';

import { groupBy, isContainer, isDeeperThan } from '../../nodes/shared/values';

/** How deep a value is nested, counted by another way: level by level. */
function depthOf(value: unknown): number {
	let depth = 0;
	for (let level = [value].filter(isContainer); level.length > 0; depth++) {
		level = level.flatMap((container) => Object.values(container)).filter(isContainer);
	}
	return depth;
}

test('a container is deeper than each number below its depth', () => {
	const containers = fc.oneof(fc.object({ maxDepth: 8 }), fc.array(fc.jsonValue({ maxDepth: 8 })));
	fc.assert(
		fc.property(containers, fc.nat(10), (container, depth) => {
			expect(isDeeperThan(container, depth)).toBe(depthOf(container) > depth);
		}),
	);
});

test('depth beyond the stack is found, not thrown', () => {
	let value: Record<string, unknown> = {};
	for (let level = 1; level < 100_000; level++) value = { a: value };

	expect(isDeeperThan(value, 200)).toBe(true);
	expect(isDeeperThan({ a: [[{}]] }, 4)).toBe(false);
});

test('values are grouped by a key, in the order in which they come', () => {
	const groups = groupBy(['ab', 'b', 'ac', 'c', 'bd'], ([first = '']) => first);

	expect([...groups]).toEqual([
		['a', ['ab', 'ac']],
		['b', ['b', 'bd']],
		['c', ['c']],
	]);
});
