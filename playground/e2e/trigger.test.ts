import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { WEBHOOK_HEADER } from '../setup';
import { createTrigger, openWorld, type World } from './world';

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

let world: World;

beforeAll(async () => {
	world = await openWorld();
});

afterAll(async () => {
	await world.simulator.stop();
});

interface Delivery {
	headers?: Record<string, string>;
	query?: Record<string, string>;
	body?: unknown;
}

async function deliver(url: string, { headers, query, body = EVENT }: Delivery = {}) {
	const { status, data } = await axios.post<unknown>(url, body, {
		headers,
		params: query,
		proxy: false,
		validateStatus: () => true,
	});
	return { status, data };
}

const inHeader = (): Delivery => ({ headers: { [WEBHOOK_HEADER]: world.secret } });

/** What the executions of a workflow had as their output, when there are exactly so many. */
async function outputs(
	trigger: Awaited<ReturnType<typeof createTrigger>>,
	count: number,
): Promise<IDataObject[]> {
	const executions = await world.client.finishedAfter('0', trigger.workflowId, count);
	expect(executions).toHaveLength(count);
	return executions.flatMap(trigger.outputOf);
}

describe('the production URL of the trigger', () => {
	it.each([
		['header', inHeader],
		['query', (): Delivery => ({ query: { secret: world.secret } })],
	])('starts an execution for the secret in the %s', async (_place, delivery) => {
		const trigger = await createTrigger(world, { authentication: 'secret', options: {} });
		expect(await deliver(trigger.url, delivery())).toEqual({
			status: 200,
			data: { received: true },
		});
		expect(await outputs(trigger, 1)).toEqual([SIMPLIFIED]);
	});

	it('refuses a wrong and a missing secret, and nothing is executed', async () => {
		const trigger = await createTrigger(world, { authentication: 'secret', options: {} });
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
	});

	it('refuses a body that is no object', async () => {
		const trigger = await createTrigger(world, { authentication: 'secret', options: {} });
		expect((await deliver(trigger.url, { ...inHeader(), body: ['no object'] })).status).toBe(400);
		await deliver(trigger.url, inHeader());
		expect(await outputs(trigger, 1)).toEqual([SIMPLIFIED]);
	});

	it('refuses an address that is not on the list', async () => {
		const trigger = await createTrigger(world, {
			authentication: 'none',
			options: { ipAllowlist: '192.0.2.1' },
		});
		expect((await deliver(trigger.url)).status).toBe(403);
		expect(await world.client.executions(trigger.workflowId)).toEqual([]);
	});

	it('answers a repeat without executing it again', async () => {
		const trigger = await createTrigger(world, { authentication: 'secret', options: {} });
		await deliver(trigger.url, inHeader());
		await outputs(trigger, 1);
		expect(await deliver(trigger.url, inHeader())).toEqual({ status: 200, data: { repeat: true } });
		await deliver(trigger.url, { ...inHeader(), body: { ...EVENT, callId: 'call-2' } });
		expect((await outputs(trigger, 2)).map(({ callId }) => callId)).toEqual(['call-1', 'call-2']);
	});

	it('gives the body as it was sent with Output: Raw', async () => {
		const trigger = await createTrigger(world, {
			authentication: 'none',
			options: { output: 'raw' },
		});
		await deliver(trigger.url);
		expect(await outputs(trigger, 1)).toEqual([EVENT]);
	});
});
