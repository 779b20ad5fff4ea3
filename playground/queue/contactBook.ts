import { activateCalls, CALL_NODE, people, reached, statuses, type Person } from '../e2e/calls';
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
import { AT_ONCE_PER_PROCESS, inParallel } from '../parallel';
import { passDay } from '../passDay';
import { post } from '../post';
import { WEBHOOK_HEADER } from '../setup';
import { workersOf } from './cluster';
import type { QueueWorld } from './world';

const ON_A_LIST = { contactRules: { list: 'Spring', attempts: 3, notAgainWithin: 0.001 } };
/** How long the simulated service lets a call last, in milliseconds. */
const CALL_LASTS = 2_000;

export function describeContactBook(world: () => QueueWorld): void {
	describe('the contact book of two workers', () => {
		it.each([
			{
				title: 'each of 50 people called once by 200 executions',
				...{ lists: people(50).map((person) => [person]), times: 4, parameters: ONCE_A_DAY },
			},
			{
				title: 'one person called once by 60 executions',
				...{ lists: [people(1)], times: 60, parameters: ONCE_A_DAY },
			},
			{
				title: 'each of five people on a list called once by 60 executions of the list',
				...{ lists: [people(5)], times: 60, parameters: ON_A_LIST },
			},
		])('has $title at the same moment', async ({ lists, times, parameters }) => {
			const book = await openBook(world());
			const { client, simulator, cluster, credentials } = book.world;
			simulator.reset();
			const { workflow, path } = await activateCalls(client, credentials, {
				servedBy: cluster.frontUrl,
				parameters,
			});
			const urls = cluster.webhooks.map(({ baseUrl }) => `${baseUrl}${path}`);
			const events = lists.flatMap((list) => Array<Person[]>(times).fill(list));

			// As fast as the webhook processors take them.
			const answers = await inParallel(events, urls.length * AT_ONCE_PER_PROCESS, (list, index) =>
				post(urls[index % urls.length] ?? '', { people: list }),
			);
			const ended = await client.allFinished(workflow.id);

			const all = lists.flat();
			expect(answers.map(({ status }) => status)).toEqual(events.map(() => 200));
			expect(reached(simulator, all)).toEqual(all.map(() => 1));
			expect(statuses(ended)).toEqual({ success: events.length });
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
