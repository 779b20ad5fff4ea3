import { activateSingleCalls, people, reached, statuses } from '../e2e/calls';
import { postToAll } from './bursts';
import { marksAreQuiet } from './marks';
import type { QueueWorld } from './world';

export function describeContacts(world: () => QueueWorld): void {
	describe('people whom two workers are asked to call at the same moment', () => {
		const PEOPLE = people(30);
		const RULES = { contactRules: { notAgainWithin: 24 } };

		it('are called once by each worker at most, and by nobody afterwards', async () => {
			const { client, simulator, cluster, credentials } = world();
			simulator.reset();
			const { frontUrl, workers } = cluster;
			const active = await activateSingleCalls(client, credentials, {
				servedBy: frontUrl,
				parameters: RULES,
			});

			await postToAll(
				world(),
				active,
				PEOPLE.flatMap((person) => [person, person]),
			);
			await client.allFinished(active.workflow.id);
			const atOnce = reached(simulator, PEOPLE);
			await marksAreQuiet(world(), active);
			await postToAll(world(), active, PEOPLE);
			const ended = await client.allFinished(active.workflow.id);

			expect(Math.min(...atOnce)).toBe(1);
			expect(Math.max(...atOnce)).toBeLessThanOrEqual(workers.length);
			expect(reached(simulator, PEOPLE)).toEqual(atOnce);
			expect(statuses(ended)).toEqual({ success: 3 * PEOPLE.length });
		});
	});
}
