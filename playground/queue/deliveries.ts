import { RECEIVED, REPEAT, sendEvent } from '../e2e/events';
import { createTrigger } from '../e2e/world';
import { eventually } from '../eventually';
import type { Answer } from '../post';
import type { SavedExecution } from '../restTypes';
import { AT_ONCE_PER_PROCESS, inParallel } from '../parallel';
import type { QueueWorld } from './world';

type Trigger = Awaited<ReturnType<typeof createTrigger>>;

const EVENT = { summary: 'An appointment on Monday.', transcript: 'Assistant: Hello.' };

/**
 * n8n 2.41 asks Redis for the workflow's owner once more before the first node, also when it has not loaded its data
 * yet. It then fails the execution, keeps no event, and has answered that it has received it.
 */
const isFailedByLoadingRedis = ({ status, raw }: SavedExecution): boolean =>
	status === 'error' && raw.includes('LOADING Redis is loading the dataset in memory');

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `call-${index}`);

export function describeDeliveries(world: () => QueueWorld): void {
	const openTrigger = async (options = {}): Promise<Trigger> =>
		await createTrigger(
			world(),
			{ authentication: 'secret', options },
			{ servedBy: world().cluster.frontUrl },
		);

	const deliver = async (
		url: string,
		callId: string,
		headers?: Record<string, string>,
	): Promise<Answer> => await sendEvent(world(), url, { ...EVENT, callId }, headers);

	/** The production URL of a trigger at each of the webhook processors. */
	const urlsOf = ({ url }: Trigger): string[] =>
		world().cluster.webhooks.map(({ baseUrl }) => `${baseUrl}${new URL(url).pathname}`);

	/** The calls that the executions of a trigger were about. */
	const calls = async (trigger: Trigger, count: number): Promise<unknown[]> => {
		const { workflowId, outputOf } = trigger;
		const executions = await world().client.finishedAfter('0', workflowId, count);
		return executions.flatMap(outputOf).map(({ callId }) => callId);
	};

	describe('deliveries in queue mode', () => {
		it('that come again later are repeats at whichever webhook processor', async () => {
			const trigger = await openTrigger();
			const [first = '', second = ''] = urlsOf(trigger);

			const sent = numbered(12);

			for (const [index, callId] of sent.entries()) {
				const [one, other] = index % 3 === 0 ? [first, second] : [second, first];
				expect(await deliver(one, callId)).toEqual(RECEIVED);
				expect(await deliver(other, callId)).toEqual(REPEAT);
			}
			expect((await calls(trigger, sent.length)).sort()).toEqual(sent.sort());
		});

		it('of one event at the same moment start one execution behind the front', async () => {
			const trigger = await openTrigger();
			const sent = numbered(20);
			const copies = sent.flatMap((callId) => Array<string>(5).fill(callId));

			const answers = await inParallel(copies, AT_ONCE_PER_PROCESS, (callId) =>
				deliver(trigger.url, callId),
			);

			expect(answers.map(({ status }) => status)).toEqual(copies.map(() => 200));
			expect((await calls(trigger, sent.length)).sort()).toEqual(sent.sort());
		});

		it('are not served by the main process', async () => {
			const { cluster } = world();
			const { pathname } = new URL((await openTrigger()).url);
			expect((await deliver(`${cluster.main.baseUrl}${pathname}`, 'call-1')).status).toBe(404);
		});

		it('are told apart by the address of the sender, which the sender cannot choose', async () => {
			const trigger = await openTrigger({ ipAllowlist: '192.0.2.7' });
			const [direct = ''] = urlsOf(trigger);
			const claimed = { 'x-forwarded-for': '192.0.2.7' };

			expect((await deliver(trigger.url, 'call-1', claimed)).status).toBe(403);
			// As a front that such a sender came to would say it.
			expect(await deliver(direct, 'call-1', claimed)).toEqual(RECEIVED);
			expect((await deliver(direct, 'call-2', { 'x-forwarded-for': '192.0.2.8' })).status).toBe(
				403,
			);
			expect(await calls(trigger, 1)).toEqual(['call-1']);
		});

		it('that the database could not take are none when they come again', async () => {
			const { postgres } = world().cluster;
			const trigger = await openTrigger();
			await postgres.sql(
				'alter table execution_entity add constraint full_disk check (false) not valid',
			);
			const refused = await deliver(trigger.url, 'call-1');
			await postgres.sql('alter table execution_entity drop constraint full_disk');

			expect(refused.status).toBe(500);
			expect(await deliver(trigger.url, 'call-1')).toEqual(RECEIVED);
			expect(await deliver(trigger.url, 'call-1')).toEqual(REPEAT);
			expect(await calls(trigger, 1)).toEqual(['call-1']);
		});

		it('while Redis is away are refused, executed once, or failed by n8n; the refused are taken when they come again', async () => {
			const { redis } = world().cluster;
			const trigger = await openTrigger();
			const sent = numbered(20);

			const restarted = redis.restart(3000);
			const first = await Promise.all(sent.map(async (callId) => deliver(trigger.url, callId)));
			await restarted;
			// n8n itself says 404 or 500 where it asks Redis for the workflow's owner.
			const refused = sent.filter((_, index) => first[index]?.status !== 200);
			const again = await inParallel(refused, AT_ONCE_PER_PROCESS, (callId) =>
				deliver(trigger.url, callId),
			);

			expect(again).toEqual(refused.map(() => RECEIVED));
			const { executed, failed } = await eventually('what becomes of each event', async () => {
				const all = await world().client.finishedAfter('0', trigger.workflowId, sent.length);
				const outcomes = {
					executed: all.flatMap(trigger.outputOf).map(({ callId }) => callId),
					failed: all.filter(isFailedByLoadingRedis),
				};
				return outcomes.executed.length + outcomes.failed.length >= sent.length
					? outcomes
					: undefined;
			});
			expect(executed).toHaveLength(new Set(executed).size);
			const missing = sent.filter((callId) => !executed.includes(callId));
			expect(failed.length).toBeGreaterThanOrEqual(missing.length);
		});
	});
}
