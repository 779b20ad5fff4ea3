import {
	activateCalls,
	activateSingleCalls,
	CALL_NODE,
	people,
	reached,
	statuses,
} from '../e2e/calls';
import { each, exampleBook, ONCE_A_DAY, openBook, outcomesOf } from '../e2e/contactBook';
import { hearEvents } from '../e2e/exampleWorkflows';
import {
	ADA,
	DOROTHY,
	endCall,
	GRACE,
	KATHERINE,
	MARY,
	report,
	resultsOf,
	runAList,
} from '../e2e/listExample';
import { createTrigger, TRIGGER } from '../e2e/world';
import { itemsOf } from '../executions';
import { passDay } from '../passDay';
import { post } from '../post';
import { WEBHOOK_HEADER } from '../setup';
import { postToAll } from './executions';
import { workersOf } from './cluster';
import type { QueueWorld } from './world';

/** How long the simulated service lets a call last, in milliseconds. */
const CALL_LASTS = 2_000;

export function describeContactBook(world: () => QueueWorld): void {
	describe('the contact book of two workers', () => {
		it.each([
			['each of 50 people called once by 200 executions', people(50), 4],
			['one person called once by 60 executions', people(1), 60],
		])('has %s at the same moment', async (_, all, times) => {
			const book = await openBook(world());
			const { client, simulator, cluster, credentials } = book.world;
			simulator.reset();
			const active = await activateSingleCalls(client, credentials, {
				servedBy: cluster.frontUrl,
				parameters: ONCE_A_DAY,
			});

			const calls = all.flatMap((person) => Array.from({ length: times }, () => person));
			await postToAll(book.world, active, calls);
			const ended = await client.allFinished(active.workflow.id);

			expect(reached(simulator, all)).toEqual(all.map(() => 1));
			expect(statuses(ended)).toEqual({ success: calls.length });
			const workers = new Set(ended.flatMap(({ id }) => workersOf(cluster, id)));
			expect(workers.size).toBe(cluster.workers.length);
			const made = (await outcomesOf(book)).filter(([, outcome]) => outcome !== 'notMade');
			expect(made).toEqual(each(all, 'accepted'));
		});

		it('has each of five people on a list called once by 60 executions of the list', async () => {
			const book = await openBook(world());
			const { client, simulator, cluster, credentials } = book.world;
			simulator.reset();
			const active = await activateCalls(client, credentials, {
				servedBy: cluster.frontUrl,
				parameters: { contactRules: { list: 'Spring', attempts: 3, notAgainWithin: 0.001 } },
			});
			const all = people(5);

			await postToAll(book.world, active, Array(60).fill({ people: all }));
			const ended = await client.allFinished(active.workflow.id);

			expect(reached(simulator, all)).toEqual(all.map(() => 1));
			expect(statuses(ended)).toEqual({ success: 60 });
			const workers = new Set(ended.flatMap(({ id }) => workersOf(cluster, id)));
			expect(workers.size).toBe(cluster.workers.length);
			const made = (await outcomesOf(book)).filter(([, outcome]) => outcome !== 'notMade');
			expect(made).toEqual(each(all, 'accepted'));
		});

		it('has the example "Run a list" call who was not reached again, and "List report" say so', async () => {
			const { client, simulator, cluster } = world();
			simulator.reset();
			const { id } = await hearEvents(world(), runAList(), TRIGGER, cluster.frontUrl);
			const run = async () => await client.run(id, 'Every Hour');

			const first = await run();
			await endCall(world(), GRACE, { reached: 'no' });
			for (const phone of [ADA, KATHERINE, MARY, DOROTHY])
				await endCall(world(), phone, { reached: 'yes' });
			await passDay(await exampleBook(client));
			const second = await run();

			expect(resultsOf(first)).toEqual(Array(5).fill('placed'));
			expect(resultsOf(second)).toEqual(['reached', 'placed', ...Array<string>(3).fill('reached')]);
			expect((await report(world())).row).toMatchObject({ contacted: 5, reached: 4, open: 1 });
			const ran = [first, second].flatMap((execution) => workersOf(cluster, execution.id));
			expect(ran).toHaveLength(2);
			await client.deactivate(id);
		});

		it('has executions wait for the ends of their calls', async () => {
			const book = await openBook(world());
			const { client, simulator, cluster, credentials } = book.world;
			const trigger = await createTrigger(book.world, {}, { servedBy: cluster.frontUrl });
			const headers = { [WEBHOOK_HEADER]: book.world.secret };
			simulator.setWebhooks([{ url: trigger.url, headers }]);
			const active = await activateCalls(client, credentials, {
				servedBy: cluster.frontUrl,
				parameters: { operation: 'placeAndWait' },
			});
			const lists = [1, 2, 3].map((group) => people(20, group));

			simulator.setCallDuration(CALL_LASTS);
			for (const these of lists) await post(`${cluster.frontUrl}${active.path}`, { people: these });
			const ended = await client.allFinished(active.workflow.id);
			simulator.setCallDuration(undefined);

			expect(statuses(ended)).toEqual({ success: lists.length });
			for (const { id } of ended) {
				const items = itemsOf(await client.execution(id), CALL_NODE);
				expect(items.map((item) => item.ended)).toEqual(Array(20).fill(true));
			}
			expect(reached(simulator, lists.flat())).toEqual(Array(60).fill(1));
		});
	});
}
