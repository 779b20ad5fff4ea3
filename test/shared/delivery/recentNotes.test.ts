import type { Outcome } from '../../../nodes/shared/delivery/outcome';
import { passing, useFakeTime } from '../../until';
import { planOf } from '../samples';
import { accepted } from './results';
import { Run } from './runs';
import { SeenByNode } from './seenByNode';

useFakeTime();

const chat = planOf('chat.start');

/** A retry of an execution with so many chats, of which n8n has saved nothing. */
async function retry<T>(execution: string, chats: number, work: (run: Run) => T): Promise<T> {
	const items = Array.from({ length: chats }, () => chat);
	const run = await Run.open(new SeenByNode(execution), items, { isRetry: true });
	const result = work(run);
	await passing(run.memory.close());
	return result;
}

const answerAll = async (execution: string, chats: number, length: number): Promise<void> => {
	await retry(execution, chats, ({ memory }) => {
		for (const entry of memory.entries) {
			const answer: Outcome = { ...accepted, body: { response: 'x'.repeat(length) } };
			memory.sending(entry);
			memory.settle(entry, answer);
		}
	});
};

const knownTo = async (execution: string, chats: number): Promise<number> =>
	await retry(
		execution,
		chats,
		({ memory }) => memory.entries.filter(({ note }) => note?.accepted).length,
	);

test('what retries were answered is kept for others, the last 20 MB', async () => {
	const executions = Array.from({ length: 5 }, (_, index) => `long answers ${index}`);
	for (const execution of executions) await answerAll(execution, 1_000, 5_000);

	const known: number[] = [];
	for (const execution of executions) known.push(await knownTo(execution, 1_000));

	expect(known).toEqual([0, 0, 1_000, 1_000, 1_000]);
});

test.each([
	['of a single retry with more than that, nothing is kept', 5_000, 5_000, 0],
	['a few long answers are kept', 10, 1_000_000, 10],
	['many short answers are kept', 10_000, 100, 10_000],
])('%s', async (name, chats, length, kept) => {
	await answerAll(name, chats, length);

	expect(await knownTo(name, chats)).toBe(kept);
});
