export async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Each test of the file has a clock of its own, which {@link passing} lets go on. */
export function useFakeTime(): void {
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.clearAllTimers();
		jest.useRealTimers();
	});
}

/** Lets time pass by the fake clock of a test until the work has ended. */
export async function passing<T>(work: Promise<T>): Promise<T> {
	const state = { isOver: false };
	const end = (): void => {
		state.isOver = true;
	};
	work.then(end, end);
	while (!state.isOver) await jest.advanceTimersByTimeAsync(100);
	return await work;
}
