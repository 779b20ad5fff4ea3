import type { IDataObject } from 'n8n-workflow';
import { post } from '../post';
import { WEBHOOK_HEADER } from '../setup';
import { createTrigger, linesInLog, useWorld } from './world';

const EVENT = {
	callId: 'call-1',
	callStartTime: '2026-01-02T03:04:05.000Z',
	summary: 'An appointment on Monday.',
	transcript: 'Assistant: Hello.',
	appointment: 'Monday at 9:00',
};
const SIMPLIFIED = {
	callId: EVENT.callId,
	callStartTime: EVENT.callStartTime,
	summary: EVENT.summary,
	transcript: EVENT.transcript,
	variables: { appointment: EVENT.appointment },
	eventKey: expect.stringMatching(/./) as unknown,
	receivedAt: expect.stringMatching(/./) as unknown,
};

const world = useWorld();

interface Delivery {
	headers?: Record<string, string>;
	query?: Record<string, string>;
	body?: unknown;
}

const deliver = async (url: string, { headers, query, body = EVENT }: Delivery = {}) =>
	await post(url, body, { headers, params: query });

const inHeader = (): Delivery => ({ headers: { [WEBHOOK_HEADER]: world().secret } });

/** What the executions of a workflow had as their output, when there are exactly so many. */
async function outputs(
	trigger: Awaited<ReturnType<typeof createTrigger>>,
	count: number,
): Promise<IDataObject[]> {
	const executions = await world().client.finishedAfter('0', trigger.workflowId, count);
	expect(executions).toHaveLength(count);
	return executions.flatMap(trigger.outputOf);
}

describe('the production URL of the trigger', () => {
	it.each([
		['header', inHeader],
		['query', (): Delivery => ({ query: { secret: world().secret } })],
	])('starts an execution for the secret in the %s', async (_place, delivery) => {
		const trigger = await createTrigger(world(), { authentication: 'secret', options: {} });
		expect(await deliver(trigger.url, delivery())).toEqual({
			status: 200,
			data: { received: true },
		});
		expect(await outputs(trigger, 1)).toEqual([SIMPLIFIED]);
	});

	it('refuses a wrong and a missing secret, says so once in the log, and nothing is executed', async () => {
		const trigger = await createTrigger(world(), { authentication: 'secret', options: {} });
		const wrong = [
			{},
			{ headers: { [WEBHOOK_HEADER]: 'wrong' } },
			{ query: { secret: 'wrong' } },
			{ headers: { [WEBHOOK_HEADER]: '' } },
		];
		for (const delivery of wrong) {
			expect((await deliver(trigger.url, delivery)).status).toBe(401);
		}
		// A good one at the end: it would not be alone if another had started something.
		await deliver(trigger.url, inHeader());
		expect(await outputs(trigger, 1)).toHaveLength(1);
		expect(linesInLog(`of workflow ${trigger.workflowId} refused`)).toEqual([
			expect.stringContaining('refused a delivery with 401: The secret of the webhook is missing'),
		]);
	});

	it('refuses a body that is no object', async () => {
		const trigger = await createTrigger(world(), { authentication: 'secret', options: {} });
		expect((await deliver(trigger.url, { ...inHeader(), body: ['no object'] })).status).toBe(400);
		await deliver(trigger.url, inHeader());
		expect(await outputs(trigger, 1)).toEqual([SIMPLIFIED]);
	});

	it.each([
		['application/json', 500],
		['text/plain', 500],
		['application/octet-stream', 400],
	])('executes nothing for a body above the limit of n8n, sent as %s', async (type, status) => {
		const trigger = await createTrigger(world(), { authentication: 'secret', options: {} });
		const headers = { ...inHeader().headers, 'content-type': type };
		const body = JSON.stringify({ transcript: 'x'.repeat(17_000_000) });
		const answer = await deliver(trigger.url, { headers, body });
		// n8n answers for the types that it reads itself.
		expect(answer.status).toBe(status);
		expect(JSON.stringify(answer.data)).toContain(
			status === 400 ? 'Expected a smaller event' : 'There was a problem executing the workflow',
		);
		await deliver(trigger.url, inHeader());
		expect(await outputs(trigger, 1)).toEqual([SIMPLIFIED]);
	});

	it('refuses an address that is not on the list', async () => {
		const trigger = await createTrigger(world(), {
			authentication: 'none',
			options: { ipAllowlist: '192.0.2.1' },
		});
		expect((await deliver(trigger.url)).status).toBe(403);
		expect(await world().client.executions(trigger.workflowId)).toEqual([]);
	});

	it('answers a repeat without executing it again', async () => {
		const trigger = await createTrigger(world(), { authentication: 'secret', options: {} });
		await deliver(trigger.url, inHeader());
		await outputs(trigger, 1);
		expect(await deliver(trigger.url, inHeader())).toEqual({ status: 200, data: { repeat: true } });
		await deliver(trigger.url, { ...inHeader(), body: { ...EVENT, callId: 'call-2' } });
		expect((await outputs(trigger, 2)).map(({ callId }) => callId)).toEqual(['call-1', 'call-2']);
	});

	it('executes each event that nobody answered, and reads the ID from the property that is named', async () => {
		const options = { callIdProperty: 'call_sid' };
		const trigger = await createTrigger(world(), { authentication: 'secret', options });
		const unanswered = { call_sid: 'N/A', callId: 'c-1', callStartTime: EVENT.callStartTime };
		const bodies = [unanswered, unanswered, { ...unanswered, call_sid: ' s-1 ' }];
		for (const body of bodies) {
			const { data } = await deliver(trigger.url, { ...inHeader(), body });
			expect(data).toEqual({ received: true });
		}
		const again = { ...inHeader(), body: { call_sid: 's-1', callId: 'c-2' } };
		expect((await deliver(trigger.url, again)).data).toEqual({ repeat: true });
		const items = await outputs(trigger, 3);
		expect(items.map(({ callId }) => callId)).toEqual([null, null, 's-1']);
		expect(items[1]?.eventKey).toBe(items[0]?.eventKey);
		for (const { variables } of items) expect(variables).toEqual({ callId: 'c-1' });
	});

	it('needs no credential without authentication, and gives the body as it was sent with Output: Raw', async () => {
		const parameters = { authentication: 'none', options: { output: 'raw' } };
		const trigger = await createTrigger(world(), parameters, { credentials: {} });
		await deliver(trigger.url);
		expect(await outputs(trigger, 1)).toEqual([EVENT]);
	});
});
