/** Starts something for each test of a file, and stops it at its end. To be called once for each file. */
export function useEach<T extends { readonly stop: () => Promise<void> }>(
	start: () => Promise<T>,
): () => T {
	let started: T | undefined;
	const current = (): T => {
		if (started === undefined) throw new Error('It has not started');
		return started;
	};
	beforeEach(async () => {
		started = await start();
	});
	afterEach(async () => {
		await current().stop();
	});
	return current;
}
