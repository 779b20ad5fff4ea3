import type { IDataObject } from 'n8n-workflow';
import { post } from '../post';
import { WEBHOOK_HEADER } from '../setup';
import { createTrigger, useWorld } from './world';

const EVENT = {
	callId: 'call-1',
	callStartTime: '2026-01-02T03:04:05.000Z',
	summary: 'An appointment on Monday.',
	transcript: 'Assistant: Hello.',
	appointment: 'Monday at 9:00',
};
const { appointment, ...NAMED } = EVENT;
const SIMPLIFIED = {
	...NAMED,
	variables: { appointment },
	eventKey: expect.stringMatching(/./) as unknown,
	receivedAt: expect.stringMatching(/./) as unknown,
};
const WITH_SECRET = { authentication: 'secret', options: {} };

const world = useWorld();

const inHeader = () => ({ headers: { [WEBHOOK_HEADER]: world().secret } });

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
	it('takes an event with the secret in the header or in the query, and executes a repeat no second time', async () => {
		const trigger = await createTrigger(world(), WITH_SECRET);
		const inQuery = { params: { secret: world().secret } };
		const received = { status: 200, data: { received: true } };
		const repeat = { status: 200, data: { repeat: true } };

		expect(await post(trigger.url, EVENT, inHeader())).toEqual(received);
		await outputs(trigger, 1);
		expect(await post(trigger.url, EVENT, inHeader())).toEqual(repeat);
		expect(await post(trigger.url, { ...EVENT, callId: 'call-2' }, inQuery)).toEqual(received);
		expect(await outputs(trigger, 2)).toEqual([SIMPLIFIED, { ...SIMPLIFIED, callId: 'call-2' }]);
	});

	it.each([
		['application/json', 500],
		['text/plain', 500],
		['application/octet-stream', 400],
	])('executes nothing for a body above the limit of n8n, sent as %s', async (type, status) => {
		const trigger = await createTrigger(world(), WITH_SECRET);
		const headers = { ...inHeader().headers, 'content-type': type };
		const body = JSON.stringify({ transcript: 'x'.repeat(17_000_000) });
		const answer = await post(trigger.url, body, { headers });
		// n8n answers for the types that it reads itself.
		expect(answer.status).toBe(status);
		expect(JSON.stringify(answer.data)).toContain(
			status === 400 ? 'Expected a smaller event' : 'There was a problem executing the workflow',
		);
		await post(trigger.url, EVENT, inHeader());
		expect(await outputs(trigger, 1)).toEqual([SIMPLIFIED]);
	});

	it('needs no credential without authentication, and gives the body as it was sent with Output: Raw', async () => {
		const parameters = { authentication: 'none', options: { output: 'raw' } };
		const trigger = await createTrigger(world(), parameters, { credentials: {} });
		await post(trigger.url, EVENT);
		expect(await outputs(trigger, 1)).toEqual([EVENT]);
	});
});
