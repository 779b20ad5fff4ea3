import {
	activateCalls,
	activateSingleCalls,
	CALL_NODE,
	callsPlaced,
	holdAnswers,
	people,
	reached,
	statuses,
} from '../e2e/calls';
import {
	CALL_WITH_BOOK,
	each,
	ONCE_A_DAY,
	openBook,
	outcomesOf,
	WITH_BOOK,
} from '../e2e/contactBook';
import { jsonOf, runOneNode } from '../e2e/world';
import { itemsOf } from '../executions';
import { post } from '../post';
import { postToAll } from './bursts';
import { workersOf } from './cluster';
import type { QueueWorld } from './world';

const PARAMETERS = { ...WITH_BOOK, ...ONCE_A_DAY };

export function describeContactBook(world: () => QueueWorld): void {
	describe('the contact book of two workers', () => {
		it('has each of 50 people called once by 200 executions at the same moment', async () => {
			const book = await openBook(world());
			const { client, simulator, cluster, credentials } = book.world;
			simulator.reset();
			const all = people(50);
			const active = await activateSingleCalls(client, credentials, {
				servedBy: cluster.frontUrl,
				parameters: PARAMETERS,
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

		it('keeps the claims of a worker that is killed, so that the other calls nobody twice', async () => {
			const book = await openBook(world());
			const { client, simulator, cluster, credentials } = book.world;
			simulator.reset();
			const [called, others] = [people(8), people(4, 1)];
			const { workflow, path } = await activateCalls(client, credentials, {
				servedBy: cluster.frontUrl,
				parameters: PARAMETERS,
			});
			const goOn = holdAnswers(simulator);
			await post(`${cluster.frontUrl}${path}`, { people: called });
			await callsPlaced(simulator, called.length);
			const [running] = await client.executions(workflow.id);
			const [index = -1] = workersOf(cluster, running?.id ?? '');
			const worker = cluster.workers[index];
			if (worker === undefined) throw new Error('no worker has begun');

			await worker.kill();
			goOn();
			// A claim of the last minutes is waited for, here not for long.
			const parameters = { ...CALL_WITH_BOOK, ...ONCE_A_DAY, options: { maxWait: 1 } };
			const later = await runOneNode(book.world, parameters, [...called, ...others]);
			const ended = await client.finished(running?.id ?? '');
			const retried = await client.retry(ended.id);
			await cluster.startAgain([worker]);

			expect(jsonOf(later)[0]).toMatchObject([
				...called.map(() => ({ result: 'heldBack', reason: 'contactedRecently' })),
				...others.map(() => ({ result: 'placed' })),
			]);
			expect([ended.status, itemsOf(retried, CALL_NODE)]).toEqual(['error', []]);
			expect(reached(simulator, [...called, ...others])).toEqual(Array(12).fill(1));
			expect(await outcomesOf(book)).toEqual([
				...each(called, 'claimed'),
				...each(others, 'accepted'),
			]);
		});
	});
}
