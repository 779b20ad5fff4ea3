import { FRESH_FOR, RecentReads } from '../../nodes/AssistantServiceTrigger/recentReads';

const NOW = 1_800_000_000_000;

/** A value that can be changed, and how often it was read. */
function source(value: string) {
	const reads = new RecentReads<string>();
	const current = { value, times: 0, error: undefined as Error | undefined };
	const read = async (): Promise<string> => {
		current.times++;
		if (current.error) throw current.error;
		return await Promise.resolve(current.value);
	};
	const is = async (wanted: string, now: number, name = 'a') =>
		(await reads.get(name, now, read, (found) => found === wanted)) === wanted;
	return { current, is, reads };
}

test('many at the same moment read once', async () => {
	const { current, is } = source('old');

	const all = await Promise.all(Array.from({ length: 50 }, () => is('old', NOW)));

	expect(all).toEqual(Array(50).fill(true));
	expect(current.times).toBe(1);
});

test('what was read counts for its time and no longer', async () => {
	const { current, is } = source('old');
	await is('old', NOW);
	current.value = 'new';

	expect(await is('old', NOW + FRESH_FOR - 1)).toBe(true);
	expect(await is('old', NOW + FRESH_FOR)).toBe(false);
});

test('a read of another value does not forget it', async () => {
	const { current, is } = source('old');
	for (const name of ['a', 'b', 'a', 'b']) await is('old', NOW, name);

	expect(current.times).toBe(2);
});

test('using it does not make it last longer', async () => {
	const { current, is } = source('old');
	for (let now = NOW; now < NOW + 2 * FRESH_FOR; now += FRESH_FOR / 5) await is('old', now);

	expect(current.times).toBe(2);
});

test('a rejection is never served from the cache', async () => {
	const { current, is } = source('old');
	await is('old', NOW);
	current.value = 'new';

	expect(await is('new', NOW + 1)).toBe(true);
	expect(await is('old', NOW + 1)).toBe(false);
});

test('a clock that is set back makes nothing last longer', async () => {
	const { current, is } = source('old');
	await is('old', NOW);
	current.value = 'new';

	expect(await is('old', NOW - FRESH_FOR)).toBe(false);
});

test('a read that failed is told, and not remembered', async () => {
	const { current, is } = source('old');
	current.error = new Error('no answer');
	const failed = [is('old', NOW), is('old', NOW)];

	await expect(failed[0]).rejects.toThrow('no answer');
	await expect(failed[1]).rejects.toThrow('no answer');
	current.error = undefined;
	expect(await is('old', NOW + 1)).toBe(true);
});

test('what was read long ago is not kept', async () => {
	const { is, reads } = source('old');
	const { reads: kept } = reads as unknown as { reads: Map<string, unknown> };
	for (let index = 0; index < 100; index++) await is('old', NOW + index * FRESH_FOR, `${index}`);

	expect(kept.size).toBe(1);
});
