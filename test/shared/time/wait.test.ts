import { getEventListeners } from 'node:events';

import { createYielder, doneOrAborted, waitUnlessAborted } from '../../../nodes/shared/time/wait';

test('a long loop gives way from time to time', async () => {
	const yieldIfDue = createYielder();
	const timer = jest.fn();
	setTimeout(timer, 0);
	// Far beyond what a busy machine takes: it ends the loop if nothing does.
	const deadline = Date.now() + 30_000;
	while (timer.mock.calls.length === 0 && Date.now() < deadline) await yieldIfDue();

	expect(timer).toHaveBeenCalled();
});

test('work that fails after an abort, which nobody awaits, does not end the process', async () => {
	const unhandled = jest.fn();
	process.on('unhandledRejection', unhandled);
	let fail: (error: Error) => void = () => undefined;
	const work = new Promise<string>((_, reject) => {
		fail = reject;
	});

	expect(await doneOrAborted(work, AbortSignal.abort())).toBeUndefined();
	fail(new Error('late'));
	await new Promise((resolve) => setTimeout(resolve, 10));

	expect(unhandled).not.toHaveBeenCalled();
	process.off('unhandledRejection', unhandled);
});

test('many that wait for one signal do not listen to it: Node would warn', async () => {
	const { signal } = new AbortController();
	const waits = Array.from({ length: 20 }, async () => {
		await waitUnlessAborted(20, signal);
	});

	expect(getEventListeners(signal, 'abort')).toHaveLength(0);
	await Promise.all(waits);
});
