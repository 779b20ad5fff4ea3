import { activateSingleCalls, people, reached, statuses } from '../e2e/calls';
import { each, ONCE_A_DAY, openBook, outcomesOf } from '../e2e/contactBook';
import { postToAll } from './executions';
import { workersOf } from './cluster';
import type { QueueWorld } from './world';

export function describeContactBook(world: () => QueueWorld): void {
	describe('the contact book of two workers', () => {
		it('has each of 50 people called once by 200 executions at the same moment', async () => {
			const book = await openBook(world());
			const { client, simulator, cluster, credentials } = book.world;
			simulator.reset();
			const all = people(50);
			const active = await activateSingleCalls(client, credentials, {
				servedBy: cluster.frontUrl,
				parameters: ONCE_A_DAY,
			});

			const four = all.flatMap((person) => [person, person, person, person]);
			await postToAll(book.world, active, four);
			const ended = await client.allFinished(active.workflow.id);

			expect(reached(simulator, all)).toEqual(all.map(() => 1));
			expect(statuses(ended)).toEqual({ success: four.length });
			const workers = new Set(ended.flatMap(({ id }) => workersOf(cluster, id)));
			expect(workers.size).toBe(cluster.workers.length);
			const made = (await outcomesOf(book)).filter(([, outcome]) => outcome !== 'notMade');
			expect(made).toEqual(each(all, 'accepted'));
		});
	});
}
