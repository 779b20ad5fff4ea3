/** As many events at the same moment as a process has connections to the database (DB_POSTGRESDB_POOL_SIZE), less some. */
export const AT_ONCE_PER_PROCESS = 6;

/** Does the work for all, so many at a time, in their order. */
export async function inParallel<T, R>(
	all: readonly T[],
	atOnce: number,
	work: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const rest = all.entries();
	const take = async () => {
		for (const [index, one] of rest) results[index] = await work(one, index);
	};
	await Promise.all(Array.from({ length: atOnce }, take));
	return results;
}
